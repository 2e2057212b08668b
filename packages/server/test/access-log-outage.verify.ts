// No recording leaves without its row in the access log, and no read goes on while rows cannot be written.
import { randomBytes } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { CallStore, LogRow } from "@call-media/store";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  addMedia,
  ALLOWED_ALL,
  bodyOf,
  startTestService,
  type TestService,
  toCall,
} from "./support/service.ts";

const SOUND = randomBytes(200_000);
const STREAM = "/recording/stream-by-call-id/c1";
const METADATA = "/metadata/by-call-id/c1";
const datetime = "2026-05-01T10:00:00Z";

// Far beyond what a busy machine needs.
const WAIT = { timeout: 20_000 };

async function startWithCall() {
  const service = await startTestService();
  onTestFinished(() => service[Symbol.asyncDispose]());
  const sound = await addMedia(service.store, "sound.wav", SOUND);
  await service.add(toCall({ call_id: "c1", datetime }, [sound]));
  const { key } = await service.addUser(ALLOWED_ALL);
  const statusOf = async (path: string) => {
    const response = await service.get(path, key);
    await response.arrayBuffer();
    return response.status;
  };
  return { service, key, statusOf };
}

async function readLog(store: CallStore): Promise<LogRow[]> {
  const rows: LogRow[] = [];
  // Without that of the key.
  for await (const row of store.accessLog.read({})) if (row.operator === undefined) rows.push(row);
  return rows;
}

// SQLite itself refuses the rows from then on, as it does on a full disk.
function breakLog({ directory }: TestService) {
  const database = new DatabaseSync(join(directory, "access.db"), WAIT);
  onTestFinished(() => database.close());
  database.exec(
    "CREATE TRIGGER broken BEFORE INSERT ON access BEGIN SELECT RAISE(ABORT, 'the disk is broken'); END",
  );
  return { repair: () => database.exec("DROP TRIGGER broken") };
}

test.each([STREAM, "/recording/by-call-id/c1"])(
  "%s is refused before its first byte, and metadata after it, until rows can be written again",
  async (path) => {
    const { service, key, statusOf } = await startWithCall();
    const log = breakLog(service);

    const refused = await service.get(path, key);
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("5");
    expect(await bodyOf(refused)).toMatchObject({ isError: true, data: [] });
    expect(await statusOf(METADATA)).toBe(503);
    expect(await statusOf("/recording/by-call-id/none")).toBe(503); // not even that it is not there
    expect(String(service.failures[0])).toContain("the disk is broken");

    log.repair();
    expect(await statusOf(METADATA)).toBe(200);
    expect(await statusOf(path)).toBe(200);
    expect((await readLog(service.store)).map(({ status }) => status)).toEqual([200, 200]);
  },
);

test("metadata that was answered before the fault was seen is in the log in the end", async () => {
  const { service, statusOf } = await startWithCall();
  const log = breakLog(service);
  expect(await statusOf(METADATA)).toBe(200);
  await vi.waitFor(async () => expect(await statusOf("/flags/public")).toBe(503), WAIT);

  log.repair();
  await vi.waitFor(async () => expect(await statusOf("/flags/public")).toBe(200), WAIT);
  const operations = (await readLog(service.store)).map(({ operation }) => operation);
  expect(operations).toContain("getMetadataByCallId");
  expect(operations.at(-1)).toBe("listPublicFlags");
  expect((await service.store.accessLog.verify()).fault).toBeUndefined();
});

test("a lock that another program keeps refuses reads, and the service goes on answering", async () => {
  const { service, statusOf } = await startWithCall();
  expect(await statusOf(STREAM)).toBe(200);
  using other = new DatabaseSync(join(service.directory, "access.db"), WAIT);
  other.exec("BEGIN IMMEDIATE");

  const read = statusOf(STREAM);
  let answered = 0;
  const asking = (async () => {
    while ((await Promise.race([read, setTimeout(5)])) === undefined) {
      expect(await statusOf("/docs/text.css")).toBe(200);
      answered += 1;
    }
  })();
  expect(await read).toBe(503);
  await asking;
  expect(answered).toBeGreaterThan(20);

  other.exec("ROLLBACK");
  expect(await statusOf(STREAM)).toBe(200);
});
