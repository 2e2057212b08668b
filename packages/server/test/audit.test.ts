// `call-media-server audit` as an operator runs it: which rows, in which form, and the proof that none was changed.
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { AccessEntry } from "@call-media/store";
import { createStore } from "@call-media/store/sqlite";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toOperator } from "../src/command-line/operator.ts";
import { run } from "./support/command.ts";
import { toUser } from "./support/service.ts";

const NOW = Date.now();
const HOUR_MS = 3_600_000;

const LISTEN: AccessEntry = {
  timeMs: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
  requestId: "6a97ec62-02a5-48ac-b037-56b07105cd37",
  address: "192.0.2.7",
  userId: 1,
  credential: "app_1",
  operation: "streamRecordingByReference",
  asked: { ref_id: "r1", part: 2 },
  callIds: ["c1"],
  rows: 0,
  status: 206,
  recording: { sha256: "ab".repeat(32), first: 1_000, last: 2_999 },
};
const CUT: AccessEntry = {
  ...LISTEN,
  timeMs: LISTEN.timeMs + 1_000,
  recording: { sha256: "ab".repeat(32), first: 1_000, last: 1_999 },
  isCut: true,
};
const SEARCH: AccessEntry = {
  timeMs: NOW - 2 * HOUR_MS,
  requestId: "7b97ec62-02a5-48ac-b037-56b07105cd37",
  address: "192.0.2.8",
  userId: 2,
  credential: "key_1",
  operation: "searchMetadata",
  asked: { pageIndex: 0, filter: { agent: 'Ann, the "first"' } },
  callIds: [],
  rows: 50,
  status: 200,
};
// What a hostile caller might ask for: a formula for the spreadsheet, colours and a turned line for the terminal.
const HOSTILE: AccessEntry = {
  ...SEARCH,
  timeMs: NOW - HOUR_MS / 2,
  userId: 9,
  operation: "getMetadataByCallId",
  asked: { call_id: "=1+1\u001B[31m\u009B31m\u202Eevil\nnext" },
  callIds: ["=1+1\u001B[31m\u009B31m\u202Eevil\nnext"],
  rows: 0,
};
const ENTRIES = [LISTEN, CUT, SEARCH, HOSTILE];

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "call-media-audit-"));
  await fill(folder, ENTRIES);
});
afterAll(() => rm(folder, { recursive: true }));

async function fill(directory: string, entries: readonly AccessEntry[]): Promise<void> {
  await using store = await createStore({ directory });
  await using session = await store.openImport();
  const users = [
    toUser({ id: 1, username: "mia" }),
    toUser({ id: 2, username: "a.very.long.username" }),
  ];
  await session.write(users.map((record) => [{ kind: "user", record }]));
  for (const entry of entries) await store.accessLog.append(entry, true);
}

const audit = (...args: readonly string[]) => run("audit", ...args);

const list = async (...args: string[]) => (await audit("--data", folder, ...args)).stdout;

async function listSeqs(...args: string[]): Promise<number[]> {
  const lines = (await list("--format", "jsonl", ...args)).split("\n").filter(Boolean);
  return lines.map((line): number => JSON.parse(line).seq);
}

