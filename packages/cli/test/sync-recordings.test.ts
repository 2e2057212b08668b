// What a sync does with the recordings of a record that changed: those that are there stay as they are, the others come.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  countDownloads,
  type Exporting,
  type FakeCall,
  MARCH,
  readManifest,
  readReport,
  startExporting,
  toBytes,
} from "./support/exporting.ts";

const toRecording = (filename: string, seed: number) => ({ filename, bytes: toBytes(500, seed) });
const [A, B, C] = [toRecording("a.wav", 2), toRecording("b.wav", 3), toRecording("c.wav", 4)];

const toCall = (recordings: FakeCall["recordings"], more: FakeCall = {}): FakeCall => ({
  call_id: "1001",
  datetime: "2026-03-29T06:14:00Z",
  ani: "+49 30 1234567",
  ...(recordings && { recordings }),
  ...more,
});

/** Adds to the folder of an export what the archive has by now. */
async function sync({ out, variables }: Exporting, call: FakeCall): Promise<Exporting> {
  const later = await startExporting({ calls: [call] });
  const plan = join(out, ".call-media", "plan.json");
  const [before, now] = [variables, later.variables].map((one) => one["CALL_MEDIA_BASE_URL"]);
  await writeFile(plan, (await readFile(plan, "utf8")).replace(String(before), String(now)));
  expect(await later.runCommand("sync", out, "--to", "2026-04-02")).toMatchObject({ code: 0 });
  return { ...later, out };
}

/** The recordings that the manifest names, in its order: file and bytes. */
async function readRecordings({ out }: Exporting) {
  const entries = (await readManifest(out)).filter(({ kind }) => kind === "recording");
  const read = entries.map(async ({ file }) => {
    const bytes = await readFile(join(out, String(file)));
    return [String(file).split("/").at(-1), new Uint8Array(bytes)] as const;
  });
  return await Promise.all(read);
}

test.each([
  ["a masked export", ["--redact", "ani"]],
  ["an export", []],
])("a second recording comes into %s, and the first is not there twice", async (_, masked) => {
  const exporting = await startExporting({ calls: [toCall([A])] });
  const args = [...MARCH, "--files", "recordings", ...masked];
  expect(await exporting.exportCalls(...args)).toMatchObject({ code: 0 });
  const later = await sync(exporting, toCall([A, B]));
  expect((await readReport(later.out)).records).toMatchObject({ added: 1, gone: 0, superseded: 1 });
  expect(await readRecordings(later)).toEqual([
    ["1001.wav", A.bytes],
    ["1001.wav", A.bytes],
    ["1001-2.wav", B.bytes],
  ]);
  expect(await later.runCommand("verify", later.out)).toMatchObject({ code: 0 });
  const again = await sync(later, toCall([A, B]));
  expect(countDownloads(again.service)).toBe(0);
});

test("sync adds a new recording to a masked export if its record changed", async () => {
  const exporting = await startExporting({ calls: [toCall([A])] });
  const args = [...MARCH, "--files", "recordings", "--redact", "ani"];
  expect(await exporting.exportCalls(...args)).toMatchObject({ code: 0 });
  const later = await sync(exporting, toCall([C], { disposition: "Sale" }));
  expect(await readRecordings(later)).toEqual([
    ["1001.wav", A.bytes],
    ["1001~2.wav", C.bytes],
  ]);
});

test("a masked export without recordings takes no notice of them", async () => {
  const exporting = await startExporting({ calls: [toCall([A])] });
  expect(await exporting.exportCalls(...MARCH, "--redact", "ani")).toMatchObject({ code: 0 });
  const later = await sync(exporting, toCall([A, B]));
  expect((await readReport(later.out)).records).toMatchObject({ added: 0, written: 1 });
});
