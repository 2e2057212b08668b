// An export from beginning to end: what is in its folder, what it proves, and what it refuses.
import { existsSync } from "node:fs";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { read, utils } from "@e965/xlsx";
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { toShellWord } from "@call-media/terminal";
import {
  countDownloads,
  type FakeCall,
  MARCH,
  readManifest,
  readMetadata,
  readReport,
  readTree,
  startExporting,
  toBytes,
} from "./support/exporting.ts";
import { toCountedWav } from "./support/sounds.ts";

const CALLS: readonly FakeCall[] = Array.from({ length: 120 }, (_, index) => ({
  call_id: String(1000 + index),
  ref_id: `ref-${index}`,
  datetime: `2026-03-${String((index % 28) + 1).padStart(2, "0")}T06:14:00+01:00`,
  agent: index % 3 === 0 ? "ana.kovac" : "mia.berg",
  talk_time: index * 10,
  transcript: index % 20 === 0 ? "Hello" : null,
  recordings:
    index % 10 === 0
      ? [
          { filename: `a${index}.WAV`, bytes: toBytes(500 + index, index + 1) },
          { filename: "second.mp3", bytes: toBytes(700, index + 2) },
        ].slice(0, 1 + (index % 20) / 10)
      : [],
}));
/** Each recording of them takes one request. */
const SINGLE = CALLS.map((call) => ({ ...call, recordings: call.recordings?.slice(0, 1) ?? [] }));
const CHATS = [
  { call_id: "1003", transcript: "Hi", datetime: "2026-03-04T06:00:00Z", party_type: "Customer" },
];

/** Values of which spreadsheets like to make something else. */
const TRAPS: readonly FakeCall[] = [
  {
    call_id: "00123456789012345678",
    datetime: "2026-03-05T10:00:01",
    talk_time: 61,
    zip: "01234",
    skill_id: "12E3",
    custom_field_5: "@SUM(A1)",
  },
  { call_id: "300000000100170", datetime: "2026-03-31T16:56:53+00:00", talk_time: 62 },
];

test("every record, recording and transcript is there, in the order of the search, and is verified", async () => {
  const { out, exportCalls, runCommand } = await startExporting({ calls: CALLS, chats: CHATS });
  const { code, stdout } = await exportCalls(...MARCH);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^complete:/) });

  const found = await runCommand("search", ...MARCH, "--format", "jsonl");
  expect(await readFile(join(out, "metadata.jsonl"), "utf8")).toBe(found.stdout);
  const manifest = await readManifest(out);
  expect(manifest.map(({ kind }) => kind).filter((kind) => kind === "recording")).toHaveLength(18);
  expect(manifest.find(({ call_id, part }) => call_id === "1010" && part === 2)).toMatchObject({
    ref_id: "ref-10",
    file: "recordings/2026-03-11/1010-2.mp3",
    bytes: 700,
    sha256: expect.stringMatching(/^[\da-f]{64}$/),
    content_type: "application/octet-stream",
    verified: "digest",
    status: "complete",
    attempts: 1,
    error: null,
  });
  const file = await readFile(join(out, "recordings/2026-03-11/1010.wav"));
  expect(new Uint8Array(file)).toEqual(toBytes(510, 11));
  expect(JSON.parse(await readFile(join(out, "transcripts/2026-03-04/1003.json"), "utf8"))).toEqual(
    {
      call_id: "1003",
      datetime: "2026-03-04T06:14:00+01:00",
      spoken: [],
      messages: [expect.objectContaining({ transcript: "Hi" })],
    },
  );
  expect(await readReport(out)).toMatchObject({
    verdict: "complete",
    unproved: [expect.stringMatching(/^that 18 recordings have sound/)],
    records: { announced: 120, came: 120, written: 120, gone: 0 },
    files: { expected: 25, complete: 25, verified: { digest: 18, length: 0, nothing: 0 } },
  });
  expect((await stat(join(out, "metadata.jsonl"))).mode & 0o777).toBe(0o600);
  expect(await runCommand("verify", out)).toMatchObject({ code: 0 });
});

test("the manifest has the measurements of a recording, and the report its faults", async () => {
  const silent = toCountedWav(3).fill(0, 44);
  const recordings = [
    { filename: "one.wav", bytes: toCountedWav(3) },
    { filename: "two.wav", bytes: silent },
  ];
  const calls = [{ call_id: "1", datetime: "2026-03-02T06:14:00Z", recordings }];
  const { out, exportCalls, runCommand } = await startExporting({ calls });
  expect(await exportCalls(...MARCH)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("sound    1 silent from beginning to end: named in manifest"),
  });
  const [one, two] = await readManifest(out);
  expect(one).toMatchObject({ sound: { duration_ms: 3_000, codec: "pcm", findings: [] } });
  expect(two).toMatchObject({ sound: { duration_ms: 3_000, findings: [{ kind: "silent" }] } });
  expect(await readReport(out)).toMatchObject({ files: { findings: { silent: 1 } } });
  expect(await runCommand("verify", out)).toMatchObject({ code: 0 });
});

