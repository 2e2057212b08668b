// Whether an export is still what it was: every kind of difference, and nothing read outside of the folder.
import { hash } from "node:crypto";
import { appendFile, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verifyExport } from "../src/export/verify.ts";
import { toExportFolder } from "../src/export/files.ts";
import type { Report } from "../src/export/report.ts";
import {
  type FakeCall,
  MARCH,
  readManifest,
  readReport,
  startExporting,
  toBytes,
} from "./support/exporting.ts";

const CALLS: readonly FakeCall[] = Array.from({ length: 5 }, (_, index) => ({
  call_id: String(1000 + index),
  datetime: `2026-03-0${index + 1}T06:14:00Z`,
  recordings: [{ filename: "a.wav", bytes: toBytes(900 + index) }],
}));

const verify = (out: string, seal?: string) =>
  verifyExport(toExportFolder(out), {
    seal,
    signal: new AbortController().signal,
    onFile: () => {},
  });

type Changeable = { -readonly [Key in keyof Report]: Report[Key] };

async function changeReport(out: string, change: (report: Changeable) => void): Promise<void> {
  const report = await readReport(out);
  change(report);
  await writeFile(join(out, "report.json"), `${JSON.stringify(report, undefined, 2)}\n`);
}

const toWritten = (file: string, text: string) => ({
  file,
  bytes: Buffer.byteLength(text),
  sha256: hash("sha256", text),
});

/** Other metadata, with all that says what is in it made to fit: only the count of the records is left as it was. */
async function forgeMetadata(out: string, file: string, change: (text: string) => string) {
  const text = change(await readFile(join(out, file), "utf8"));
  await writeFile(join(out, file), text);
  const metadata = toWritten(file, text);
  const entries = (await readManifest(out)).map((entry) =>
    entry.kind === "metadata" ? { ...entry, ...metadata } : entry,
  );
  const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
  await writeFile(join(out, "manifest.jsonl"), lines);
  await changeReport(out, (report) => {
    report.metadata = metadata;
    report.manifest = toWritten("manifest.jsonl", lines);
  });
}

test("every difference is found and named", async () => {
  const { out, exportCalls, runCommand, served } = await startExporting({ calls: CALLS });
  expect(await exportCalls(...MARCH)).toMatchObject({ code: 0 });
  // It needs no service.
  await served.close();
  expect(await verify(out)).toMatchObject({ files: 6, differences: [] });

  const at = (file: string) => join(out, file);
  const other = await readFile(at("recordings/2026-03-01/1000.wav"));
  other[7] = 99;
  await writeFile(at("recordings/2026-03-01/1000.wav"), other);
  await appendFile(at("recordings/2026-03-02/1001.wav"), "more");
  await rm(at("recordings/2026-03-03/1002.wav"));
  await rename(at("recordings/2026-03-04/1003.wav"), at("recordings/2026-03-04/mine.wav"));
  await rm(at("recordings/2026-03-05/1004.wav"));
  await symlink("/etc/hostname", at("recordings/2026-03-05/1004.wav"));
  const { code, stdout } = await runCommand("verify", out);
  expect(code).toBe(1);
  expect(stdout).toContain(
    `\nmend     move what is named above out of the folder; then call-media export --resume --out ${out} gets`,
  );
  expect(stdout.split("\n").slice(0, 7)).toEqual([
    "recordings/2026-03-05/1004.wav is missing",
    "recordings/2026-03-04/1003.wav is missing",
    "recordings/2026-03-04/mine.wav is not in the manifest",
    "recordings/2026-03-03/1002.wav is missing",
    "recordings/2026-03-02/1001.wav has 905 bytes, not 901",
    "recordings/2026-03-01/1000.wav has other bytes",
    expect.stringMatching(/^6 differences; 6 files/),
  ]);
});

test("a manifest that was changed is found, and no path of it is followed out of the folder", async () => {
  const { out, exportCalls } = await startExporting({ calls: CALLS });
  await exportCalls(...MARCH, "--files", "none");
  const line = { file: "recordings/2026-03-01/../../../secret", bytes: 1, sha256: "00" };
  await appendFile(join(out, "manifest.jsonl"), `${JSON.stringify(line)}\n`);
  expect((await verify(out)).differences).toEqual([
    { file: "manifest.jsonl", what: "line 2 is no entry of a manifest" },
    { file: "manifest.jsonl", what: "is not the one that report.json tells of" },
  ]);
});

const OTHER_FORM =
  "is not in the form that this version of call-media writes: it was changed, or another version wrote it, which can verify it; export --resume writes it anew";

