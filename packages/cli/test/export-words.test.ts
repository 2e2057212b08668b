// Exports of calls that have words, and of calls by their identifiers; and the same identifiers in a search.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MARCH, readMetadata, readReport, startExporting } from "./support/exporting.ts";
import { run } from "./support/program.ts";

const CALLS = Array.from({ length: 60 }, (_, index) => ({
  call_id: `call-${index}`,
  datetime: `2026-03-${String((index % 28) + 1).padStart(2, "0")}T06:14:00Z`,
  notes: index % 10 === 3 ? "asks for a réfund" : "small talk",
}));
const CHATS = [
  {
    call_id: "call-7",
    transcript: "My REFUND?",
    datetime: "2026-03-08T06:15:00Z",
    party_type: "C",
  },
];
const OPTIONS = { calls: CALLS, chats: CHATS };
const WITH_REFUND = ["call-3", "call-7", "call-13", "call-23", "call-33", "call-43", "call-53"];

const idsOf = async (out: string) =>
  (await readMetadata(out)).map(({ call_id }) => String(call_id)).toSorted();

/** The service ignores the words. */
const withoutWords = (url: string) => url.replace(/&words=[^&]*/, "");

test("an export by words has only those calls, reports the words, and continues only with the same words", async () => {
  const { out, exportCalls, runCommand } = await startExporting(OPTIONS);
  const { code, stderr } = await exportCalls(...MARCH, "--words", "refund");
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  expect(await idsOf(out)).toEqual(WITH_REFUND.toSorted());
  expect(await readReport(out)).toMatchObject({
    verdict: "complete",
    words: "refund",
    records: { announced: 7, came: 7, excluded: 0, written: 7 },
  });
  expect((await runCommand("verify", out)).code).toBe(0);
  expect((await exportCalls(...MARCH, "--resume", "--words", "refund")).code).toBe(0);
  const other = await exportCalls(...MARCH, "--resume", "--words", "refunds");
  expect([other.code, other.stderr]).toEqual([
    2,
    expect.stringContaining("begun with another --words"),
  ]);
});

test("the report of an export without words has none", async () => {
  const { out, exportCalls } = await startExporting(OPTIONS);
  await exportCalls(...MARCH);
  expect(await readReport(out)).not.toHaveProperty("words");
});

test("a service that does not search by words is not exported whole by mistake", async () => {
  const started = await startExporting(
    OPTIONS,
    (_url, answer) => {
      answer.headers.delete("Preference-Applied");
      return answer;
    },
    withoutWords,
  );
  const { code, stderr } = await started.exportCalls(...MARCH, "--words", "refund");
  expect(code).toBe(1);
  expect(stderr).toContain("The service does not search by words: leave --words out, or find");
});

test("--ids exports the calls that search found, and search lists them again", async () => {
  const { out, exportCalls, variables } = await startExporting(OPTIONS);
  const file = `${out}.txt`;
  await writeFile(file, "call_id\r\ncall-3\r\n\ncall-7 \ncall-3\n");
  expect((await exportCalls(...MARCH, "--ids", file)).code).toBe(0);
  expect(await idsOf(out)).toEqual(["call-3", "call-7"]);

  const columns = ["--format", "csv", "--columns", "call_id"];
  const found = await run(["search", "--ids", file, ...columns], variables);
  expect(found).toEqual({ code: 0, stdout: "call_id\r\ncall-3\r\ncall-7\r\n", stderr: "" });
  const input = "call-7\nno-such-call\ncall-3";
  const args = ["search", "--ids", "-", ...columns, "--where", 'notes ~ "small"'];
  const some = await run(args, variables, { input });
  expect([some.code, some.stdout]).toEqual([1, "call_id\r\ncall-7\r\n"]);
  expect(some.stderr).toContain("there is no call no-such-call, or it may not be seen");
});