test("each record of a transfer has its transcript, the first of them the chat", async () => {
  const leg = { call_id: "1003", datetime: "2026-03-04T06:00:00Z" };
  const calls = ["One", "Two"].map((transcript) => ({ ...leg, ref_id: transcript, transcript }));
  const { out, exportCalls } = await startExporting({ calls, chats: CHATS });
  expect(await exportCalls(...MARCH)).toMatchObject({ code: 0 });
  const texts = ["1003", "1003~2"].map((name) =>
    readFile(join(out, `transcripts/2026-03-04/${name}.json`), "utf8"),
  );
  expect((await Promise.all(texts)).map((text) => JSON.parse(text) as unknown)).toMatchObject([
    { spoken: [expect.any(String)], messages: [{ transcript: "Hi" }] },
    { spoken: [expect.any(String)], messages: [] },
  ]);
});

test.each(["jsonl", "csv"])(
  "texts with line separators, and texts that look like JSON, are exported unchanged as %s",
  async (format) => {
    const odd = '","record":{"}}\u2028\u2029\r\n\\ {"listed":{}}';
    const calls = CALLS.slice(0, 30).map((call) => ({ ...call, agent: odd }));
    const { out, exportCalls, runCommand } = await startExporting({ calls });
    expect(await exportCalls(...MARCH, "--format", format)).toMatchObject({ code: 0 });
    const found = await runCommand("search", ...MARCH, "--format", format);
    const written = await readFile(join(out, `metadata.${format}`), "utf8");
    expect(written).toBe(found.stdout);
    expect(written).toContain(odd.slice(-3));
    expect((await readReport(out)).files.complete).toBe(6);
  },
);

test("CSV has a header, and a condition counts what it leaves out", async () => {
  const { out, exportCalls } = await startExporting({ calls: CALLS });
  const args = ["--format", "csv", "--files", "none", "--where", "talk_time >= 600"];
  expect(await exportCalls(...MARCH, ...args, "--agent", "ana.kovac")).toMatchObject({ code: 0 });
  const csv = await readFile(join(out, "metadata.csv"), "utf8");
  expect(csv.startsWith("datetime,ani,")).toBe(true);
  expect(parse(csv, { columns: true })).toHaveLength(20);
  const { records, files } = await readReport(out);
  expect(records).toMatchObject({ came: 40, excluded: 20, written: 20 });
  expect(files.expected).toBe(0);
});

test("a spreadsheet has every record unchanged, and can be verified, resumed and synced", async () => {
  const { out, exportCalls, runCommand } = await startExporting({ calls: TRAPS });
  const args = ["--format", "xlsx", "--files", "none"];
  expect(await exportCalls(...MARCH, ...args)).toMatchObject({ code: 0, stderr: "" });
  const bytes = await readFile(join(out, "metadata.xlsx"));
  const rows = utils.sheet_to_json<Record<string, unknown>>(read(bytes).Sheets["Calls"] ?? {});
  expect(rows.map(({ call_id }) => call_id)).toEqual(["300000000100170", "00123456789012345678"]);
  // The service announces the time zone of the archive (D34).
  expect(rows[1]).toMatchObject({
    datetime: "2026-03-05T10:00:01",
    "Date (UTC)": Date.UTC(2026, 2, 5, 10, 0, 1) / 86_400_000 + 25_569,
    talk_time: 61,
    zip: "01234",
    custom_field_5: "@SUM(A1)",
  });
  const [metadata] = (await readManifest(out)).toReversed();
  expect(metadata).toMatchObject({ file: "metadata.xlsx", bytes: bytes.length });
  expect(await runCommand("verify", out)).toMatchObject({ code: 0 });
  expect(await exportCalls("--resume")).toMatchObject({ code: 0 });
  expect(await runCommand("sync", out, "--to", "2026-04-01")).toMatchObject({ code: 0 });
  expect((await readFile(join(out, "metadata.xlsx"))).equals(bytes)).toBe(true);
  expect(await runCommand("verify", out)).toMatchObject({ code: 0 });
});

