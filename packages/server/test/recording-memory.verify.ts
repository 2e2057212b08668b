// What a long recording costs the service in memory: the same as a short one, in either form.
import { randomFillSync } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Started, startCommand } from "./support/command.ts";
import {
  addMedia,
  ALLOWED_ALL,
  startTestService,
  type TestService,
  toCall,
} from "./support/service.ts";

const MIB = 1024 * 1024;
const SHORT_BYTES = 10 * MIB;
const LONG_BYTES = 200 * MIB;

// The recordings differ by 190 MiB, or 253 MiB as base64. A service that holds a recording in memory would need all of it.
const ALLOWED_GROWTH_BYTES = 80 * MIB;

let archive: TestService;
let key: string;
let server: Started;
let baseUrl: string;

beforeAll(async () => {
  archive = await startTestService();
  ({ key } = await archive.addUser(ALLOWED_ALL));
  for (const [callId, bytes] of [["short", SHORT_BYTES] as const, ["long", LONG_BYTES] as const]) {
    const content = randomFillSync(Buffer.allocUnsafe(bytes));
    const recording = await addMedia(archive.store, `${callId}.wav`, content);
    await archive.add(toCall({ call_id: callId, datetime: "2026-05-01T10:00:00Z" }, [recording]));
  }
  // A process of its own: this one holds the contents that it has made.
  server = startCommand(["serve", "--data", archive.directory, "--port", "0"]);
  [baseUrl] = await server.says(/http:\/\/127\.0\.0\.1:\d+/);
});
afterAll(async () => {
  server.child.kill();
  await server.ended;
  await archive[Symbol.asyncDispose]();
});

/** The most memory that the service had at a time since the last call of `forgetPeak`. */
async function readPeakBytes(): Promise<number> {
  const status = await readFile(`/proc/${server.child.pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}
const forgetPeak = () => writeFile(`/proc/${server.child.pid}/clear_refs`, "5");

async function download(form: string, callId: string): Promise<number> {
  const headers = { Authorization: `Bearer ${key}` };
  const { body } = await fetch(`${baseUrl}/recording/${form}/${callId}`, { headers });
  let bytes = 0;
  for await (const chunk of body ?? []) bytes += chunk.length;
  return bytes;
}

describe.runIf(process.platform === "linux")("memory does not grow with the recording", () => {
  test.each([
    ["by-call-id", (bytes: number) => Math.ceil(bytes / 3) * 4],
    ["stream-by-call-id", (bytes: number) => bytes],
  ])("%s", async (form, toLength) => {
    const peakOf = async (callId: string, bytes: number) => {
      await forgetPeak();
      expect(await download(form, callId)).toBeGreaterThanOrEqual(toLength(bytes));
      return readPeakBytes();
    };
    // What the process needs once, whatever it sends.
    for (let times = 0; times < 5; times += 1) await download(form, "short");
    const peak = await peakOf("short", SHORT_BYTES);
    expect((await peakOf("long", LONG_BYTES)) - peak).toBeLessThan(ALLOWED_GROWTH_BYTES);
  });
});
