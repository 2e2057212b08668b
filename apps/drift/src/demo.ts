// The demo archive, created by the operator's own program, and any number of services over it.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Schema } from "@call-media/api";
import type { Target } from "@call-media/conformance";
import { createListener, listen } from "@call-media/server";
import type { CallStore } from "@call-media/store";
import { openStore } from "@call-media/store/sqlite";

/** The facts that the operator of the demo service can give to a checker. */
export type DemoAccess = Required<Omit<Target, "baseUrl" | "fetch" | "restricted">> & {
  readonly restricted: Schema<"TokenRequest">;
};

export interface DemoService extends AsyncDisposable {
  readonly baseUrl: string;
}

export interface Demo extends AsyncDisposable {
  readonly access: DemoAccess;
  /** A separate service, which does not remember failed sign-ins of another check (D23). */
  readonly startService: () => Promise<DemoService>;
}

// The program is next to the library's entry point.
const PROGRAM = fileURLToPath(new URL("main.ts", import.meta.resolve("@call-media/server")));
const DAY_MS = 24 * 60 * 60 * 1000;

export async function openDemo(): Promise<Demo> {
  await using stack = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), "call-media-drift-"));
  stack.defer(() => rm(directory, { recursive: true }));
  const program = [PROGRAM, "demo", "--data", directory, "--json", "--as-of", "2026-11-01"];
  const { stdout } = await promisify(execFile)(process.execPath, program);
  const { credentials, restricted, apiKey } = JSON.parse(stdout) as Omit<
    DemoAccess,
    "expiredToken"
  >; // the program's own format
  const store = stack.use(await openStore({ directory }));
  const expiredToken = await signInYesterday(store, credentials);
  const owned = stack.move();
  return {
    access: { credentials, restricted, apiKey, expiredToken },
    startService: () => serve(store),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function serve(store: CallStore, now: () => number = Date.now): Promise<DemoService> {
  const listener = createListener({ store, now });
  const { baseUrl, close } = await listen(listener, { host: "127.0.0.1", port: 0 });
  return { baseUrl, [Symbol.asyncDispose]: close };
}

/** Returns a token that has already expired. */
async function signInYesterday(
  store: CallStore,
  credentials: Schema<"TokenRequest">,
): Promise<string> {
  await using service = await serve(store, () => Date.now() - DAY_MS);
  const response = await fetch(`${service.baseUrl}/Token`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(credentials),
  });
  const { access_token: token } = (await response.json()) as Schema<"TokenResponse">; // the service keeps its contract
  return token;
}
