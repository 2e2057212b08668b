// `export --hand-over`: one zip with an export that proves itself, a page, a spreadsheet, and the sums of all of them.
import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { appendFile, mkdir, readdir, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { read, utils } from "@e965/xlsx";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { expect, test } from "vitest";
import { toShellWord } from "@call-media/terminal";
import {
  countDownloads,
  type FakeCall,
  MARCH,
  startExporting,
  toBytes,
} from "./support/exporting.ts";

const CALLS: readonly FakeCall[] = [
  {
    call_id: "1001",
    datetime: "2026-03-02T09:00:00+00:00",
    customer_last_name: "Quincy",
    recordings: [
      { filename: "a.wav", bytes: toBytes(900, 7) },
      { filename: "b.wav", bytes: toBytes(700, 3) },
    ],
  },
  { call_id: "1002", datetime: "2026-03-03T09:00:00+00:00", notes: "</script><b>" },
];
const CHAT = {
  call_id: "1001",
  label: "Agent",
  transcript: "Here is Quincy",
  datetime: "2026-03-02T09:00:05Z",
};

async function startHandingOver(calls: readonly FakeCall[] = CALLS) {
  const exporting = await startExporting({ calls, chats: [CHAT] });
  const folder = dirname(exporting.out);
  const file = join(folder, "march.zip");
  return {
    ...exporting,
    folder,
    file,
    handOver: (...args: string[]) =>
      exporting.runCommand("export", ...MARCH, ...args, "--hand-over", file),
  };
}

const readZip = async (file: string) => unzipSync(await readFile(file));

async function unpack(file: string, folder: string): Promise<string> {
  for (const [path, bytes] of Object.entries(await readZip(file))) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
  return join(folder, "export");
}

const toRows = (bytes: Uint8Array | undefined) => {
  const book = read(bytes, { type: "array" });
  return utils.sheet_to_json<Record<string, string>>(Object.values(book.Sheets)[0] ?? {});
};

test("the printed command verifies it, and its seal is the SHA-256 of the file", async () => {
  const { handOver, runCommand, file, folder } = await startHandingOver();
  const { code, stdout } = await handOver();
  expect(code).toBe(0);
  const seal = hash("sha256", await readFile(file));
  expect(stdout).toMatch(new RegExp(`next {5}call-media verify .* --seal ${seal}\n$`));
  const verified = await runCommand("verify", file, "--seal", seal);
  expect(verified).toMatchObject({ code: 0, stdout: expect.stringMatching(/^no differences;/) });
  expect(verified.stdout).not.toContain("unproved that its files");
  expect(await readdir(folder)).toEqual(["march.zip"]);
});

test.each(["export/metadata.jsonl", "export/manifest.jsonl", "index.html"])(
  "of %s, packed bytes that cannot be unpacked are a difference",
  async (path) => {
    const { handOver, runCommand, file } = await startHandingOver();
    expect(await handOver()).toMatchObject({ code: 0 });
    const bytes = await readFile(file);
    const seal = hash("sha256", bytes);
    const from = bytes.indexOf(path) + path.length + 8;
    await writeFile(file, bytes.fill(0xff, from, from + 40));
    const { code, stdout, stderr } = await runCommand("verify", file, "--seal", seal);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(stdout).toContain("has another SHA-256 than the seal");
    expect(stdout).toMatch(new RegExp(`${path} cannot be unpacked: `));
  },
);

test("an identifier is of the call that is written the same, in the same letter case", async () => {
  const like = (call_id: string, day: number): FakeCall => ({
    call_id,
    datetime: `2026-03-0${day}T09:00:00+00:00`,
  });
  const { handOver, file, folder } = await startHandingOver([like("aBc", 2), like("AbC", 3)]);
  await writeFile(join(folder, "ids.txt"), "aBc\n");
  expect(await handOver("--ids", join(folder, "ids.txt"))).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("1 of 1 call"),
  });
  const metadata = (await readZip(file))["export/metadata.jsonl"] ?? new Uint8Array();
  expect(strFromU8(metadata)).not.toContain("AbC");
});

