// A recording whose file is not what was imported: 503 before the first byte or a cut connection, never a wrong body.
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { copyFile, rename, rm, stat, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDownload } from "./support/download.ts";
import {
  addMedia,
  ALLOWED_ALL,
  startTestService,
  type TestService,
  toCall,
} from "./support/service.ts";

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startTestService();
  ({ key } = await service.addUser(ALLOWED_ALL));
});
afterAll(() => service[Symbol.asyncDispose]());

/** A call with a recording, and the file that the archive keeps of it. */
async function addRecording(callId: string, content: Buffer): Promise<string> {
  const recording = await addMedia(service.store, `${callId}.wav`, content);
  await service.add(toCall({ call_id: callId, datetime: "2026-05-01T10:00:00Z" }, [recording]));
  const { sha256 } = recording.media;
  const file = join(service.directory, "media", sha256.slice(0, 2), sha256);
  await untilLater(file);
  return file;
}

/** File systems have a clock that goes on by some milliseconds at a time: what changes within one of them has no later time. */
async function untilLater(file: string): Promise<void> {
  const probe = join(service.directory, "probe");
  const timeOf = async (path: string) => (await stat(path, { bigint: true })).ctimeNs;
  do await writeFile(probe, "");
  while ((await timeOf(probe)) <= (await timeOf(file)));
}

/** The messages of what the service reports while `action` runs. */
async function failuresDuring(action: () => Promise<unknown>): Promise<string[]> {
  const before = service.failures.length;
  await action();
  return service.failures.slice(before).map((error) => (error as Error).message);
}

async function makePipe(file: string): Promise<void> {
  await promisify(execFile)("mkfifo", [file]);
}

async function restoreCopy(file: string): Promise<void> {
  await copyFile(file, `${file}.copy`);
  await rename(`${file}.copy`, file);
}

describe("a file", () => {
  test.each<[what: string, damage: (file: string) => Promise<void>, report: RegExp]>([
    ["that is missing", (file) => rm(file), /cannot be opened$/],
    ["that is a pipe now", (file) => rm(file).then(() => makePipe(file)), /is no file any more$/],
    ["that is shorter", (file) => truncate(file, 5), /has 5 bytes, 2000 were imported$/],
    ["that is longer", (file) => truncate(file, 2_001), /has 2001 bytes, 2000 were imported$/],
    ["of other content", (file) => writeFile(file, randomBytes(2_000)), /another content/],
    [
      "of other content, with the times of before",
      (file) => writeFile(file, randomBytes(2_000)).then(() => utimes(file, 1, 1)),
      /another content/,
    ],
  ])("%s is 503 in every form, and named for the operator", async (what, damage, report) => {
    const file = await addRecording(what, randomBytes(2_000));
    await damage(file);
    for (const form of ["by-call-id", "stream-by-call-id"]) {
      for (const headers of [{}, { Range: "bytes=0-0" }]) {
        const failures = await failuresDuring(async () => {
          const path = `/recording/${form}/${encodeURIComponent(what)}`;
          const response = await service.get(path, key, headers);
          expect(response.status).toBe(503);
          expect(response.headers.get("retry-after")).toBe("5");
          expect(await response.json()).toMatchObject({ isError: true, data: [] });
        });
        expect(failures).toEqual([expect.stringMatching(report)]);
        expect(failures[0]).toMatch(/^the file of recording [\da-f]{64} /);
      }
    }
  });

  test("that was restored from a copy is sent, and found out when it changes afterwards", async () => {
    const content = randomBytes(2_000_000);
    const file = await addRecording("restored", content);
    await restoreCopy(file);
    const get = () => service.get("/recording/stream-by-call-id/restored", key);

    const answers = await Promise.all([get(), get(), get()]);
    for (const answer of answers)
      expect(content.equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
    await writeFile(file, randomBytes(2_000_000));
    expect((await get()).status).toBe(503);
    await writeFile(file, content);
    expect(content.equals(Buffer.from(await (await get()).arrayBuffer()))).toBe(true);
  });
});

test("a file that becomes shorter while it is sent cuts the connection, and is named", async () => {
  const file = await addRecording("shrinking", randomBytes(30_000_000));
  const failures = await failuresDuring(async () => {
    const download = await openDownload(service, "/recording/stream-by-call-id/shrinking", key);
    await truncate(file, 20_000_000);
    expect(await download.readRest()).toEqual({ isWhole: false });
  });
  expect(failures).toEqual([
    expect.stringMatching(/^the file of recording [\da-f]{64} became shorter while it was sent$/),
  ]);
});