test("as a table, a line a row, with times in UTC and nothing that moves the terminal", async () => {
  expect((await list()).split("\n").map((line) => line.replaceAll(/ {2,}/g, "  "))).toEqual([
    "TIME (UTC)  USER  HTTP OPERATION  RELEASED  FROM  ASKED FOR",
    "2026-01-02 03:04:05 mia  206  streamRecordingByReference  2,000 B  192.0.2.7  ref_id=r1 part=2",
    "2026-01-02 03:04:06 mia  206  streamRecordingByReference  cut, 1,000 B  192.0.2.7  ref_id=r1 part=2",
    expect.stringMatching(
      /^\S{10} \S{8} a\.very\.long\.username 200 {2}searchMetadata {2}50 rows {2}192\.0\.2\.8 {2}pageIndex=0 filter=\{"agent":"Ann, the \\"first\\""\}$/,
    ),
    expect.stringMatching(/ #9 .* call_id==1\+1\\u001b\[31m\\u009b31m\\u202eevil\\u000anext$/),
    "",
  ]);
});

test("as JSON lines, whole", async () => {
  const lines = (await list("--format", "jsonl")).split("\n").filter(Boolean);
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual(
    ENTRIES.map(({ timeMs, ...entry }, index) => ({
      ...entry,
      seq: index + 1,
      time: new Date(timeMs).toISOString(),
      user: ["mia", "mia", "a.very.long.username", "#9"][index],
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })),
  );
  for (const character of ["\u001B", "\u009B", "\u202E"])
    expect(lines.join("")).not.toContain(character);
});

test("as CSV, whole; no spreadsheet takes it for a formula, and no terminal for commands", async () => {
  const rows: Record<string, string>[] = parse(await list("--format", "csv"), { columns: true });
  expect(rows).toHaveLength(4);
  expect(rows[1]).toEqual({
    seq: "2",
    time_utc: "2026-01-02T03:04:06.006Z",
    user: "mia",
    user_id: "1",
    credential: "app_1",
    session: "",
    operation: "streamRecordingByReference",
    asked: '{"ref_id":"r1","part":2}',
    call_ids: "c1",
    rows: "0",
    status: "206",
    recording_sha256: "ab".repeat(32),
    recording_first_byte: "1000",
    recording_last_byte: "1999",
    is_cut: "true",
    is_handed_out: "false",
    outcome: "",
    counts: "",
    run: "",
    reason: "",
    remark: "",
    erased_calls: "",
    erased_chats: "",
    erased_files: "",
    request_id: LISTEN.requestId,
    address: "192.0.2.7",
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    use: "",
    purpose: "",
  });
  expect(rows[2]?.["asked"]).toBe(JSON.stringify(SEARCH.asked));
  expect(rows[3]?.["call_ids"]).toBe("'=1+1\\u001b[31m\\u009b31m\\u202eevil\\u000anext");
  expect(rows[3]?.["asked"]).toBe(
    JSON.stringify(HOSTILE.asked).replace("\u009b", "\\u009b").replace("\u202e", "\\u202e"),
  );
});

test.each<[what: string, args: string[], seqs: number[]]>([
  ["of a user", ["--user", "mia"], [1, 2]],
  ["of a call, by whatever name it was asked for", ["--call-id", "c1"], [1, 2]],
  ["since a date and time, in UTC", ["--since", "2026-01-02 03:04:06"], [2, 3, 4]],
  ["of the last minutes", ["--since", "45m"], [4]],
  ["of the last hours", ["--since", "3h"], [3, 4]],
  ["of the last days", ["--since", "1d"], [3, 4]],
])("the rows %s", async (_what, args, seqs) => {
  expect(await listSeqs(...args)).toEqual(seqs);
});

test.each<[args: string[], stderr: string]>([
  [
    ["--since", "yesterday"],
    '--since: "yesterday" is not an ISO 8601 date and time, nor a span such as 7d',
  ],
  [["--user", "nobody"], 'there is no user nobody: "user list" shows those there are'],
])("%j is refused in one line", async (args, stderr) => {
  expect(await audit("--data", folder, ...args)).toEqual({
    code: 1,
    stdout: "",
    stderr: `call-media-server: ${stderr}\n`,
  });
});

test("verify counts the rows and prints a hash that proves them later", async () => {
  const first = await audit("verify", "--data", folder);
  expect(first).toMatchObject({ code: 0, stderr: "" });
  const [, hash = ""] =
    /^4 rows, none of them changed, none missing\.\nBeside the recordings no row is noted .*\nNot proved: .*\nHash of the last of them: ([0-9a-f]{64})\n$/.exec(
      first.stdout,
    ) ?? [];
  expect(await audit("verify", "--data", folder, "--hash", hash)).toEqual(first);

  expect(await audit("verify", "--data", folder, "--hash", "f".repeat(64))).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("The access log was changed: the hash that was noted earlier"),
  });
  expect(await audit("verify", "--data", folder, "--hash", "f")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("--hash must be 64 hexadecimal digits"),
  });
});

test("an archive that has lost its access log says what to do, and what it then has is audited", async () => {
  const directory = await mkdtemp(join(folder, "lost-"));
  await fill(directory, ENTRIES);
  expect(await audit("begin-anew", "--data", directory)).toMatchObject({ code: 1 });
  await rm(join(directory, "access.db"));

  const [, advice = ""] =
    /"audit (begin-anew)"\n$/.exec((await audit("--data", directory)).stderr) ?? [];
  expect(await audit(advice, "--data", directory)).toMatchObject({ code: 0, stderr: "" });
  const { stdout } = await audit("--data", directory, "--format", "csv");
  expect(parse(stdout, { columns: true })).toMatchObject([
    { seq: "1", user: toOperator(), operation: "audit begin-anew", user_id: "" },
  ]);
  expect((await audit("--data", directory)).stdout).toMatch(/ audit begin-anew .*nothing/);
});