test("--ids names what was not found, finds the days, and is not complete without them", async () => {
  const { out, runCommand } = await startExporting(OPTIONS);
  const file = `${out}.txt`;
  await writeFile(file, "call-3\nno-such-call\ncall-7\nNOPE");
  const dry = await runCommand("export", "--ids", file, "--dry-run");
  expect(dry.stdout).toContain("missing  no-such-call, NOPE: not found in these days");
  const { code, stdout } = await runCommand("export", "--ids", file, "--out", out);
  expect(code).toBe(3);
  const fault = "2 of 4 calls were not found in these days: no-such-call, NOPE";
  expect(stdout).toContain(`fault    ${fault}`);
  expect(stdout).toMatch(/\nnext {5}call-media verify /);
  expect(await idsOf(out)).toEqual(["call-3", "call-7"]);
  const report = await readReport(out);
  expect(report).toMatchObject({
    verdict: "incomplete",
    faults: [fault],
    ids: { asked: 4, missing: ["no-such-call", "NOPE"] },
  });
  expect(await runCommand("verify", out)).toMatchObject({ code: 0 });
  // Without the fault the report no longer fits.
  const forged = { ...report, verdict: "complete", faults: [] };
  await writeFile(join(out, "report.json"), JSON.stringify(forged));
  const { stdout: differences } = await runCommand("verify", out);
  expect(differences).toContain("report.json has a verdict that does not follow from the rest");
});

test.each(["2026-03-05T23:30:00-05:00", "2026-03-05T00:30:00+09:00"])(
  "--ids finds a call that began at %s, which is another day in the archive",
  async (datetime) => {
    const { out, runCommand } = await startExporting({ calls: [{ call_id: "far", datetime }] });
    await writeFile(`${out}.txt`, "far");
    expect(await runCommand("export", "--ids", `${out}.txt`, "--out", out)).toMatchObject({
      code: 0,
    });
    expect(await idsOf(out)).toEqual(["far"]);
  },
);

test("--ids of calls that all are elsewhere says so, in other days and everywhere", async () => {
  const { out, runCommand } = await startExporting(OPTIONS);
  const file = `${out}.txt`;
  await writeFile(file, "NOPE");
  expect(await runCommand("export", "--ids", file, "--out", out)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("none of 1 identifier is of a call with a datetime"),
  });
  await writeFile(file, "call-3");
  const days = ["--from", "2026-01-01", "--to", "2026-01-02"];
  const { code, stdout } = await runCommand("export", ...days, "--ids", file, "--out", out);
  expect(code).toBe(3);
  expect(stdout).toContain("1 of 1 call was not found in these days: call-3");
});

test("--ids finds a call whose identifier is masked in part", async () => {
  const call_id = "7-Quincy";
  const calls = [{ call_id, customer_last_name: "Quincy", datetime: "2026-03-02T09:00:00Z" }];
  const { out, runCommand } = await startExporting({ calls });
  await writeFile(`${out}.txt`, `${call_id}\n8-Quincy\n7-Quinc`);
  const redact = ["--redact", "customer_last_name"];
  const ids = ["--ids", `${out}.txt`];
  const { stdout, stderr } = await runCommand("export", ...ids, ...redact, "--out", out);
  expect(stdout).toContain("2 of 3 calls were not found in these days: [redacted], 7-Quinc");
  expect(stderr).toContain("not found, and masked in the report: 8-Quincy");
});

test.each([
  [["export", ...MARCH, "--words", '"refund'], "--words has a quotation mark that is not closed"],
  [["export", ...MARCH, "--words", "a", "--redact", "ani"], "--redact does not go with --words"],
  [["search", "--ids", "EMPTY"], "has no identifiers, one a line"],
  [["search", "--ids", "EMPTY", "--words", "a"], "cannot be used with option"],
  [["search", "--ids", "SOME", "--agent", "ana"], "--ids does not go with --agent: use --where"],
  [["search", "--ids", "MISSING"], "MISSING"],
  [["export", ...MARCH, "--ids", "MANY"], "has 1,001 identifiers, and 1,000 are the most"],
])("%j is refused", async (args, message) => {
  const { out, runCommand } = await startExporting(OPTIONS);
  await writeFile(join(out, "..", "EMPTY"), "\n\n");
  await writeFile(join(out, "..", "SOME"), "call-3");
  await writeFile(join(out, "..", "MANY"), Array.from({ length: 1001 }, (_, id) => id).join("\n"));
  const inFolder = args.map((arg) => (/^[A-Z]{4,}$/.test(arg) ? join(out, "..", arg) : arg));
  const { code, stderr } = await runCommand(
    ...inFolder,
    ...(args[0] === "export" ? ["--out", out] : []),
  );
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});