test.each<[string, (report: Changeable) => void, readonly string[]]>([
  [
    "a count of files",
    (report) => (report.files = { ...report.files, checked: { sha256: 9, length: 0, nothing: 0 } }),
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
      "has another verdict than follows from the rest",
      "has other faults than follow from the rest",
    ],
  ],
  [
    "a search",
    (report) => (report.windows = report.windows.slice(1)),
    [
      "has searches with other files than manifest.jsonl has",
      "counts other records than its searches found",
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
    "the metadata",
    (report) => (report.metadata = { ...report.metadata, bytes: 1 }),
    ["tells of other metadata than manifest.jsonl"],
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

test("what was changed so that all of it fits is found by the seal, and said to be found by nothing else", async () => {
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
  expect(stdout).toContain("untold   whether files, manifest and report were changed together");
  const { differences } = await verify(out, seal);
  expect(differences).toEqual([
    { file: "report.json", what: "is not the one that the seal is of" },
  ]);
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

test("of a sentence of the report its numbers must fit, whatever its words", async () => {
  const profile = { streamDigest: false };
  const { out, exportCalls } = await startExporting({ calls: CALLS, profile });
  await exportCalls(...MARCH);
  const [sentence = ""] = (await readReport(out)).unproved;
  expect(sentence).toMatch(/^that 5 recordings are what the service has/);
  const change = (words: string) => changeReport(out, (report) => (report.unproved = [words]));
  await change("5 recordings: no SHA-256");
  expect((await verify(out)).differences).toEqual([]);
  await change(sentence.replace("5", "4"));
  expect((await verify(out)).differences).toEqual([
    {
      file: "report.json",
      what: "says otherwise what is not proved than follows from the rest",
    },
  ]);
});

test("one is told as one", async () => {
  const profile = { streamDigest: false, recordCount: "page" } as const;
  const { out, exportCalls } = await startExporting({ calls: CALLS.slice(0, 1), profile });
  const { stdout } = await exportCalls("--from", "2026-03-01", "--to", "2026-03-01");
  expect(stdout).toContain("(1 of 1 search); each was read");
  expect(stdout).toContain("that 1 recording is what the service has");
  await writeFile(join(out, "recordings/2026-03-01/1000.wav"), "x");
  expect((await verify(out)).differences).toEqual([
    { file: "recordings/2026-03-01/1000.wav", what: "has 1 byte, not 900" },
  ]);
});

test("a report of an earlier version is told from one that is gone or broken, and written anew", async () => {
  const { out, exportCalls } = await startExporting({ calls: CALLS });
  await exportCalls(...MARCH);
  await changeReport(out, (report) => Object.assign(report, { exportedBy: undefined }));
  const told = async () => (await verify(out)).differences.map(({ file, what }) => [file, what]);
  expect(await told()).toEqual([["report.json", OTHER_FORM]]);
  await writeFile(join(out, "report.json"), '{"verdict":');
  expect(await told()).toEqual([["report.json", "is damaged: it is no JSON"]]);
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
  // A byte that is no UTF-8 is read as U+FFFD as well.
  const forged = text.replace(Buffer.from("\ufffd").toString("latin1"), "\u00ff");
  await writeFile(join(out, "report.json"), forged, "latin1");
  expect((await verify(out, seal ?? "")).differences).toEqual([
    { file: "report.json", what: "is not the one that the seal is of" },
  ]);
});

test("the manifest is told from another one by its bytes as well", async () => {
  const calls = [{ ...CALLS[0], call_id: "a \ufffd" }];
  const { out, exportCalls } = await startExporting({ calls });
  await exportCalls(...MARCH);
  const file = join(out, "manifest.jsonl");
  const text = await readFile(file, "latin1");
  // The beginning of a character of four bytes: read as one U+FFFD, which has three bytes as well.
  const forged = text.replace(Buffer.from("\ufffd").toString("latin1"), "\u00f0\u009f\u0098");
  await writeFile(file, forged, "latin1");
  expect((await verify(out)).differences).toEqual([
    { file: "manifest.jsonl", what: "is not the one that report.json tells of" },
  ]);
});

test("what is named can be mended as is said, and an export that was handed on cannot", async () => {
  const { out, exportCalls, runCommand } = await startExporting({ calls: CALLS });
  await exportCalls(...MARCH);
  const { seal } = await verify(out);
  await writeFile(join(out, "recordings/2026-03-01/1000.wav"), toBytes(900, 2));
  await appendFile(join(out, "metadata.jsonl"), "{}\n");
  for (const { file } of (await verify(out)).differences) await rm(join(out, file));
  expect(await exportCalls("--resume")).toMatchObject({ code: 0 });
  expect(await verify(out, seal ?? "")).toMatchObject({ differences: [] });

  await rm(join(out, ".call-media"), { recursive: true });
  await rm(join(out, "metadata.jsonl"));
  expect((await runCommand("verify", out)).stdout).not.toContain("mend");
  for (const command of [["sync"], ["export", "--resume", "--out"]])
    expect(await runCommand(...command, out)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("has an export without .call-media in it, which --resume"),
    });
});

test("what somebody has put into the folder is named, wherever it is", async () => {
  const { out, exportCalls, runCommand } = await startExporting({ calls: CALLS });
  await exportCalls(...MARCH);
  const strangers = ["notes.txt", "recordings/.DS_Store", "recordings/2026-03-01/mine.wav"];
  for (const file of strangers) await writeFile(join(out, file), "");
  await mkdir(join(out, "transcripts/mine"), { recursive: true });
  await writeFile(join(out, "transcripts/mine/a.json"), "{}");
  const { differences } = await verify(out);
  expect(differences.map(({ file }) => file).toSorted()).toEqual(
    [...strangers, "transcripts/mine/a.json"].toSorted(),
  );
  for (const file of strangers) await rm(join(out, file));
  const { code, stdout } = await runCommand("verify", out);
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^transcripts\/mine\/a\.json is not in the manifest\n1 difference; 6 files/,
  );
});
