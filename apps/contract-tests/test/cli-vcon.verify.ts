// A call that the command line takes out of a service as a vCon is, imported into another archive, the same call.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Schema } from "@call-media/api";
import { createFakeService } from "@call-media/testing";
import { serveFake } from "@call-media/testing/http";
import type { CallStore } from "@call-media/store";
import { importFiles } from "@call-media/import";
import { createStore, openStore } from "@call-media/store/sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DemoAccess, makeDemoArchive, startService } from "../src/demo-service.ts";
import { repository } from "../src/workspace.ts";

const PROGRAM = join(repository, "packages/cli/src/main.ts");

const stack = new AsyncDisposableStack();
let folder: string;
let access: DemoAccess;
let store: CallStore;
let service: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "call-media-cli-vcon-"));
  stack.defer(() => rm(folder, { recursive: true }));
  const archive = stack.use(await makeDemoArchive());
  access = archive.access;
  store = stack.use(await openStore({ directory: archive.directory }));
  service = stack.use(await startService(store)).baseUrl;
});
afterAll(() => stack.disposeAsync());

const callMedia = (...args: string[]) => callMediaOf(service, access.apiKey, args);

async function callMediaOf(
  baseUrl: string,
  apiKey: string,
  args: readonly string[],
): Promise<string> {
  const env = { ...process.env, CALL_MEDIA_BASE_URL: baseUrl, CALL_MEDIA_API_KEY: apiKey };
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...args], { env });
  return stdout;
}

type CallRecord = Schema<"MetadataRecord">;

/** One of each kind that a vCon says in another way. */
async function chooseCalls(): Promise<readonly string[]> {
  const days = ["--from", "2020-01-01", "--to", "2030-01-01"];
  const lines = await callMedia("search", ...days, "--format", "jsonl");
  const records = lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line): CallRecord => JSON.parse(line));
  const legs = Map.groupBy(records, ({ call_id }) => call_id);
  const kinds: ((record: CallRecord) => boolean)[] = [
    ({ recordings }) => recordings?.includes("; ") === true,
    ({ recordings, transcript }) => recordings !== null && transcript !== null,
    ({ recordings, transcript }) => recordings === null && transcript === null,
    ({ datetime }) => datetime?.endsWith("Z") === false && !/[+-]\d\d:\d\d$/.test(datetime),
    ({ call_id }) => (legs.get(call_id)?.length ?? 0) > 1,
  ];
  const chosen = kinds.map((isOne) => records.find(isOne)?.call_id);
  return [access.examples.chat_call_id, ...chosen].filter((id) => id !== undefined && id !== null);
}

/** Names and digests, so that a recording that was only named is missed. */
async function listMedia({ calls }: CallStore, callId: string): Promise<readonly string[]> {
  const recordings = await calls.recordings({ callId }, "everything");
  return recordings.map(({ filename, media }) => `${filename} ${media.sha256}`).toSorted();
}

test.each(["inside", "beside"])("with its recordings %s", async (media) => {
  const out = join(folder, media);
  await mkdir(out);
  const ids = [...new Set(await chooseCalls())];
  expect(ids.length).toBeGreaterThan(3);
  // An identifier may be no name for a folder.
  const calls = ids.map((id, index) => ({ id, place: join(out, String(index)) }));
  for (const { id, place } of calls) {
    await mkdir(place);
    const file = join(place, "call.vcon.jsonl");
    await callMedia("transcript", id, "--format", "vcon", "--media", media, "--out", file);
  }
  const directory = join(folder, `${media}-archive`);
  await using other = await createStore({ directory });
  for (const { id, place } of calls) {
    const { firstRejections } = await importFiles({ store: other, paths: [place] });
    expect(firstRejections).toEqual([]);
    expect(await other.calls.byCallId(id, "everything")).toEqual(
      await store.calls.byCallId(id, "everything"),
    );
    expect(await listMedia(other, id)).toEqual(await listMedia(store, id));
    expect(await other.calls.chat(id, "everything")).toEqual(
      await store.calls.chat(id, "everything"),
    );
  }
});

test("a vCon of a service with more fields, other types, and messages without times can be imported", async () => {
  const call = { call_id: "1", datetime: "2026-03-02 10:00:00 +01" };
  const message = { call_id: "1", transcript: "Hello" };
  const fake = createFakeService({ calls: [call], chats: [message] });
  const drift = (operation: "getMetadataByCallId" | "getChatByCallId", fields: object) => {
    const change = ({ data, ...answer }: Record<string, unknown>) => ({
      ...answer,
      data: (data as readonly object[]).map((record) => ({ ...record, ...fields })),
    });
    fake.inject({ kind: "drift", operation, change });
  };
  drift("getMetadataByCallId", { talk_time: "12", handle_time: -1, custom_field_1: true, x: [1] });
  drift("getChatByCallId", { datetime: null, x: "more" });
  await using served = await serveFake(fake);
  const file = join(folder, "foreign.vcon.json");
  const args = ["transcript", "1", "--format", "vcon", "--out", file];
  await callMediaOf(served.baseUrl, fake.apiKey, args);
  await using other = await createStore({ directory: join(folder, "foreign-archive") });
  const { firstRejections } = await importFiles({ store: other, paths: [file] });
  expect(firstRejections).toEqual([]);
  expect(await other.calls.byCallId("1", "everything")).toMatchObject([
    { ...call, talk_time: 12, handle_time: null, custom_field_1: "true" },
  ]);
  expect(await other.calls.chat("1", "everything")).toMatchObject([
    { ...message, datetime: "2026-03-02T09:00:00.000Z" },
  ]);
});
