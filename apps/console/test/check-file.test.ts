// A hand-over and its seal, as its recipient compares them: whatever byte is changed, they differ.
import { createHash } from "node:crypto";
import type { CallRecord } from "@call-media/client";
import { type HandOverSource, writeHandOver } from "@call-media/handover";
import { strFromU8, unzipSync } from "fflate";
import { expect, test } from "vitest";
import { checkFile, toDigits } from "../src/check/check-file.ts";

const SOUND = new TextEncoder().encode("RIFF of a call");
const SHA256 = createHash("sha256").update(SOUND).digest("hex");

const source: HandOverSource = {
  search: {
    baseUrl: "https://archive.example.com",
    from: "2026-03-01",
    to: "2026-03-31",
    filter: {},
    where: null,
    kinds: ["recordings"],
    redacted: [],
    purpose: "Legal, case 2026-118",
  },
  exportedBy: { by: "API key", user: "ana", program: "test" },
  beganAt: "2026-04-01T00:00:00.000Z",
  now: () => new Date("2026-04-01T00:01:00Z"),
  spans: [],
  async *files() {
    yield { file: "recordings/1.wav", sha256: SHA256, content: new Blob([SOUND]).stream() };
  },
  async *calls() {
    // The page and the sheet leave out what a record lacks.
    const record = {
      call_id: "1",
      datetime: "2026-03-02T10:00:00Z",
      agent_name: "Ann",
    } as CallRecord;
    yield { record, span: 0, files: [], isSuperseded: false, readMessages: async () => [] };
  },
};

async function write() {
  const parts: Uint8Array[] = [];
  const { seal } = await writeHandOver(source, {
    write: async (bytes) => void parts.push(bytes.slice()),
    createDigest: () => createHash("sha256"),
  });
  return { seal, zip: Buffer.concat(parts) };
}

const check = (zip: Buffer) => checkFile(new Blob([new Uint8Array(zip)]), () => {});

test("the file has its seal, and tells what is in it", async () => {
  const { seal, zip } = await write();
  let read = 0;
  const { sha256, handOver } = await checkFile(
    new Blob([new Uint8Array(zip)]),
    (to) => (read = to),
  );
  expect([sha256, read]).toEqual([seal, zip.length]);
  expect(handOver?.report.purpose).toBe("Legal, case 2026-118");
  expect(handOver?.records).toEqual([
    { call_id: "1", datetime: "2026-03-02T10:00:00Z", agent_name: "Ann" },
  ]);
});

test("one byte changed in any file of it makes it another", async () => {
  const { seal, zip } = await write();
  const paths = Object.keys(unzipSync(zip));
  expect(paths).toEqual(expect.arrayContaining(["index.html", "calls.xlsx", "SHA256SUMS"]));
  for (const path of paths) {
    const changed = Buffer.from(zip);
    // Its content follows its name.
    const at = changed.indexOf(path) + path.length + 5;
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect((await check(changed)).sha256, path).not.toBe(seal);
  }
  expect(strFromU8(unzipSync(zip)["index.html"] ?? new Uint8Array())).toContain("2026-118");
});

const SEAL = "bfeff280f6c14161f710c8928fec6693bbac301f7280c191b2be3c044e48a36d";

test.each([
  [SEAL, SEAL],
  [SEAL.toUpperCase(), SEAL],
  [`The seal (SHA-256) of calls-2026-11-26.zip: ${SEAL}`, SEAL],
  [SEAL.replaceAll(/.{4}/g, "$& "), SEAL],
  [`${SEAL.slice(0, 32)}\n${SEAL.slice(32)}`, SEAL],
  [`${SEAL} and once more ${SEAL}`, SEAL],
  [SEAL.slice(1), undefined],
  [`${SEAL}0`, undefined],
  [`${SEAL}, ${SEAL.replace("b", "c")}`, undefined],
  ["", undefined],
])("the seal in %j", (given, digits) => {
  expect(toDigits(given)).toBe(digits);
});