test.each([
  "index.html",
  "calls.xlsx",
  "SHA256SUMS",
  "export/report.json",
  "export/recordings/2026-03-02/1001.wav",
])("one byte that was changed in %s is found", async (path) => {
  const { handOver, runCommand, file } = await startHandingOver();
  await handOver();
  const seal = hash("sha256", await readFile(file));
  const files = await readZip(file);
  const changed = Uint8Array.from(files[path] ?? []);
  changed[changed.length - 5] = (changed.at(-5) ?? 0) ^ 1;
  await writeFile(file, zipSync({ ...files, [path]: changed }));
  const found = await runCommand("verify", file, "--seal", seal);
  expect(found).toMatchObject({ code: 1 });
  expect(found.stdout).toMatch(/^march\.zip has another SHA-256 than the seal$/m);
  // Its sums are wrong without the seal, too.
  const { code, stdout } = await runCommand("verify", file);
  expect(code).toBe(1);
  expect(stdout).toContain(path);
});

test("a sentence that was changed in the page, with the sums, is found by the seal alone", async () => {
  const { handOver, runCommand, file } = await startHandingOver();
  await handOver();
  const seal = hash("sha256", await readFile(file));
  const files = await readZip(file);
  const page = strFromU8(files["index.html"] ?? new Uint8Array());
  const forged = page.replace("Here is Quincy", "Here is nobody");
  const sums = strFromU8(files["SHA256SUMS"] ?? new Uint8Array());
  files["SHA256SUMS"] = strToU8(sums.replace(hash("sha256", page), hash("sha256", forged)));
  files["index.html"] = strToU8(forged);
  await writeFile(file, zipSync(files));
  const unsealed = await runCommand("verify", file);
  expect(unsealed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^no differences;/) });
  expect(unsealed.stdout).toContain("unproved that its files were not changed together");
  expect(await runCommand("verify", file, "--seal", seal)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^march\.zip has another SHA-256 than the seal\n1 difference;/),
  });
});

test("another number of calls than the records have is found without the seal, too", async () => {
  const { handOver, runCommand, file } = await startHandingOver();
  expect((await handOver()).stdout).toContain(
    "found    2 of 2 calls, 2 of 2 recordings; 1 call has none in the archive",
  );
  const files = await readZip(file);
  const report = strFromU8(files["export/report.json"] ?? new Uint8Array());
  const forged = report.replace('"unrecorded": 1', '"unrecorded": 0');
  const sums = strFromU8(files["SHA256SUMS"] ?? new Uint8Array());
  files["SHA256SUMS"] = strToU8(sums.replace(hash("sha256", report), hash("sha256", forged)));
  files["export/report.json"] = strToU8(forged);
  await writeFile(file, zipSync(files));
  expect(await runCommand("verify", file)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      /^export\/report.json counts other calls than metadata.jsonl has/,
    ),
  });
});

test("verify rejects a zip with a duplicate file, a truncated zip, and a zip of something else", async () => {
  const { handOver, runCommand, file } = await startHandingOver();
  await handOver();
  const bytes = await readFile(file);
  // In the list at the end of the zip, the sheet gets the name of the page.
  const [from, to] = [Buffer.from("calls.xlsx"), Buffer.from("index.html")];
  bytes.set(to, bytes.lastIndexOf(from));
  await writeFile(file, bytes);
  expect(await runCommand("verify", file)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("index.html is in the zip more than once"),
  });
  await writeFile(file, bytes.subarray(0, -30));
  expect(await runCommand("verify", file)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("it is not a whole zip"),
  });
  await writeFile(file, zipSync({ "notes.txt": strToU8("hello") }));
  expect(await runCommand("verify", file)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("it is not a hand-over"),
  });
});

