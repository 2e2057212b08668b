// The archive of sample calls: created completely or not at all, with credentials to try it.
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Schema } from "@call-media/api";
import { type CallStore, toVisibility, type UserRecord } from "@call-media/store";
import { importFiles } from "@call-media/import";
import { createStore, makeFolder } from "@call-media/store/open";
import { createApiKey, createApplication } from "../access/issue.ts";
import { toOperator } from "../command-line/operator.ts";
import { recorded } from "../command-line/recorded.ts";
import { UsageError } from "@call-media/terminal";
import { createDateMove } from "./demo-dates.ts";

/** The credentials and examples to try the demo archive. */
export interface DemoAccess {
  /** An application of the administrator, who sees everything. */
  readonly credentials: Schema<"TokenRequest">;
  /** An application of a user with limited rights. */
  readonly restricted: Schema<"TokenRequest">;
  /** An API key of the administrator. */
  readonly apiKey: string;
  /** Identifiers of calls that have a recording and a chat. */
  readonly examples: {
    readonly call_id: string;
    readonly ref_id: string;
    readonly chat_call_id: string;
  };
}

const ARCHIVE = fileURLToPath(new URL("../../demo/archive.jsonl", import.meta.url));
const MEDIA = fileURLToPath(new URL("../../demo/media", import.meta.url));

// The only secrets that this program ever writes to a file: they give access to nothing but sample calls.
const ACCESS_FILE = "demo-credentials.json";

const ADMINISTRATOR = "avery.admin";
const RESTRICTED = "riley.restricted";

/**
 * Creates the demo archive in `directory`, or finds it there. Its newest calls are of the days before `asOf`, YYYY-MM-DD in
 * UTC. Throws `UsageError` for a directory with other contents.
 */
export async function makeDemo(directory: string, asOf: string): Promise<DemoAccess> {
  const accessFile = join(directory, ACCESS_FILE);
  if (existsSync(accessFile)) return JSON.parse(await readFile(accessFile, "utf8"));
  const target = resolve(directory);
  const unfinished = await makeBeside(target);
  try {
    const access = await fill(unfinished, asOf);
    await writeFile(join(unfinished, ACCESS_FILE), `${JSON.stringify(access, null, 2)}\n`, {
      mode: 0o600,
    });
    await rename(unfinished, target).catch((error: unknown) => {
      throw new UsageError(`${directory} holds something else: give the demo an empty folder`, {
        cause: error,
      });
    });
    return access;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function makeBeside(target: string): Promise<string> {
  try {
    await makeFolder(dirname(target));
    return await mkdtemp(join(dirname(target), `.${basename(target)}-`));
  } catch (error) {
    if (!isForbidden(error)) throw error;
    throw new UsageError(
      `nothing can be written in ${dirname(error.path)}, where the demo is prepared: give --data a folder inside one that can be written to, such as ${join(target, "demo")}`,
      { cause: error },
    );
  }
}

/** True if the error is that a directory or a file may not be created. */
const isForbidden = (error: unknown): error is Error & { readonly path: string } =>
  error instanceof Error &&
  "code" in error &&
  ["EACCES", "EPERM", "EROFS"].includes(String(error.code)) &&
  "path" in error &&
  typeof error.path === "string";

async function fill(directory: string, asOf: string): Promise<DemoAccess> {
  await using store = await createStore({ records: directory });
  const lines = await readLines(asOf);
  const command = { operation: "demo", asked: { as_of: asOf } } as const;
  const toEnding = () => ({ counts: { imported: lines.length } });
  await recorded({ log: store.accessLog, ...command, toEnding }, () => importLines(store, lines));
  const administrator = await findUser(store, ADMINISTRATOR);
  const restricted = await findUser(store, RESTRICTED);
  return {
    credentials: await createApplication(store, administrator.id),
    restricted: await createApplication(store, restricted.id),
    apiKey: (await createApiKey(store, administrator.id)).apiKey,
    examples: await findExamples(store, restricted, lines),
  };
}

async function readLines(asOf: string): Promise<readonly string[]> {
  const move = createDateMove(asOf);
  const lines = (await readFile(ARCHIVE, "utf8")).trimEnd().split("\n");
  return lines.map(move).filter((line) => line !== undefined);
}

async function importLines(store: CallStore, lines: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "call-media-demo-"));
  try {
    const file = join(folder, "archive.jsonl");
    await writeFile(file, lines.map((line) => `${line}\n`).join(""));
    const { rejected } = await importFiles({
      store,
      paths: [file],
      format: "jsonl",
      mediaDirectory: MEDIA,
      writer: { operation: "demo", operator: toOperator() },
    });
    if (rejected > 0) throw new Error(`${rejected} rows of the demo archive were rejected`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function findUser(store: CallStore, username: string): Promise<UserRecord> {
  const user = await store.users.byName(username);
  if (user === undefined) throw new Error(`the demo archive has no user ${username}`);
  return user;
}

// A call that both demo users see, with a recording and a chat, and with identifiers that need no escaping in a shell.
async function findExamples(
  store: CallStore,
  user: UserRecord,
  lines: readonly string[],
): Promise<DemoAccess["examples"]> {
  const visibility = toVisibility(user);
  for (const line of lines) {
    const { kind, call_id: callId, ref_id: refId, media } = JSON.parse(line);
    if (
      kind !== "call" ||
      !Array.isArray(media) ||
      !/^[\w-]+$/.test(callId) ||
      !/^[\w-]+$/.test(refId)
    )
      continue;
    const [recording] = await store.calls.recordings({ callId }, visibility);
    const chat = await store.calls.chat(callId, visibility);
    if (recording?.filename.endsWith(".wav") && chat.length > 0)
      return { call_id: callId, ref_id: refId, chat_call_id: callId };
  }
  throw new Error("the demo archive has no call with a recording and a chat");
}
