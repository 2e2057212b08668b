// The writer of hand-overs: the same bytes however its content comes, and nothing that cannot be opened.
import { createHash, hash } from "node:crypto";
import { unzipSync } from "fflate";
import { expect, onTestFinished, test, vi } from "vitest";
import { type HandOverSource, openHandOver, TooLarge, writeHandOver } from "../src/index.ts";
import { toCall } from "./support/calls.ts";

const TEXT = new TextEncoder().encode(
  Array.from({ length: 30_000 }, (_, index) => `${(index * 7919) % 10_007} of Zoë\n`).join(""),
);
const FILE = "transcripts/2026-03-02/1.json";

async function* cut(bytes: Uint8Array, length: number) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

const toSource = (pieces: number): HandOverSource => ({
  search: {
    baseUrl: "https://archive.example.com",
    from: "2026-03-01",
    to: "2026-03-31",
    filter: {},
    where: null,
    kinds: ["recordings", "transcripts"],
    redacted: [],
  },
  exportedBy: { by: "application", user: "ana", program: "call-media 1.2.0" },
  beganAt: "2026-04-01T00:00:00.000Z",
  now: () => new Date("2026-04-01T00:01:00Z"),
  spans: [],
  async *files() {
    yield { file: FILE, sha256: hash("sha256", TEXT), content: cut(TEXT, pieces) };
  },
  async *calls() {
    yield {
      record: toCall({ call_id: "1" }),
      span: 0,
      files: [],
      readMessages: async () => [],
      isSuperseded: false,
    };
  },
});

const write = (pieces: number) => writeSource(toSource(pieces));

async function writeSource(source: HandOverSource) {
  const parts: Uint8Array[] = [];
  const { seal } = await writeHandOver(source, {
    write: async (bytes) => void parts.push(bytes),
    createDigest: () => createHash("sha256"),
  });
  return { seal, zip: Buffer.concat(parts) };
}

test("content in pieces of any length is packed into the same bytes", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const whole = await write(TEXT.length);
  expect(whole.seal).toBe(hash("sha256", whole.zip));
  expect(whole.zip.length).toBeLessThan(TEXT.length);
  const file = unzipSync(whole.zip)[`export/${FILE}`] ?? new Uint8Array();
  expect(Buffer.from(file).equals(TEXT)).toBe(true);
  for (const pieces of [997, 65_536, 100_000]) expect((await write(pieces)).seal).toBe(whole.seal);
});

test("the page has the newest call first, and the legs of a call in the order of time", async () => {
  const leg = (call_id: string | null, ref_id: string, datetime: string | null) => ({
    record: toCall({ call_id, ref_id, datetime }),
    span: 0,
    files: [],
    readMessages: async () => [],
    isSuperseded: false,
  });
  const source: HandOverSource = {
    ...toSource(TEXT.length),
    search: { ...toSource(1).search, archiveTimeZone: "Europe/Berlin" },
    async *calls() {
      yield leg("b", "leg-3", "2026-03-03T10:09:00");
      yield leg(null, "leg-5", "2026-03-03T10:08:00Z");
      yield leg("a", "leg-4", "2026-03-03T10:07:00Z");
      yield leg(null, "leg-6", "2026-03-03T10:06:00Z");
      yield leg("b", "leg-2", "2026-03-03T09:05:00+01:00");
      yield leg("b", "leg-1", "2026-03-02T10:00:00Z");
    },
  };
  const { zip } = await writeSource(source);
  const page = Buffer.from(unzipSync(zip)["index.html"] ?? []).toString();
  const order = [...page.matchAll(/leg-\d/g)].map(([ref]) => ref);
  expect([...new Set(order)]).toEqual(["leg-1", "leg-2", "leg-3", "leg-5", "leg-4", "leg-6"]);
});

test("a zip with too many files is not completed", async () => {
  async function* files() {
    for (let file = 0; file < 65_001; file++)
      yield {
        file: `recordings/2026-03-02/${file}.wav`,
        sha256: "00",
        content: cut(TEXT.subarray(0, 1), 1),
      };
  }
  const none = async () => {};
  const target = { write: none, createDigest: () => ({ update: none, digest: () => TEXT }) };
  const source = { ...toSource(1), files: () => files() };
  await expect(writeHandOver(source, target)).rejects.toThrow(TooLarge);
});

test("a hand-over is read back without unpacking it, and what is none is refused", async () => {
  const source = toSource(TEXT.length);
  const purpose = "Legal, case 2026-118";
  const { zip } = await writeSource({ ...source, search: { ...source.search, purpose } });
  const opened = await openHandOver(new Blob([zip]));
  expect(opened?.report).toMatchObject({ purpose, from: "2026-03-01" });
  expect(opened?.records.map(({ call_id }) => call_id)).toEqual(["1"]);
  const page = new TextDecoder().decode(unzipSync(zip)["index.html"]);
  expect(page).toContain(`"purpose":"${purpose}"`);
  for (const other of [zip.subarray(0, -30), zip.subarray(100), Buffer.alloc(0), Buffer.from("no")])
    expect(await openHandOver(new Blob([new Uint8Array(other)]))).toBeUndefined();
});
