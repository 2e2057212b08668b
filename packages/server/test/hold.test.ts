// `call-media-server hold`, and what a purge says of it: who holds what, what stays, and the exit codes.
import { mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "./support/command.ts";

const folder = await mkdtemp(join(tmpdir(), "hold-"));
const data = ["--data", join(folder, "archive")];
const hold = (verb: string, ...args: string[]) => run("hold", verb, ...args, ...data);
const purge = (...args: string[]) => run("purge", ...data, ...args, "--yes");

async function importCalls(...calls: readonly object[]): Promise<void> {
  const file = join(folder, "calls.jsonl");
  const lines = calls.map((fields) =>
    JSON.stringify({ kind: "call", datetime: "2026-01-10T10:00:00Z", ...fields }),
  );
  await writeFile(file, lines.join("\n"));
  expect(await run("import", ...data, file)).toMatchObject({ code: 0 });
}

beforeAll(async () => {
  await importCalls(
    { call_id: "1", notes: "John Smith called", campaign: "Sales" },
    { call_id: "2", campaign: "Complaints" },
    { call_id: "3", campaign: "Sales" },
  );
});
afterAll(() => rm(folder, { recursive: true }));

test("a hold keeps what fits it, says so, and what a purge named goes after the release", async () => {
  const words = ["--words", '"john smith"', "--from", "2026-01-01"];
  expect(await hold("add", "smith", "--reason", "litigation 2026/118", ...words)).toEqual({
    code: 0,
    stdout: "smith holds 1 call now, and those that will fit.\n",
    stderr: "",
  });
  const ids = join(folder, "ids.csv");
  await writeFile(ids, "call_id,agent\n1,ann\n3,bob\n");

  const dry = await run("purge", ...data, "--call-ids", ids, "--dry-run");
  expect(dry).toMatchObject({ code: 4, stdout: expect.stringContaining("Held: 1 call, kept") });
  const purged = await purge("--call-ids", ids, "--case", "GDPR-118");
  expect(purged).toMatchObject({
    code: 4,
    stdout: expect.stringMatching(
      /^Taken out: 1 record, [^]*\nHeld: 1 call, kept, by smith\. They are owed: "purge --owed"/,
    ),
  });
  expect(await purge("--call-id", "1")).toMatchObject({ code: 4, stderr: "" });
  expect(await run("history", ...data, "--call-id", "1")).toMatchObject({ code: 0 });

  const listed = await hold("list");
  expect(listed.stdout).toMatch(
    /^smith {2}1 call {2}since \S+ by \S+ {2}litigation 2026\/118 {2}"john smith", from 2026-01-01\n$/,
  );
  const { at, by, ...one } = JSON.parse((await hold("list", "--json")).stdout);
  expect([Date.parse(at) > 0, typeof by, one]).toEqual([
    true,
    "string",
    {
      name: "smith",
      reason: "litigation 2026/118",
      calls: 1,
      query: { words: '"john smith"', fromDay: "2026-01-01" },
    },
  ]);
  expect(await hold("release", "smith", "--reason", "settled")).toMatchObject({
    code: 0,
    stdout: "smith is released. 1 call owed an erasure: purge --owed\n",
  });
  expect(await purge("--owed")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Taken out: 1 record,"),
  });
  const log = await run("audit", "list", ...data, "--format", "jsonl");
  for (const told of ['"hold":"smith"', '"reason":"settled"', '"case":"GDPR-118"', '"held":1'])
    expect(log.stdout).toContain(told);
});

test("an invalid hold is rejected by name, and a hold that no call fits is added", async () => {
  const reason = ["--reason", "r"];
  for (const [args, fault] of [
    [["a b", ...reason, "--words", "x"], '"a b" has not'],
    [["a", ...reason], "say what it holds"],
    [["a", "--reason", " ", "--words", "x"], "--reason must not be empty"],
    [["a", ...reason, "--words", "*"], "words: "],
    [["a", ...reason, "--from", "2026-13-01"], "from: "],
    [["a", ...reason, "--where", "campaign"], "--where is no JSON"],
    [["a", ...reason, "--where", '{"campain":["x"]}'], 'no search filters by "campain"'],
    [["a", ...reason, "--where", '{"campaign":"x"}'], "--where.campaign: a list"],
  ] as const)
    expect(await hold("add", ...args)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(fault),
    });
  expect((await hold("list")).stdout).toBe("This archive has no holds.\n");
  const where = ["--where", '{"campaign":["Never"]}'];
  expect(await hold("add", "a", ...reason, ...where)).toMatchObject({ code: 3 });
  expect(await hold("add", "a", ...reason, ...where)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("there is a hold a already"),
  });
  expect(await hold("release", "b", ...reason)).toMatchObject({ code: 3 });
});

test("an identifier that nothing has is named, and one that was taken out is known", async () => {
  await importCalls({ call_id: "taken" });
  const ids = join(folder, "mixed.csv");
  await writeFile(ids, '"call_id";"agent"\n"taken";"ann"\n"mis-spelt";"bob"\n');
  const first = await purge("--call-ids", ids);
  const named = expect.stringMatching(/1 identifier of --call-ids: [^]*\n {2}mis-spelt\n$/);
  expect(first).toMatchObject({ code: 3, stderr: named });
  expect(first.stdout).toContain("Taken out: 1 record,");
  const dry = await run("purge", ...data, "--call-ids", ids, "--dry-run");
  expect(dry).toMatchObject({ code: 3, stderr: named });
  expect(await purge("--call-id", "taken")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("by purge --call-ids with 2 identifiers."),
  });
});