test("verify rejects a seal for an unpacked hand-over or its export, and asks for the zip", async () => {
  const { handOver, runCommand, file, folder } = await startHandingOver();
  await handOver();
  const seal = hash("sha256", await readFile(file));
  const unpacked = join(folder, "m");
  const inExport = await unpack(file, unpacked);
  for (const path of [unpacked, inExport])
    expect(await runCommand("verify", path, "--seal", seal)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^no differences;[^]*give the zip/),
    });
});

test("SHA256SUMS has every other file, with its digest", async () => {
  const { handOver, file } = await startHandingOver();
  await handOver();
  const { SHA256SUMS, ...files } = await readZip(file);
  const sums = Object.entries(files).map(([path, bytes]) => `${hash("sha256", bytes)}  ${path}\n`);
  expect(strFromU8(SHA256SUMS ?? new Uint8Array())).toBe(sums.join(""));
  expect(Object.keys(files)).toEqual(
    expect.arrayContaining(["index.html", "calls.xlsx", "export/report.json"]),
  );
});

test("every file of an unpacked hand-over is verified", async () => {
  const { handOver, runCommand, file, folder } = await startHandingOver();
  await handOver();
  const unpacked = join(folder, "m");
  await unpack(file, unpacked);
  const whole = await runCommand("verify", unpacked);
  expect(whole).toMatchObject({ code: 0, stdout: expect.stringContaining("; 6 files of ") });
  expect(whole.stdout).toContain(
    "unproved that its files were not changed together with SHA256SUMS",
  );

  await writeFile(join(unpacked, "index.html"), "another page");
  await rm(join(unpacked, "calls.xlsx"));
  await writeFile(join(unpacked, "notes.txt"), "");
  await appendFile(join(unpacked, "export/recordings/2026-03-02/1001.wav"), "more");
  const outside = "0".repeat(64);
  await appendFile(join(unpacked, "SHA256SUMS"), `${outside}  ../march.zip\n`);
  const { code, stdout } = await runCommand("verify", unpacked);
  expect(code).toBe(1);
  expect(stdout.split("\n").slice(0, 6)).toEqual([
    "export/recordings/2026-03-02/1001.wav has 904 bytes, not 900",
    "calls.xlsx is missing",
    "index.html has other bytes",
    expect.stringMatching(/^SHA256SUMS line \d+ is not the check sum of a file of the hand-over$/),
    "notes.txt is not in SHA256SUMS",
    expect.stringMatching(/^5 differences; /),
  ]);
});

test("rows of the spreadsheet name their files", async () => {
  const { handOver, file } = await startHandingOver();
  await handOver();
  const files = await readZip(file);
  const rows = toRows(files["calls.xlsx"]);
  const named = Object.fromEntries(rows.map(({ call_id, files: paths }) => [call_id, paths]));
  expect(named["1001"]?.split(/\r?\n/)).toEqual([
    "export/recordings/2026-03-02/1001.wav",
    "export/recordings/2026-03-02/1001-2.wav",
    "export/transcripts/2026-03-02/1001.json",
  ]);
  expect(named["1002"]).toBeUndefined();
  for (const path of named["1001"]?.split(/\r?\n/) ?? []) expect(files).toHaveProperty([path]);
});

test("the page has the calls in it, and nothing of a call ends its data", async () => {
  const { handOver, file } = await startHandingOver();
  await handOver();
  const page = strFromU8((await readZip(file))["index.html"] ?? new Uint8Array());
  const [, data = ""] =
    /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page) ?? [];
  expect(JSON.parse(data)).toMatchObject({
    about: { verdict: "complete", from: "2026-03-01" },
    calls: expect.arrayContaining([
      expect.objectContaining({ messages: [expect.objectContaining(CHAT)] }),
      expect.objectContaining({ record: expect.objectContaining({ notes: "</script><b>" }) }),
    ]),
  });
});