test("verify names the first row that was changed, and ends with 1", async () => {
  const tampered = await mkdtemp(join(folder, "tampered-"));
  await fill(tampered, ENTRIES);
  using database = new DatabaseSync(join(tampered, "access.db"));
  database.exec(
    `DROP TRIGGER access_unchanged; UPDATE access SET entry = replace(entry, 'c1', 'c2') WHERE seq = 2`,
  );

  const { code, stdout } = await audit("verify", "--data", tampered);
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^The access log was changed: row 2 does not follow from row 1: one of them was altered\.\nRows that follow from one another, from the first: 1\.\nHash of the last of them: /,
  );
});

test("an operator's commands leave rows: who, what and which, and nothing secret", async () => {
  const directory = await mkdtemp(join(folder, "operators-"));
  const data = ["--data", directory];
  const expectDone = async (...args: string[]) => {
    const ended = await run(...args);
    expect(ended).toMatchObject({ code: 0 });
    return ended.stdout;
  };
  await expectDone(
    "user",
    "add",
    ...data,
    "mia",
    "email_id=mia@example.com",
    "allow_download=true",
  );
  await expectDone("user", "set", ...data, "mia", "is_admin=true", "allowed_campaigns=A,B");
  const of = [...data, "--user", "mia", "--json"];
  const application = JSON.parse(await expectDone("app", "create", ...of));
  const key = JSON.parse(await expectDone("key", "create", ...of, "--expires", "2199-01-01"));
  await expectDone("app", "revoke", ...data, application.secretID);
  await expectDone("key", "revoke", ...data, key.id);
  expect(await run("key", "revoke", ...data, key.id)).toMatchObject({ code: 1 });
  await expectDone("export", ...data, "--out", join(folder, "out"), "--from", "2026-01-01");
  await expectDone("import", ...data, join(folder, "out"));
  await expectDone("backup", ...data, "--to", join(folder, "backup"));
  const restored = join(folder, "restored");
  await expectDone("restore", "--from", join(folder, "backup"), "--data", restored);

  const text = await expectDone("audit", "--data", restored, "--format", "jsonl");
  const rows = text.split("\n").filter(Boolean);
  const { secretID } = application;
  const user = { user_id: 1, username: "mia" };
  const added = {
    operation: "user add",
    asked: {
      ...user,
      rights: { allow_download: true },
      before: { allow_download: false },
      others: ["email_id"],
    },
  };
  const changed = {
    operation: "user set",
    asked: {
      ...user,
      rights: { is_admin: true, allowed_campaigns: ["A", "B"] },
      before: { is_admin: false, allowed_campaigns: [] },
      others: [],
    },
  };
  const exported = {
    operation: "export",
    asked: { format: "jsonl", out: join(folder, "out"), from: "2026-01-01", to: null },
  };
  expect(rows.map((row): unknown => JSON.parse(row))).toMatchObject([
    { ...added, outcome: "begun" },
    { ...added, outcome: "done" },
    { ...changed, outcome: "begun" },
    { ...changed, outcome: "done" },
    { operation: "app create", asked: { secretID, user_id: 1 } },
    {
      operation: "key create",
      asked: { id: key.id, user_id: 1, expires: "2199-01-01T00:00:00.000Z" },
    },
    { operation: "app revoke", asked: { secretID } },
    { operation: "key revoke", asked: { id: key.id }, outcome: "done" },
    { operation: "key revoke", asked: { id: key.id }, outcome: "refused" },
    { ...exported, outcome: "begun" },
    {
      ...exported,
      outcome: "done",
      counts: { users: 1, flags: 0, calls: 0, chats: 0, files: 0, missing: 0, damaged: 0 },
    },
    { operation: "import", asked: { files: [join(folder, "out")] }, outcome: "begun" },
    {
      operation: "import",
      asked: { files: [join(folder, "out")] },
      outcome: "done",
      counts: { imported: 0, replaced: 0, unchanged: 1, erased_before: 0, rejected: 0 },
    },
    {
      operation: "backup",
      asked: { to: join(folder, "backup") },
      outcome: "begun",
      remark: "no outcome recorded here (the backup was made meanwhile)",
    },
    { operation: "restore", asked: { from: join(folder, "backup") }, outcome: "begun" },
    { operation: "restore", outcome: "done", counts: { calls: 0, files: 0 } },
  ]);
  for (const row of rows) expect(JSON.parse(row)).toMatchObject({ operator: toOperator() });
  for (const secret of [application.secretKey, key.apiKey, "mia@example.com"])
    expect(text).not.toContain(secret);
  expect(await expectDone("audit", "verify", "--data", restored)).toMatch(/^16 rows, none/);
});

