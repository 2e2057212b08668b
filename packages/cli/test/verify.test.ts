// Whether the files of an export are still what they were: every kind of difference, and nothing read outside of the folder.
import { existsSync } from "node:fs";
import {
  appendFile,
  chmod,
  mkdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { AS_ANYBODY, canBeAnybody } from "@call-media/test-setup/as-anybody";
import { expect, test } from "vitest";
import { toShellWord } from "@call-media/terminal";
import { MARCH, readManifest, readTree, startExporting, toBytes } from "./support/exporting.ts";
import { run } from "./support/program.ts";
import { CALLS, forgeMetadata, verify } from "./support/verifying.ts";

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
    `\nrepair   call-media verify --repair ${toShellWord(out)} fetches them again`,
  );
  expect(stdout.split("\n").slice(0, 7)).toEqual([
    "recordings/2026-03-05/1004.wav is missing",
    "recordings/2026-03-04/1003.wav is missing",
    "recordings/2026-03-03/1002.wav is missing",
    "recordings/2026-03-02/1001.wav has 905 bytes, not 901",
    "recordings/2026-03-01/1000.wav has other bytes",
    "recordings/2026-03-04/mine.wav is not in the manifest",
    expect.stringMatching(/^6 differences; 6 files/),
  ]);
});

test("long numbers are written alike", async () => {
  const bytes = toBytes(1234);
  const calls = CALLS.map((call) => ({ ...call, recordings: [{ filename: "a.wav", bytes }] }));
  const { out, exportCalls } = await startExporting({ calls });
  await exportCalls(...MARCH);
  await appendFile(join(out, "recordings/2026-03-01/1000.wav"), "more");
  expect((await verify(out)).differences).toEqual([
    { file: "recordings/2026-03-01/1000.wav", what: "has 1,238 bytes, not 1,234" },
  ]);
  await forgeMetadata(out, "metadata.jsonl", (text) => text.repeat(200));
  expect((await verify(out)).differences).toContainEqual({
    file: "report.json",
    what: "counts 5 records, and the metadata has 1,000",
  });
});

test("a manifest that was changed is found, and no path of it is followed out of the folder", async () => {
  const { out, exportCalls } = await startExporting({ calls: CALLS });
  await exportCalls(...MARCH, "--files", "none");
  const line = { file: "recordings/2026-03-01/../../../secret", bytes: 1, sha256: "00" };
  await appendFile(join(out, "manifest.jsonl"), `${JSON.stringify(line)}\n`);
  expect((await verify(out)).differences).toEqual([
    { file: "manifest.jsonl", what: "line 2 is not an entry of a manifest" },
    {
      file: "manifest.jsonl",
      what: "does not match its SHA-256 in report.json: one of the two was changed",
    },
  ]);
});

test("messages about one search, recording or byte use the singular", async () => {
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

test("verify compares the bytes of the manifest, not only its text", async () => {
  const calls = [{ ...CALLS[0], call_id: "a \ufffd" }];
  const { out, exportCalls } = await startExporting({ calls });
  await exportCalls(...MARCH);
  const file = join(out, "manifest.jsonl");
  const text = await readFile(file, "latin1");
  // The beginning of a character of four bytes: read as one U+FFFD, which has three bytes as well.
  const forged = text.replace(Buffer.from("\ufffd").toString("latin1"), "\u00f0\u009f\u0098");
  await writeFile(file, forged, "latin1");
  expect((await verify(out)).differences).toEqual([
    {
      file: "manifest.jsonl",
      what: "does not match its SHA-256 in report.json: one of the two was changed",
    },
  ]);
});

test("named differences can be repaired by the printed command, except in a copy that was handed on", async () => {
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
  expect((await runCommand("verify", out)).stdout).not.toContain("repair");
  for (const command of [["sync"], ["export", "--resume", "--out"]])
    expect(await runCommand(...command, out)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("has an export without .call-media in it, which --resume"),
    });
});

test("a foreign file is named, wherever it is in the folder", async () => {
  const { out, exportCalls, runCommand } = await startExporting({ calls: CALLS });
  await exportCalls(...MARCH);
  const strangers = ["notes.txt", "recordings/.DS_Store", "recordings/2026-03-01/mine.wav"];
  for (const file of strangers) await writeFile(join(out, file), "");
  await mkdir(join(out, "transcripts/mine"), { recursive: true });
  await writeFile(join(out, "transcripts/mine/a.json"), "{}");
  const { differences, ignored } = await verify(out);
  // What a system leaves there is none of it.
  const litter = "recordings/.DS_Store";
  expect(ignored).toEqual([litter]);
  expect(differences.map(({ file }) => file).toSorted()).toEqual(
    [...strangers.filter((file) => file !== litter), "transcripts/mine/a.json"].toSorted(),
  );
  for (const file of strangers) await rm(join(out, file));
  const { code, stdout } = await runCommand("verify", out);
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^transcripts\/mine\/a\.json is not in the manifest\n1 difference; 6 files/,
  );
});

