// The program of @redocly/cli, as far as the peers share it.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

// A run takes a second or two; a service that breaks off may hold it up.
const TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

export interface Ended {
  readonly isSuccess: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end. Throws when it could not run, or not in time. */
export async function runRedocly(
  options: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const program = fileURLToPath(import.meta.resolve("@redocly/cli/bin/cli.js"));
  const quiet = { REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", REDOCLY_TELEMETRY: "off" };
  const settings = {
    env: { ...process.env, ...quiet, ...env },
    timeout: TIMEOUT_MS,
    maxBuffer: MAX_OUTPUT_BYTES,
  };
  return promisify(execFile)(process.execPath, [program, ...options], settings).then(
    (output) => ({ isSuccess: true, ...output }),
    (error: Error & Partial<Ended> & { readonly code?: unknown }) => {
      const { code, stdout = "", stderr = "" } = error;
      if (code !== 1)
        throw new Error(`redocly ${options[0]} did not end by itself`, { cause: error });
      return { isSuccess: false, stdout, stderr };
    },
  );
}
