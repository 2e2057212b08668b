// `export --bundle`: one zip with an export that proves itself, a page, a spreadsheet, and the sums of all of them.
import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { appendFile, mkdir, readdir, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { read, utils } from "@e965/xlsx";
import { strFromU8, unzipSync } from "fflate";
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

async function startBundling(calls: readonly FakeCall[] = CALLS) {
  const exporting = await startExporting({ calls, chats: [CHAT] });
  const folder = dirname(exporting.out);
  const file = join(folder, "march.zip");
  return {
    ...exporting,
    folder,
    file,
    bundleCalls: (...args: string[]) =>
      exporting.runCommand("export", ...MARCH, ...args, "--bundle", file),
  };
}

const readBundle = async (file: string) => unzipSync(await readFile(file));

async function unpack(file: string, folder: string): Promise<string> {
  for (const [path, bytes] of Object.entries(await readBundle(file))) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
  return join(folder, "export");
}

const toRows = (bytes: Uint8Array | undefined) => {
  const book = read(bytes, { type: "array" });
  return utils.sheet_to_json<Record<string, string>>(Object.values(book.Sheets)[0] ?? {});
};

test("the export in it verifies, by the command that is told", async () => {
  const { bundleCalls, runCommand, file, folder } = await startBundling();
  const { code, stdout } = await bundleCalls();
  expect(code).toBe(0);
  const seal = /--seal ([\da-f]{64})\n$/.exec(stdout)?.[1] ?? "";
  expect(stdout).toContain("unzip ");
  await unpack(file, join(folder, "m"));
  const verified = await runCommand("verify", join(folder, "m"), "--seal", seal);
  expect(verified).toMatchObject({ code: 0 });
  expect(stdout).toContain("&& call-media verify");
  expect(await readdir(folder)).toEqual(["m", "march.zip"]);
});

test("a sentence that was changed in the page, with the sums, is found by the seal alone", async () => {
  const { bundleCalls, runCommand, file, folder } = await startBundling();
  const { stdout } = await bundleCalls("--json");
  const { bundle, report } = JSON.parse(stdout) as Record<
    "bundle" | "report",
    { seal: string; sha256: string }
  >;
  const unpacked = join(folder, "m");
  const inExport = await unpack(file, unpacked);
  const check = (path: string, seal: string) => runCommand("verify", path, "--seal", seal);
  expect(await check(unpacked, bundle.seal)).toMatchObject({ code: 0 });
  // Its export is verified with all that came with it.
  expect(await check(inExport, bundle.seal)).toMatchObject({ code: 0 });
  // As older versions printed it: of the report, which does not have page and spreadsheet.
  const partly = await check(unpacked, report.sha256);
  expect(partly).toMatchObject({ code: 1, stdout: expect.stringMatching(/^no differences;/) });
  expect(partly.stdout).toContain("unproved that the files next to export/ were not changed");

  const page = await readFile(join(unpacked, "index.html"), "utf8");
  const forged = page.replace("Here is Quincy", "Here is nobody");
  await writeFile(join(unpacked, "index.html"), forged);
  const sums = await readFile(join(unpacked, "SHA256SUMS"), "utf8");
  await writeFile(
    join(unpacked, "SHA256SUMS"),
    sums.replace(hash("sha256", page), hash("sha256", forged)),
  );
  expect(await runCommand("verify", unpacked)).toMatchObject({ code: 0 });
  for (const path of [unpacked, inExport]) {
    const found = await check(path, bundle.seal);
    expect(found).toMatchObject({ code: 1 });
    expect(found.stdout).toMatch(/^SHA256SUMS has another SHA-256 than the seal\n1 difference;/);
  }
  expect(await check(unpacked, report.sha256)).toMatchObject({ code: 1 });
});

test("SHA256SUMS has every other file, with its digest", async () => {
  const { bundleCalls, file } = await startBundling();
  await bundleCalls();
  const { SHA256SUMS, ...files } = await readBundle(file);
  const sums = Object.entries(files).map(([path, bytes]) => `${hash("sha256", bytes)}  ${path}\n`);
  expect(strFromU8(SHA256SUMS ?? new Uint8Array())).toBe(sums.join(""));
  expect(Object.keys(files)).toEqual(
    expect.arrayContaining(["index.html", "calls.xlsx", "export/report.json"]),
  );
});

test("every file of an unpacked bundle is verified", async () => {
  const { bundleCalls, runCommand, file, folder } = await startBundling();
  await bundleCalls();
  const unpacked = join(folder, "m");
  await unpack(file, unpacked);
  const whole = await runCommand("verify", unpacked);
  expect(whole).toMatchObject({ code: 0, stdout: expect.stringContaining("; 6 files of ") });
  expect(whole.stdout).toContain("unproved that the files next to export/ were not changed");

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
    expect.stringMatching(/^SHA256SUMS line \d+ is not the check sum of a file of the bundle$/),
    "notes.txt is not in SHA256SUMS",
    expect.stringMatching(/^5 differences; /),
  ]);
});