test("a folder of the export that is a link is named, whatever it leads to", async () => {
  const { out, exportCalls, runCommand } = await startExporting({ calls: CALLS });
  await exportCalls(...MARCH);
  await rename(join(out, "recordings"), join(dirname(out), "elsewhere"));
  await symlink(join(dirname(out), "elsewhere"), join(out, "recordings"));
  const linked = { file: "recordings", what: "is a link or a file, not a folder" };
  expect((await verify(out)).differences).toEqual([linked]);
  await rm(join(out, "recordings"));
  expect(await exportCalls("--resume")).toMatchObject({ code: 0 });
  expect(await runCommand("verify", out)).toMatchObject({ code: 0 });
});

test.runIf(canBeAnybody)("an unreadable file is named, and the rest is read", async () => {
  const { out, exportCalls } = await startExporting({ calls: CALLS });
  await exportCalls(...MARCH);
  await writeFile(join(out, "recordings/2026-03-01/1000.wav"), "x");
  const closed = ["recordings/2026-03-05/1004.wav", "recordings/2026-03-03", "report.json"];
  for (const file of closed) await chmod(join(out, file), 0o000);
  const { code, stdout } = await run(["verify", out], {}, { before: AS_ANYBODY });
  for (const file of closed) await chmod(join(out, file), 0o700);
  expect(code).toBe(1);
  expect(stdout.split("\n").slice(0, 6)).toEqual([
    "recordings/2026-03-05/1004.wav cannot be read: EACCES: permission denied",
    "recordings/2026-03-03/1002.wav cannot be read: EACCES: permission denied",
    "recordings/2026-03-01/1000.wav has 1 byte, not 900",
    "recordings/2026-03-03 cannot be read: EACCES: permission denied",
    "report.json cannot be read: EACCES: permission denied",
    expect.stringMatching(/^5 differences; 6 files/),
  ]);
});

test("a file of the operating system is named, and stops neither an export nor its proof", async () => {
  const { out, exportCalls, runCommand } = await startExporting({ calls: CALLS });
  await mkdir(out);
  await writeFile(join(out, ".DS_Store"), "x");
  expect(await exportCalls(...MARCH)).toMatchObject({ code: 0 });
  await writeFile(join(out, "recordings", "._x"), "x");
  const { code, stdout } = await runCommand("verify", out);
  expect(code).toBe(0);
  expect(stdout).toContain("ignored  .DS_Store is not part of the export");
  expect(stdout).toContain("ignored  recordings/._x is not part");
});

test("--repair moves aside what differs and fetches it again", async () => {
  const { out, exportCalls, runCommand, served } = await startExporting({ calls: CALLS });
  await exportCalls(...MARCH);
  const before = await readTree(out);
  const [first, second] = (await readManifest(out)).flatMap(({ kind, file }) =>
    kind === "recording" && file !== null ? [file] : [],
  );
  if (first === undefined || second === undefined) throw new Error("too few recordings");
  const bytes = await readFile(join(out, first));
  await writeFile(
    join(out, first),
    bytes.map((byte) => byte ^ 1),
  );
  await rm(join(out, second));
  await writeFile(join(out, "mine.txt"), "mine");
  expect((await runCommand("verify", out)).stdout).toContain(
    `verify --repair ${toShellWord(out)} fetches`,
  );
  const { code, stdout, stderr } = await runCommand("verify", "--repair", out);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining(`${first} has other bytes\n`),
  });
  expect(stderr).toContain(`moved what differs to ${out}.aside\n`);
  expect(stdout).toContain("no differences");
  expect(await readTree(out)).toEqual(before);
  expect(await readFile(join(`${out}.aside`, "mine.txt"), "utf8")).toBe("mine");
  expect(existsSync(join(`${out}.aside`, first))).toBe(true);

  const other = await runCommand("verify", "--repair", out, "--base-url", "http://127.0.0.1:1");
  expect(other).toMatchObject({ code: 0 }); // nothing to mend
  await rm(join(out, second));
  await served.close();
  const failed = await runCommand("verify", "--repair", out, "--quiet");
  expect(failed).toMatchObject({ code: 1, stdout: "" });
  await rm(join(out, ".call-media"), { recursive: true });
  expect(await runCommand("verify", "--repair", out)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("has no .call-media, which only the folder has"),
  });
});
