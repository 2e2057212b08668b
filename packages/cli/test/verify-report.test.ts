// The report of an export must match the export, and the seal must match the report.
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MARCH, readReport, startExporting } from "./support/exporting.ts";
import {
  CALLS,
  type Changeable,
  changeReport,
  forgeMetadata,
  verify,
} from "./support/verifying.ts";

const OTHER_FORM =
  "has another form than this version of call-media writes: it was changed, or another version wrote it; export --resume writes it again";

test.each<[string, (report: Changeable) => void, readonly string[]]>([
  [
    "a count of files",
    (report) =>
      (report.files = { ...report.files, verified: { digest: 9, length: 0, nothing: 0 } }),
    ["counts other files than manifest.jsonl has"],
  ],
  [
    "a count of records",
    (report) => (report.records = { ...report.records, announced: 4 }),
    ["counts other records than its searches found"],
  ],
  [
    "a verdict and its reason",
    (report) => Object.assign(report, { verdict: "incomplete", faults: ["1 missing"] }),
    [
      "has a verdict that does not follow from the rest",
      "has faults that do not follow from the rest",
    ],
  ],
  [
    "a search",
    (report) => (report.windows = report.windows.slice(1)),
    [
      "has searches with other files than manifest.jsonl has",
      "counts other records than its searches found",
      "has a verdict that does not follow from the rest",
      "has faults that do not follow from the rest",
      "has another time than its searches",
      "has no search of 2026-03-01 to 2026-03-31",
    ],
  ],
  [
    "a record that came, in all places",
    (report) => {
      report.records = { ...report.records, came: 4 };
      report.windows = report.windows.map((window) => ({ ...window, came: window.came - 1 }));
    },
    ["has a search whose numbers do not add up"],
  ],
  [
    "until when it was searched",
    (report) => (report.asOf = "2027-01-01T00:00:00.000Z"),
    ["has another time than its searches"],
  ],
  [
    "the metadata",
    (report) => (report.metadata = { ...report.metadata, bytes: 1 }),
    ["has other metadata than manifest.jsonl"],
  ],
  [
    "what is masked",
    (report) => (report.redacted = ["ani"]),
    ["has other masked fields than manifest.jsonl"],
  ],
  ["its form", (report) => Object.assign(report, { faults: null }), [OTHER_FORM]],
  ["all of it", (report) => Object.assign(report, { windows: 1 }), [OTHER_FORM]],
])("a report that does not fit is found: %s", async (_, change, faults) => {
  const { out, exportCalls } = await startExporting({ calls: CALLS });
  await exportCalls(...MARCH);
  expect((await verify(out)).differences).toEqual([]);
  await changeReport(out, change);
  const { differences } = await verify(out);
  expect(differences).toEqual(faults.map((what) => ({ file: "report.json", what })));
});

test.each(["jsonl", "csv"])(
  "records that are gone from %s are found by their number",
  async (format) => {
    const notes = 'one line\nand "another"';
    const calls = CALLS.map((call) => ({ ...call, notes }));
    const { out, exportCalls } = await startExporting({ calls });
    await exportCalls(...MARCH, "--format", format);
    expect((await verify(out)).differences).toEqual([]);
    const record = format === "csv" ? /^"?2026-03-05[^]*?\r\n(?="?2026)/m : /^.*\n/;
    await forgeMetadata(out, `metadata.${format}`, (text) => text.replace(record, ""));
    expect((await verify(out)).differences).toEqual([
      { file: "report.json", what: "counts 5 records, and the metadata has 4" },
    ]);
  },
);