test("the identifiers of a hold that are not there are named", async () => {
  const ids = join(folder, "later.txt");
  await writeFile(ids, "2\nlater\n");
  expect(await hold("add", "later", "--reason", "r", "--call-ids", ids)).toMatchObject({
    code: 0,
    stdout: "later holds 1 call now.\n",
    stderr: expect.stringMatching(/1 identifier of --call-ids: not in [^]*\n {2}later\n$/),
  });
});

test("a hold that is added while the ledger cannot be read says so", async () => {
  const ledger = join(folder, "archive", "ledger");
  const entries = (await readdir(ledger)).filter((name) => /^\d/.test(name));
  const entry = join(ledger, entries.toSorted().at(-1) ?? "");
  await rename(entry, `${entry}.away`);
  const reason = ["--reason", "r"];
  const words = ["--where", '{"campaign":["Complaints"]}'];
  expect(await hold("add", "unread", ...reason, ...words)).toMatchObject({
    code: 2,
    stdout: "unread holds 1 call now, and those that will fit.\n",
    stderr: expect.stringMatching(
      /the hold is added, but the ledger could not be read[^]*\d{6}\.json/,
    ),
  });
  await rename(`${entry}.away`, entry);
  expect(await hold("add", "read", ...reason, ...words)).toMatchObject({ code: 0, stderr: "" });
});

test("a restore names the holds of its ledger, and a purge afterwards what the ledger took", async () => {
  const [backup, restored] = [join(folder, "backup"), ["--data", join(folder, "restored")]];
  await importCalls({ call_id: "gone" }, { call_id: "owed", campaign: "Lawsuit" });
  const backedUp = await hold("add", "before", "--reason", "r", "--where", '{"agent":["x"]}');
  expect([backedUp.code, (await run("backup", ...data, "--to", backup)).code]).toEqual([3, 0]);
  await hold("add", "since", "--reason", "r", "--where", '{"campaign":["Lawsuit"]}');
  await rename(backup, `${backup}-away`);
  expect(await hold("add", "unreached", "--reason", "r", "--words", "nobody")).toMatchObject({
    stderr: `call-media-server: the backup in ${backup} was not reached: restore it with --ledger, or back up again\n`,
  });
  await rename(`${backup}-away`, backup);
  await hold("release", "unreached", "--reason", "r");
  await hold("release", "before", "--reason", "r");
  expect(await purge("--call-id", "gone", "--case", "GDPR-9")).toMatchObject({ code: 0 });
  expect(await purge("--call-id", "owed", "--case", "GDPR-9")).toMatchObject({ code: 4 });
  expect(await run("restore", "--from", backup, ...restored)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /\nFrom the ledger: 1 hold, since\.\nReleased since the backup: 1 hold, before\.\nOwed an erasure: 1 identifier\. .*\nThe policy is that of the backup/,
    ),
  });
  const purgeThere = (id: string) => run("purge", ...restored, "--call-id", id, "--yes");
  expect(await purgeThere("owed")).toMatchObject({ code: 4 });
  expect((await purgeThere("gone")).stdout).toMatch(
    /was taken out on \S+Z by the ledger of purges, entries \d+ to \d+ \(GDPR-9\)\.\n$/,
  );
});

test("a hold is shown with what it covers, pins and is owed, and what was erased before it", async () => {
  await importCalls({ call_id: "early" }, { call_id: "shown" });
  await purge("--call-id", "early", "--case", "GDPR-7");
  const ids = join(folder, "shown.txt");
  await writeFile(ids, "early\nshown\nlate\n");
  const erased = /early: on \S+ by purge --call-id early --case GDPR-7\n/;
  const added = await hold("add", "shown", "--reason", "case 7", "--call-ids", ids);
  expect(added).toMatchObject({ code: 0, stdout: "shown holds 1 call now.\n" });
  expect(added.stderr).toMatch(/1 identifier of --call-ids: not in [^]*\n {2}late\n/);
  expect(added.stderr).toMatch(
    /1 identifier of --call-ids: erased before this hold[^]*\n {2}early: on/,
  );
  expect(added.stderr).toMatch(erased);
  await purge("--call-id", "shown", "--case", "GDPR-8");
  const shown = await hold("show", "shown");
  expect(shown).toMatchObject({ code: 0, stderr: "" });
  expect(shown.stdout.split("\n")).toEqual([
    "hold      shown",
    expect.stringMatching(/^added {5}\S+ by \S+$/),
    "reason    case 7",
    "covers    the calls below",
    "holds     1 call now",
    "pinned    early",
    "pinned    late",
    "pinned    shown",
    "awaited   late",
    expect.stringMatching(/^erased {4}early: on \S+ by purge --call-id early --case GDPR-7$/),
    "owed      shown, GDPR-8",
    "",
  ]);
  expect(JSON.parse((await hold("show", "shown", "--json")).stdout)).toMatchObject({
    name: "shown",
    reason: "case 7",
    calls: 1,
    query: null,
    pinned: ["early", "late", "shown"],
    awaited: ["late"],
    erased: [{ call_id: "early", by: "purge --call-id early --case GDPR-7" }],
    owed: [{ call_id: "shown", case: "GDPR-8" }],
  });
  const query = ["--where", '{"campaign":["Complaints"]}', "--from", "2025-01-01"];
  await hold("add", "asked", "--reason", "r", ...query);
  expect((await hold("show", "asked")).stdout).toMatch(
    /\ncovers {4}\{"campaign":\["Complaints"\]\}, from 2025-01-01\nholds {5}\d+ calls? now, and those that will fit\n/,
  );
  expect(await hold("show", "none")).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("there is no hold none"),
  });
});
