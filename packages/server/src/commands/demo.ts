// `call-media-server demo`: an archive of invented calls, made whole or not at all, with credentials to try it.
import { createReadStream, existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Schema } from "@call-media/api";
import { type CallStore, toVisibility, type UserRecord } from "@call-media/store";
import { importFiles } from "@call-media/store/import";
import { createStore, openStore } from "@call-media/store/sqlite";
import type { Command } from "commander";
import { createApiKey, createApplication } from "../access/issue.ts";
import { runService } from "./run-service.ts";
import { createPortOption, DEFAULT_PORT } from "./option-values.ts";
import { UsageError } from "./usage-error.ts";

/** What one needs to try the demo archive. */
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

// The only secrets this program ever writes down: they open nothing but invented calls.
const ACCESS_FILE = "demo-credentials.json";

// Whoever looks around does not wait long.
const SHUTDOWN_TIMEOUT_MS = 3_000;

/** Where the demo archive is when no folder is named: below the one the command is run in. */
export const DEMO_FOLDER = "call-media-demo";

const ADMINISTRATOR = "avery.admin";
const RESTRICTED = "riley.restricted";

export function addDemoCommand(program: Command): void {
  program
    .command("demo")
    .description("make an archive of invented calls and show how to try it")
    .option(
      "--data <dir>",
      "the folder for the archive: empty, missing, or a demo already",
      DEMO_FOLDER,
    )
    .option("--json", "print the credentials and example identifiers as one JSON object")
    .option("--serve", "serve it on 127.0.0.1 until stopped")
    .addOption(createPortOption())
    .action(async (flags: { data: string; json?: true; serve?: true; port: number }) => {
      const access = await makeDemo(flags.data);
      if (flags.json) console.log(JSON.stringify(access));
      if (!flags.serve) {
        if (!flags.json)
          console.log(toWelcome(access, `http://127.0.0.1:${flags.port}`, toServeCommand(flags)));
        return;
      }
      await using store = await openStore({ directory: flags.data });
      await runService(store, {
        host: "127.0.0.1",
        port: flags.port,
        log: { level: "info", format: "text" },
        shutdownTimeoutMs: SHUTDOWN_TIMEOUT_MS,
        onListening: ({ baseUrl }) => {
          if (!flags.json) console.log(toWelcome(access, baseUrl));
        },
      });
    });
}

/** Makes the demo archive in `directory`, or finds it there. Throws `UsageError` for a folder with something else. */
export async function makeDemo(directory: string): Promise<DemoAccess> {
  const accessFile = join(directory, ACCESS_FILE);
  if (existsSync(accessFile)) return JSON.parse(await readFile(accessFile, "utf8"));
  const target = resolve(directory);
  await mkdir(dirname(target), { recursive: true });
  const unfinished = await makeBeside(target);
  try {
    const access = await fill(unfinished);
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
    return await mkdtemp(join(dirname(target), `.${basename(target)}-`));
  } catch (error) {
    if (!isForbidden(error)) throw error;
    throw new UsageError(
      `nothing can be written in ${dirname(target)}, where the demo is prepared: give --data a folder inside one that can be written to, such as ${join(target, "demo")}`,
      { cause: error },
    );
  }
}

const isForbidden = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  ["EACCES", "EPERM", "EROFS"].includes(String(error.code));

async function fill(directory: string): Promise<DemoAccess> {
  await using store = await createStore({ directory });
  const { rejected } = await importFiles({
    store,
    paths: [ARCHIVE],
    format: "jsonl",
    mediaDirectory: MEDIA,
  });
  if (rejected > 0) throw new Error(`${rejected} rows of the demo archive were rejected`);
  const administrator = await findUser(store, ADMINISTRATOR);
  const restricted = await findUser(store, RESTRICTED);
  return {
    credentials: await createApplication(store, administrator.id),
    restricted: await createApplication(store, restricted.id),
    apiKey: (await createApiKey(store, administrator.id)).apiKey,
    examples: await findExamples(store, restricted),
  };
}

async function findUser(store: CallStore, username: string): Promise<UserRecord> {
  const user = await store.users.byName(username);
  if (user === undefined) throw new Error(`the demo archive has no user ${username}`);
  return user;
}

// A call that both demo users see, with a recording and a chat, and with identifiers that need no escaping in a shell.
async function findExamples(store: CallStore, user: UserRecord): Promise<DemoAccess["examples"]> {
  const visibility = toVisibility(user);
  for await (const line of createInterface({ input: createReadStream(ARCHIVE) })) {
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

/** What serves the archive that was made, as whoever made it can run it. */
function toServeCommand({ data, port }: { readonly data: string; readonly port: number }): string {
  // npm says so in the environment. The program is not on the path then.
  const isNpx = process.env["npm_lifecycle_event"] === "npx";
  return [
    isNpx ? "npx @call-media/server" : "call-media-server",
    "serve",
    ...(data === DEMO_FOLDER ? [] : ["--data", data]),
    ...(port === DEFAULT_PORT ? [] : ["--port", port]),
  ].join(" ");
}

function toWelcome(
  { credentials, restricted, apiKey, examples }: DemoAccess,
  baseUrl: string,
  serveCommand?: string,
): string {
  const bearer = '-H "Authorization: Bearer $TOKEN"';
  const json = "-H 'Content-Type: application/json'";
  const serve = serveCommand === undefined ? [] : [`  Serve it       ${serveCommand}`, ""];
  return [
    "",
    "Call Media Retrieval Service, with an archive of invented calls",
    "",
    ...serve,
    `  Base URL       ${baseUrl}`,
    `  Documentation  ${baseUrl}/docs`,
    "",
    `  Administrator   secretID ${credentials.secretID}  secretKey ${credentials.secretKey}`,
    `  Limited rights  secretID ${restricted.secretID}  secretKey ${restricted.secretKey}`,
    `  API key         ${apiKey}`,
    "",
    "Paste these into another terminal: get a token, search, save a recording.",
    "",
    `TOKEN=$(curl -sS ${baseUrl}/Token ${json} -d '${JSON.stringify(credentials)}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    "",
    `curl -sS "${baseUrl}/metadata/search?pageIndex=0&startDate=2024-11-01&endDate=2026-10-31" ${bearer} ${json} -d '{"call_id":"${examples.call_id}"}'`,
    "",
    `curl -sS ${baseUrl}/recording/stream-by-call-id/${examples.call_id} ${bearer} -o recording.wav`,
    "",
  ].join("\n");
}
