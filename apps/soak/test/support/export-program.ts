// `call-media export` as a process of its own, and what its folder has.
import { type ChildProcess, spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const MAIN = fileURLToPath(new URL("../../../../packages/cli/src/main.ts", import.meta.url));

export interface ExportEnded {
  readonly code: number | null;
  readonly said: string;
}

export interface ExportProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<ExportEnded>;
}

export interface Asked {
  readonly baseUrl: string;
  readonly credentials: { readonly secretID: string; readonly secretKey: string };
}

/** Killed with the test at the latest. */
export function startExport(args: readonly string[], { baseUrl, credentials }: Asked) {
  const child = spawn(process.execPath, [MAIN, "export", ...args], {
    env: {
      ...process.env,
      CALL_MEDIA_BASE_URL: baseUrl,
      CALL_MEDIA_SECRET_ID: credentials.secretID,
      CALL_MEDIA_SECRET_KEY: credentials.secretKey,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<ExportEnded>((resolve) =>
    child.on("close", (code) => resolve({ code, said })),
  );
  return { child, ended } satisfies ExportProcess;
}

/** What is handed on, but for the time in the report: SHA-256 would do, but texts show where they differ. */
export async function readTree(out: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(out, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(out, join(entry.parentPath, entry.name)))
    .filter((file) => !file.startsWith(".call-media"))
    .toSorted();
  const tree = new Map<string, string>();
  for (const file of files) {
    const content = await readFile(join(out, file), "latin1");
    tree.set(
      file,
      file === "report.json"
        ? content.replace(/"(?:(?:began|finished)At|asOf)": .*/g, "")
        : content,
    );
  }
  return tree;
}

/** Names of recordings that are there, as `<call_id>` or `<call_id>-<part>`. */
export async function listRecordings(out: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(join(out, "recordings"), {
    recursive: true,
    withFileTypes: true,
  }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  return new Set(files.map((name) => name.replace(/\.\w+$/, "")));
}