test("a text that is too long for a cell is cut, and it is said which", async () => {
  const calls = [{ ...TRAPS[0], transcript: "x".repeat(40_000) }];
  const { exportCalls } = await startExporting({ calls });
  const { code, stderr } = await exportCalls(...MARCH, "--format", "xlsx", "--files", "none");
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr:
      "Warning: metadata.xlsx: 1 text was cut to the 32,767 characters that a cell holds, the first is transcript of call 00123456789012345678: --format jsonl has them whole\n",
  });
});

test.each(["\n", "\r", "\r\n", "\n=1+1\n"])(
  "CSV keeps a value with %j in it in its row, and the export can be verified",
  async (end) => {
    const notes = [`called back${end}agreed`, end];
    const calls = notes.map((text, index) => ({
      call_id: String(index),
      datetime: "2026-03-01T06:14:00Z",
      notes: text,
    }));
    const { out, exportCalls, runCommand } = await startExporting({ calls });
    const args = ["--format", "csv", "--files", "none"];
    expect(await exportCalls(...MARCH, ...args)).toMatchObject({ code: 0 });
    const csv = await readFile(join(out, "metadata.csv"), "utf8");
    const rows = parse<{ notes: string }>(csv, { columns: true, record_delimiter: "\r\n" });
    // What begins with a carriage return might begin a formula (OWASP), and has an apostrophe before it.
    const kept = rows.map((row) => row.notes.replace(/^'(?=\r)/, ""));
    expect(kept.toSorted()).toEqual(notes.toSorted());
    expect(await runCommand("verify", out)).toMatchObject({ code: 0 });
  },
);

test("names are filled from the record, and equal ones told apart", async () => {
  const { out, exportCalls } = await startExporting({ calls: CALLS });
  const name = "{agent} {date} {campaign}";
  expect(await exportCalls(...MARCH, "--files", "recordings", "--name", name)).toMatchObject({
    code: 0,
  });
  const files = Object.keys(await readTree(out)).filter((file) => file.startsWith("rec"));
  // 0 and 84 are of one day; only the first has a recording, 0; 20 has one part, 10 has two.
  expect(files).toContain("recordings/2026-03-01/ana.kovac 2026-03-01 none.wav");
  expect(files).toContain("recordings/2026-03-11/mia.berg 2026-03-11 none-2.mp3");
  expect(files).toHaveLength(18);
});

describe("a file that fails is reported, and --resume fetches it again", () => {
  test("a digest that is wrong: nothing of it is kept", async () => {
    const { service, out, exportCalls } = await startExporting({ calls: SINGLE });
    const fault = { kind: "wrong-digest", operation: "streamRecordingByCallId" } as const;
    // The first of 12 recordings, which is asked for once more after the others.
    const mends = [0, 11].map((skip) => service.inject({ ...fault, skip, times: 2 }));
    const args = [...MARCH, "--files", "recordings", "--concurrency", "1"];
    const { code, stdout } = await exportCalls(...args);
    expect({ code, stdout }).toEqual({ code: 3, stdout: expect.stringContaining("1 damaged") });
    const next = `next     call-media export --resume --out ${toShellWord(out)}`;
    expect(stdout.trimEnd().split("\n").at(-1)).toBe(next);
    const damaged = (await readManifest(out)).find(({ status }) => status === "damaged");
    expect(damaged).toMatchObject({
      file: null,
      sha256: null,
      attempts: 2,
      error: expect.stringContaining("was announced"),
    });
    mends.forEach((mend) => mend());
    const before = countDownloads(service);
    expect(await exportCalls("--resume")).toMatchObject({ code: 0 });
    expect(countDownloads(service) - before).toBe(1);
  });

  test("a failed file is retried once after all others, before it is reported", async () => {
    const { service, out, exportCalls } = await startExporting({ calls: SINGLE });
    const fault = { kind: "wrong-digest", operation: "streamRecordingByCallId" } as const;
    service.inject({ ...fault, skip: 0, times: 2 });
    const args = [...MARCH, "--files", "recordings", "--concurrency", "1"];
    const { code, stdout, stderr } = await exportCalls(...args);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: "trying 1 file that failed once more\n",
    });
    const [, seal = ""] = /^seal +([\da-f]{64})/m.exec(stdout) ?? [];
    const next = `next     call-media verify ${toShellWord(out)} --seal ${seal}`;
    expect(stdout.trimEnd().split("\n").at(-1)).toBe(next);
  });

  test("403 and 404", async () => {
    const refusal = { isError: true, errorMessage: "No", data: [] };
    const { out, exportCalls, runCommand } = await startExporting(
      { calls: CALLS },
      (url, answer) => {
        const [, call_id = ""] = /\/recording\/.*by-call-id\/(\d+)/.exec(url) ?? [];
        const status = new Map([
          ["1000", 403],
          ["1020", 404],
        ]).get(call_id);
        return status === undefined ? answer : Response.json(refusal, { status });
      },
    );
    const args = [...MARCH, "--files", "recordings", "--json"];
    const { code, stdout } = await exportCalls(...args);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({
      verdict: "incomplete",
      files: { expected: 18, complete: 16, missing: 1, refused: 1 },
    });
    expect((await readReport(out)).faults).toHaveLength(2);
    expect(await runCommand("verify", out)).toMatchObject({ code: 0 });
  });

  test("files that fail for one reason are reported together, with their number", async () => {
    const recordings = [{ filename: "a.wav", bytes: toBytes(500) }];
    const calls = Array.from({ length: 23 }, (_, index) => ({
      call_id: String(1000 + index),
      datetime: `2026-03-${String(index + 1).padStart(2, "0")}T06:14:00Z`,
      recordings,
    }));
    const { service, out, exportCalls } = await startExporting({ calls });
    for (const operation of ["streamRecordingByCallId", "getRecordingByCallId"] as const)
      service.inject({ kind: "status", status: 404, operation, times: Infinity });
    const profile = `${out} of a service.json`;
    await writeFile(profile, "{}");
    const args = [...MARCH, "--files", "recordings", "--profile", profile];
    const { code, stdout } = await exportCalls(...args);
    expect(code).toBe(3);
    const next = `next     call-media export --resume --out ${toShellWord(out)} --profile '${profile}'`;
    expect(stdout.trimEnd().split("\n").at(-1)).toBe(next);
    const lines = stdout.split("\n").filter((line) => /^(missing|others)/.test(line));
    expect(lines).toEqual([
      expect.stringMatching(
        /^missing {2}(?:recording 1 of call 10\d\d, ){2}recording 1 of call 10\d\d and 20 more: \S/,
      ),
    ]);
  });

  test("a recording of a record without identifiers", async () => {
    const recordings = [{ filename: "a.wav", bytes: toBytes(500) }];
    const { service, out, exportCalls } = await startExporting({
      calls: [{ datetime: "2026-03-01T06:14:00Z", call_id: null, ref_id: null, recordings }],
    });
    const { code, stdout } = await exportCalls(...MARCH, "--files", "recordings");
    expect(code).toBe(3);
    expect(stdout).toContain(
      "fault    1 missing: a record names what the service does not have, or cannot be asked for",
    );
    expect(stdout).toContain(
      "missing  recording 1 of a record: the record has neither a call_id nor a ref_id",
    );
    expect((await readManifest(out))[0]).toMatchObject({
      status: "missing",
      attempts: 0,
      error: "the record has neither a call_id nor a ref_id",
    });
    expect(countDownloads(service)).toBe(0);
  });
});

