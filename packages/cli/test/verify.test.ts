// Whether an export is still what it was: every kind of difference, and nothing read outside of the folder.
import { appendFile, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verifyExport } from "../src/export/verify.ts";
import { toExportFolder } from "../src/export/files.ts";
import { type FakeCall, MARCH, startExporting, toBytes } from "./support/exporting.ts";

const CALLS: readonly FakeCall[] = Array.from({ length: 5 }, (_, index) => ({
  call_id: String(1000 + index),
  datetime: `2026-03-0${index + 1}T06:14:00Z`,
  recordings: [{ filename: "a.wav", bytes: toBytes(900 + index) }],
}));

const verify = (out: string) =>
  verifyExport(toExportFolder(out), { signal: new AbortController().signal, onFile: () => {} });

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
  expect(stdout.trimEnd().split("\n")).toEqual([
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