test("a consistent forgery is found by the seal only, and the output says so", async () => {
  const { out, exportCalls, runCommand } = await startExporting({ calls: CALLS });
  const { stdout: exported } = await exportCalls(...MARCH);
  const [seal = ""] = /\b[\da-f]{64}\b/.exec(exported) ?? [];
  expect(exported).toContain(`seal     ${seal} is the SHA-256 of report.json`);
  const first = await runCommand("verify", out, "--seal", seal.toUpperCase());
  expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining("no differences") });
  expect(first.stdout).not.toContain("untold");

  await forgeMetadata(out, "metadata.jsonl", (text) => text.replace("1000", "9999"));
  const { code, stdout } = await runCommand("verify", out);
  expect(code).toBe(0);
  expect(stdout).toContain("unproved that files, manifest and report were not changed together");
  const { differences } = await verify(out, seal);
  expect(differences).toEqual([{ file: "report.json", what: "has another SHA-256 than the seal" }]);
  const sealed = await runCommand("verify", out, "--seal", seal);
  expect(sealed).toMatchObject({ code: 1, stdout: expect.stringContaining("\nother    the seal") });
  expect(sealed.stdout).not.toContain("mend");
  expect(await runCommand("verify", out, "--seal", "5c0f")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("It must be a SHA-256 of 64 digits"),
  });
});

test("the seal stays where nothing is new, and is another one where a sync asked again", async () => {
  const { out, exportCalls, runCommand } = await startExporting({ calls: CALLS });
  const { stdout } = await exportCalls(...MARCH);
  const report = await readReport(out);
  expect(await exportCalls("--resume")).toMatchObject({ code: 0, stdout });
  expect(await readReport(out)).toEqual(report);
  expect((await runCommand("sync", out, "--to", "2026-03-31")).stdout).not.toBe(stdout);
  expect((await readReport(out)).windows.length).toBeGreaterThan(report.windows.length);
  expect(await runCommand("verify", out)).toMatchObject({ code: 0 });
});

test("the numbers in a sentence of the report must match, whatever its words", async () => {
  const profile = { streamDigest: false };
  const { out, exportCalls } = await startExporting({ calls: CALLS, profile });
  await exportCalls(...MARCH);
  const [sentence = "", ...others] = (await readReport(out)).unproved;
  expect(sentence).toMatch(/^that 5 recordings are what the service has/);
  const change = (words: string) =>
    changeReport(out, (report) => (report.unproved = [words, ...others]));
  await change("5 recordings: no SHA-256");
  expect((await verify(out)).differences).toEqual([]);
  await change(sentence.replace("5", "4"));
  expect((await verify(out)).differences).toEqual([
    {
      file: "report.json",
      what: "lists as unproved what does not follow from the rest",
    },
  ]);
});

test("verify distinguishes reports of earlier versions, damaged and missing ones, and --resume rewrites them", async () => {
  const { out, exportCalls } = await startExporting({ calls: CALLS });
  await exportCalls(...MARCH);
  await changeReport(out, (report) => Object.assign(report, { exportedBy: undefined }));
  const told = async () => (await verify(out)).differences.map(({ file, what }) => [file, what]);
  expect(await told()).toEqual([["report.json", OTHER_FORM]]);
  await writeFile(join(out, "report.json"), '{"verdict":');
  expect(await told()).toEqual([["report.json", "is damaged: it is not JSON"]]);
  await rm(join(out, "report.json"));
  expect(await told()).toEqual([["report.json", "is missing"]]);
  await exportCalls("--resume");
  expect(await told()).toEqual([]);
});

test("the seal is of the bytes of the report, not of the text that they are read as", async () => {
  const { out, exportCalls } = await startExporting({ calls: CALLS });
  await exportCalls(...MARCH, "--where", 'agent != "\ufffd"');
  const { seal } = await verify(out);
  const text = await readFile(join(out, "report.json"), "latin1");
  // A byte that is not UTF-8 is also read as U+FFFD.
  const forged = text.replace(Buffer.from("\ufffd").toString("latin1"), "\u00ff");
  await writeFile(join(out, "report.json"), forged, "latin1");
  expect((await verify(out, seal ?? "")).differences).toEqual([
    { file: "report.json", what: "has another SHA-256 than the seal" },
  ]);
});