test("no file of it has a masked value", async () => {
  const { handOver, file } = await startHandingOver();
  const redacted = ["--redact", "customer_last_name", "--files", "transcripts"];
  expect(await handOver(...redacted)).toMatchObject({ code: 0 });
  const files = await readZip(file);
  for (const [path, bytes] of Object.entries(files))
    expect(`${path} ${strFromU8(bytes)}`).not.toMatch(/quincy/i);
  const values = toRows(files["calls.xlsx"]).map(({ customer_last_name }) => customer_last_name);
  expect(values).toContain("[redacted]");
  expect(JSON.stringify(toRows(files["calls.xlsx"]))).not.toMatch(/quincy/i);
});

test("a missing file leaves the hand-over incomplete, and --resume continues it", async () => {
  const lost: FakeCall = {
    call_id: null,
    ref_id: null,
    datetime: "2026-03-02T09:00:00+00:00",
    recordings: [{ filename: "a.wav", bytes: toBytes(9) }],
  };
  const { handOver, runCommand, file } = await startHandingOver([lost]);
  const { code, stdout } = await handOver();
  expect(code).toBe(3);
  expect(stdout).toContain(`call-media export --resume --hand-over ${toShellWord(file)}`);
  expect(existsSync(`${file}.export`)).toBe(true);
  const first = await readFile(file);
  const again = await runCommand("export", "--resume", "--hand-over", file);
  expect(again).toMatchObject({ code: 3, stdout: expect.stringContaining(hash("sha256", first)) });
  // The seal that somebody was given stays valid, since nothing has changed.
  expect(first.equals(await readFile(file))).toBe(true);
});

test("--resume writes a hand-over again whose file has come", async () => {
  const { handOver, runCommand, file, service } = await startHandingOver();
  const operation = ["streamRecordingByCallId", "getRecordingByCallId"] as const;
  const stop = service.inject({ kind: "status", status: 403, operation, times: Infinity });
  expect(await handOver()).toMatchObject({ code: 3 });
  const first = await readFile(file);
  stop();
  expect(await runCommand("export", "--resume", "--hand-over", file)).toMatchObject({ code: 0 });
  expect(first.equals(await readFile(file))).toBe(false);
  expect(Object.keys(await readZip(file)).filter((name) => name.endsWith(".wav"))).toHaveLength(2);
});

test("a hand-over that could not be written leaves the export, and --resume packs it", async () => {
  const { handOver, runCommand, file, folder, service } = await startHandingOver();
  await mkdir(`${file}.part`); // in the place of what is written first
  const { code, stderr } = await handOver();
  expect(code).toBe(1);
  expect(stderr).toContain(
    `continue with call-media export --resume --hand-over ${toShellWord(file)}`,
  );
  expect(existsSync(file)).toBe(false);
  await rmdir(`${file}.part`);
  const before = countDownloads(service);
  expect(await runCommand("export", "--resume", "--hand-over", file)).toMatchObject({ code: 0 });
  expect(countDownloads(service)).toBe(before);
  expect(await readdir(folder)).toEqual(["march.zip"]);
});

test("no call makes no hand-over", async () => {
  const { runCommand, file, folder } = await startHandingOver();
  const days = ["--from", "2025-01-01", "--to", "2025-01-02"];
  expect(await runCommand("export", ...days, "--hand-over", file)).toMatchObject({ code: 4 });
  expect(await readdir(folder)).toEqual([]);
});

test("an existing file is not overwritten, and conflicting options are rejected", async () => {
  const { handOver, runCommand, file, out } = await startHandingOver();
  await writeFile(file, "given");
  expect(await handOver()).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("is there already: name another file"),
  });
  expect(await readFile(file, "utf8")).toBe("given");
  expect(await handOver("--out", out)).toMatchObject({
    stderr: expect.stringContaining("cannot be used with"),
  });
  expect(await runCommand("export", ...MARCH)).toMatchObject({
    stderr: expect.stringContaining("--out FOLDER, or --hand-over FILE.zip"),
  });
});
