// The demo archive, created by the operator's own program, and a service over an archive on a free port of this machine.
import { execFile } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Schema } from "@call-media/api";
import {
  createListener,
  listen,
  type ListenOptions,
  loadPages,
  type ListenerOptions,
} from "@call-media/server";
import type { CallStore } from "@call-media/store";

/** The output of `call-media-server demo --json`. */
export interface DemoAccess {
  readonly credentials: Schema<"TokenRequest">;
  readonly restricted: Schema<"TokenRequest">;
  readonly apiKey: string;
  readonly examples: {
    readonly call_id: string;
    readonly ref_id: string;
    readonly chat_call_id: string;
  };
}

export interface DemoArchive extends AsyncDisposable {
  readonly directory: string;
  readonly access: DemoAccess;
  /** Returns another archive with the same content, for a test that damages it. */
  readonly copy: () => Promise<DemoArchive>;
}

export interface RunningService extends AsyncDisposable {
  readonly baseUrl: string;
}

// The program is next to the library's entry point.
const PROGRAM = fileURLToPath(new URL("main.ts", import.meta.resolve("@call-media/server")));

let made: Promise<DemoArchive> | undefined;

/** Creates the archive of `call-media-server demo` in its own temporary folder. */
export async function makeDemoArchive(): Promise<DemoArchive> {
  return (await (made ??= runDemo())).copy();
}

/** Runs once per process for all test files; removed after the run. */
async function runDemo(): Promise<DemoArchive> {
  const directory = await mkdtemp(join(tmpdir(), "call-media-contract-"));
  const program = [PROGRAM, "demo", "--data", directory, "--json", "--as-of", "2026-11-01"];
  const { stdout } = await promisify(execFile)(process.execPath, program);
  return toArchive(directory, JSON.parse(stdout) as DemoAccess); // the tests use it field by field
}

/** Serves an archive on a free port until disposed of, over HTTPS with `tls`. The store stays open. */
export async function startService(
  store: CallStore,
  options: Omit<ListenerOptions, "store" | "pages"> = {},
  tls?: ListenOptions["tls"],
): Promise<RunningService> {
  const listener = createListener({ ...options, store, pages: await loadPages() });
  const { baseUrl, close } = await listen(listener, { host: "127.0.0.1", port: 0, tls });
  return { baseUrl, [Symbol.asyncDispose]: close };
}

function toArchive(directory: string, access: DemoAccess): DemoArchive {
  return {
    directory,
    access,
    copy: async () => {
      const other = await mkdtemp(join(tmpdir(), "call-media-contract-"));
      await cp(directory, other, { recursive: true });
      return toArchive(other, access);
    },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  };
}
