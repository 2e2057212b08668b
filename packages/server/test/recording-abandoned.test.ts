// A client that goes away: its recording's file is closed at once, and nothing else is disturbed.
import { randomBytes } from "node:crypto";
import { readdir, readlink } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Download, openDownload } from "./support/download.ts";
import {
  addMedia,
  ALLOWED_ALL,
  startTestService,
  type TestService,
  toCall,
} from "./support/service.ts";

// More than all buffers of a connection hold, so that the service has to wait for its client.
const BYTES = 40_000_000;

// What it takes on a busy machine for the end of a connection to be noticed; a file that leaks stays open for ever.
const NOTICED_MS = 20_000;

let service: TestService;
let key: string;
let sha256: string;

beforeAll(async () => {
  service = await startTestService();
  ({ key } = await service.addUser(ALLOWED_ALL));
  const recording = await addMedia(service.store, "long.wav", randomBytes(BYTES));
  await service.add(toCall({ call_id: "long", datetime: "2026-05-01T10:00:00Z" }, [recording]));
  ({ sha256 } = recording.media);
});
afterAll(() => service[Symbol.asyncDispose]());

/** How often this process, which is the serving one, has the recording's file open. */
async function countOpenFiles(): Promise<number> {
  const descriptors = await readdir("/proc/self/fd");
  const targets = await Promise.all(
    descriptors.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => "closed meanwhile")),
  );
  return targets.filter((target) => target.endsWith(sha256)).length;
}

/** Until fewer are open, at the latest when all ought to have been closed. */
async function untilFewerThan(count: number): Promise<void> {
  const end = Date.now() + NOTICED_MS;
  while ((await countOpenFiles()) >= count && Date.now() < end) await setTimeout(10);
}

const open = (form: string): Promise<Download> =>
  openDownload(service, `/recording/${form}/long`, key);

// Only Linux lists the open files of a process.
describe.runIf(process.platform === "linux")("the file of a client that goes away", () => {
  test.each(["stream-by-call-id", "by-call-id"])(
    "is closed immediately during %s",
    async (form) => {
      const download = await open(form);
      expect(await countOpenFiles()).toBe(1);
      download.abandon();
      await untilFewerThan(1);
      expect(await countOpenFiles()).toBe(0);
    },
  );

  test("that had stopped reading is closed at once, one of twenty or all", async () => {
    const downloads = await Promise.all(
      Array.from({ length: 20 }, () => open("stream-by-call-id")),
    );
    await setTimeout(300); // by now every buffer on the way is full, and a write is waiting
    expect(await countOpenFiles()).toBe(20);
    downloads.pop()?.abandon();
    await untilFewerThan(20);
    expect(await countOpenFiles()).toBe(19);
    for (const download of downloads) download.abandon();
    await untilFewerThan(1);
    expect(await countOpenFiles()).toBe(0);
  });
});

test("a client that disconnects causes no failure, and another client gets every byte", async () => {
  const [gone, staying] = await Promise.all([open("stream-by-call-id"), open("stream-by-call-id")]);
  gone.abandon();
  expect(await staying.readRest()).toEqual({ isWhole: true });
  expect(service.failures).toEqual([]);
});