test("rows of the spreadsheet name their files", async () => {
  const { bundleCalls, file } = await startBundling();
  await bundleCalls();
  const files = await readBundle(file);
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
  const { bundleCalls, file } = await startBundling();
  await bundleCalls();
  const page = strFromU8((await readBundle(file))["index.html"] ?? new Uint8Array());
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

test("what is masked is nowhere in it", async () => {
  const { bundleCalls, file } = await startBundling();
  const redacted = ["--redact", "customer_last_name", "--files", "transcripts"];
  expect(await bundleCalls(...redacted)).toMatchObject({ code: 0 });
  const files = await readBundle(file);
  for (const [path, bytes] of Object.entries(files))
    expect(`${path} ${strFromU8(bytes)}`).not.toMatch(/quincy/i);
  const values = toRows(files["calls.xlsx"]).map(({ customer_last_name }) => customer_last_name);
  expect(values).toContain("[redacted]");
  expect(JSON.stringify(toRows(files["calls.xlsx"]))).not.toMatch(/quincy/i);
});

test("a file that could not be had is named, and --resume goes on", async () => {
  const lost: FakeCall = {
    call_id: null,
    ref_id: null,
    datetime: "2026-03-02T09:00:00+00:00",
    recordings: [{ filename: "a.wav", bytes: toBytes(9) }],
  };
  const { bundleCalls, runCommand, file } = await startBundling([lost]);
  const { code, stdout } = await bundleCalls();
  expect(code).toBe(3);
  expect(stdout).toContain(`call-media export --resume --bundle ${toShellWord(file)}`);
  expect(existsSync(`${file}.export`)).toBe(true);
  expect(await runCommand("export", "--resume", "--bundle", file)).toMatchObject({ code: 3 });
  expect(Object.keys(await readBundle(file))).toContain("export/report.json");
});

test("a bundle that could not be written leaves the export, and --resume packs it", async () => {
  const { bundleCalls, runCommand, file, folder, service } = await startBundling();
  await mkdir(`${file}.part`); // in the place of what is written first
  const { code, stderr } = await bundleCalls();
  expect(code).toBe(1);
  expect(stderr).toContain(
    `continue with call-media export --resume --bundle ${toShellWord(file)}`,
  );
  expect(existsSync(file)).toBe(false);
  await rmdir(`${file}.part`);
  const before = countDownloads(service);
  expect(await runCommand("export", "--resume", "--bundle", file)).toMatchObject({ code: 0 });
  expect(countDownloads(service)).toBe(before);
  expect(await readdir(folder)).toEqual(["march.zip"]);
});

test("no call makes no bundle", async () => {
  const { runCommand, file, folder } = await startBundling();
  const days = ["--from", "2025-01-01", "--to", "2025-01-02"];
  expect(await runCommand("export", ...days, "--bundle", file)).toMatchObject({ code: 4 });
  expect(await readdir(folder)).toEqual([]);
});

test("what is there is not overwritten, and options that exclude each other are refused", async () => {
  const { bundleCalls, runCommand, file, out } = await startBundling();
  await writeFile(file, "given");
  expect(await bundleCalls()).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("is there already: name another file"),
  });
  expect(await readFile(file, "utf8")).toBe("given");
  expect(await bundleCalls("--out", out)).toMatchObject({
    stderr: expect.stringContaining("cannot be used with"),
  });
  expect(await runCommand("export", ...MARCH)).toMatchObject({
    stderr: expect.stringContaining("--out FOLDER, or --bundle FILE.zip"),
  });
});