describe("is refused, and nothing is written:", () => {
  test.each([
    ["a condition that is none", ["--where", "talk_time >"], "--where, column"],
    ["a mask of the days", ["--redact", "datetime"], "datetime cannot be masked"],
    ["a search by what is masked", ["--redact", "agent", "--agent", "ana"], "would reveal what"],
    ["a condition on it", ["--redact", "ani", "--where", 'ani == "1"'], "would reveal what"],
    [
      "a time zone without a spreadsheet",
      ["--tz", "UTC"],
      "--tz goes with --format csv, --format xlsx or --hand-over",
    ],
  ])("%s", async (_, args, message) => {
    const { service, out, exportCalls } = await startExporting({ calls: CALLS });
    const { code, stderr } = await exportCalls(...MARCH, ...args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    expect(existsSync(out)).toBe(false);
    expect(service.requests).toEqual([]);
  });

  test("a folder with something else in it", async () => {
    const { out, exportCalls } = await startExporting({ calls: CALLS });
    await mkdir(out);
    await writeFile(join(out, "mine.txt"), "mine");
    const { code, stderr } = await exportCalls(...MARCH, "--resume");
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining("something else"),
    });
    expect(await readTree(out)).toEqual({ "mine.txt": "mine" });
    expect(existsSync(join(out, ".call-media"))).toBe(false);
  });

  test("a folder with an export, and --resume of another search", async () => {
    const { out, exportCalls } = await startExporting({ calls: CALLS });
    await exportCalls(...MARCH, "--files", "none");
    const before = await readTree(out);
    const again = await exportCalls(...MARCH);
    expect(again).toMatchObject({ code: 2 });
    expect(again.stderr).toContain("call-media sync gets what is new");
    const other = await exportCalls("--resume", "--agent", "ana.kovac");
    expect(other).toMatchObject({ code: 2 });
    expect(other.stderr).toContain("another filter");
    expect(await readTree(out)).toEqual(before);
    expect(await readMetadata(out)).toHaveLength(120);
  });
});