test("a command that never ended is named in every form, and an address has one notation", async () => {
  const directory = await mkdtemp(join(folder, "broken-off-"));
  const act = { operation: "import", operator: "olive", asked: { files: ["a"] } } as const;
  {
    await using store = await createStore({ directory });
    for (const id of ["whole", "killed"])
      await store.accessLog.record({ ...act, run: id, outcome: "begun" });
    await store.accessLog.record({
      ...act,
      run: "whole",
      outcome: "done",
      counts: { imported: 1 },
    });
    await store.accessLog.append({ ...LISTEN, address: "2001:0DB8:0:0:00AB:0:0:1" }, true);
  }
  const said = async (...args: string[]) => (await audit("--data", directory, ...args)).stdout;
  const remark = "no outcome recorded (broke off?)";
  const [, whole, killed, done, listened] = (await said()).split("\n");
  expect(whole).toMatch(/ begun$/);
  expect(killed?.endsWith(` ${remark}`)).toBe(true);
  expect(done).toMatch(/ done: imported 1$/);
  expect(listened).toContain(" 2001:db8::ab:0:0:1");
  const lines = (await said("--format", "jsonl")).split("\n").filter(Boolean);
  expect(lines.map((line): unknown => JSON.parse(line).remark)).toEqual([
    undefined,
    remark,
    undefined,
    undefined,
  ]);
  const rows = parse<Record<string, string>>(await said("--format", "csv"), { columns: true });
  expect(rows.map((row) => row["remark"])).toEqual(["", remark, "", ""]);
  expect(rows[3]?.["address"]).toBe("2001:db8::ab:0:0:1");
});

test("an older access.db that was put back is served once an operator has accepted it", async () => {
  const directory = await mkdtemp(join(folder, "older-"));
  await fill(directory, ENTRIES);
  const data = ["--data", directory];
  await copyFile(join(directory, "access.db"), join(folder, "older.db"));
  expect(await run("key", "create", ...data, "--user", "mia")).toMatchObject({ code: 0 });
  await copyFile(join(folder, "older.db"), join(directory, "access.db"));

  const lost = /row 5 is missing: it ends with row 4, and row 5 of \S+Z was there/;
  const refused = await run("serve", ...data, "--port", "0");
  expect(refused).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(lost) });
  expect(refused.stderr.split("\n")).toHaveLength(2);
  const verified = await audit("verify", ...data);
  expect(verified).toMatchObject({ code: 1, stdout: expect.stringMatching(lost) });
  expect(await audit(...data, "--format", "jsonl")).toMatchObject({ code: 0 });

  const [, advice = ""] = /with "audit (\S+)"\n$/.exec(refused.stderr) ?? [];
  const accepted = await audit(advice, ...data);
  expect(accepted).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(lost) });
  const again = await audit("verify", ...data);
  expect(again.code).toBe(0);
  expect(again.stdout).toMatch(
    /^5 rows, none .* none missing but what operators accepted\.\nIt has the row .*: row 6 of .*\nNot proved: .*\nRow 6, /,
  );
  expect(again.stdout).toContain(`: ${toOperator()} accepted that row 5 is missing: `);
  expect(await run("user", "list", ...data)).toMatchObject({ code: 0 });
});

test("audit forget removes search terms before a day, and the hash of the log stays valid", async () => {
  const own = join(folder, "forgetting");
  await fill(own, ENTRIES);
  const data = ["--data", own];
  const before = ["forget", ...data, "--before", "2026-01-03"];
  const [, hash = ""] = /: ([0-9a-f]{64})/.exec((await audit("verify", ...data)).stdout) ?? [];
  expect(await audit(...before)).toMatchObject({
    code: 0,
    stdout: "Would be taken out of 2 rows; --yes does it.\n",
  });
  expect((await audit(...data)).stdout).toContain("ref_id=r1");
  expect(await audit(...before, "--yes")).toMatchObject({
    code: 0,
    stdout: "Taken out of 2 rows.\n",
  });
  const { stdout } = await audit(...data);
  expect(stdout).not.toContain("ref_id=r1");
  expect(stdout).toMatch(/2,000 B .* forgotten=true\n/);
  expect(stdout).toContain("Ann");
  expect(await audit("verify", ...data, "--hash", hash)).toMatchObject({ code: 0 });
  expect(await audit("forget", ...data, "--before", "soon", "--yes")).toMatchObject({ code: 1 });
});
