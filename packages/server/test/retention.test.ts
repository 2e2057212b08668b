// `call-media-server retention`: a policy is set, planned and applied; what is held stays.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { run } from "./support/command.ts";

const folder = await mkdtemp(join(tmpdir(), "retention-"));
const data = ["--data", join(folder, "archive")];
const retention = (verb: string, ...args: string[]) => run("retention", verb, ...args, ...data);
afterAll(() => rm(folder, { recursive: true }));

test("what is due by a policy goes, and the log has the policy", async () => {
  const file = join(folder, "calls.jsonl");
  const toLine = (call_id: string, datetime: string, campaign: string) =>
    JSON.stringify({ kind: "call", call_id, datetime, campaign });
  await writeFile(
    file,
    [
      toLine("1", "2015-01-10T10:00:00Z", "Sales"),
      toLine("2", "2015-02-10T10:00:00Z", "Sales"),
      toLine("3", "2015-01-10T10:00:00Z", "Complaints"),
    ].join("\n"),
  );
  await run("import", ...data, file);
  const policy = join(folder, "policy.json");
  const rule = { name: "complaints", where: { campaign: ["complaints"] }, keep: "900 years" };
  await writeFile(
    policy,
    JSON.stringify({ retention: 1, otherwise: { keep: "1 year" }, rules: [rule] }),
  );

  for (const verb of ["show", "plan"])
    expect(await retention(verb)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("this archive has no policy"),
    });
  const early = await retention("plan", "--policy", policy, "--at", "2015-06-01");
  expect(early.stdout.split("\n")).toEqual([
    expect.stringMatching(/^rule +records +from +to/),
    expect.stringMatching(/^complaints +0 *$/),
    expect.stringMatching(/^otherwise +0 *$/),
    "Due on 2015-06-01: 0 records, 0 chat messages, 0 files of recordings (0 B).",
    "",
  ]);
  expect(await retention("set", policy)).toMatchObject({
    code: 0,
    stdout: 'The policy is set. "retention plan" says what is due by it.\n',
  });
  expect(JSON.parse((await retention("show")).stdout)).toMatchObject({ rules: [rule] });
  await run("hold", "add", "smith", "--reason", "r", "--where", '{"call_id":["2"]}', ...data);
  const plan = await retention("plan", "--at", "2020-01-01");
  expect(plan.stdout.split("\n")).toEqual([
    expect.stringMatching(/^rule +records +from +to/),
    expect.stringMatching(/^complaints +0 *$/),
    expect.stringMatching(/^otherwise +2 +2015-01-10 +2015-02-10/),
    "Due on 2020-01-01: 1 record, 0 chat messages, 0 files of recordings (0 B).",
    "Held: 1 call, kept, by smith.",
    "",
  ]);
  expect(await retention("apply", "--yes")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Taken out: 1 record, [^]*Held: 1 call, kept, by smith\.\n/),
  });
  expect(await run("purge", ...data, "--call-id", "1", "--yes")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/taken out on \S+ by retention apply\.\n$/),
  });
  // A purge of what is held is owed, and the first application after the release takes it.
  expect(await run("purge", ...data, "--call-id", "2", "--yes")).toMatchObject({ code: 4 });
  await run("hold", "release", "smith", "--reason", "r", ...data);
  expect(await retention("apply", "--yes")).toMatchObject({ code: 0 });
  expect(await run("history", ...data, "--call-id", "3")).toMatchObject({ code: 0 });
  expect(await retention("apply", "--yes")).toMatchObject({ code: 0 });
  const log = await run("audit", "list", ...data, "--format", "jsonl");
  expect(log.stdout).toContain('"keep":"900 years"');
});

test("a rule that fits no call is named when it is set and planned, and a call is counted whole", async () => {
  const archive = ["--data", join(folder, "transferred")];
  const file = join(folder, "transferred.jsonl");
  const leg = { kind: "call", call_id: "1", datetime: "2014-12-31T23:58:00Z", campaign: "Sales" };
  const complaint = { ...leg, datetime: "2015-01-01T00:03:00Z", campaign: "Complaints" };
  await writeFile(file, [leg, complaint].map((one) => JSON.stringify(one)).join("\n"));
  await run("import", ...archive, file);
  const policy = join(folder, "misspelt.json");
  const toRule = (name: string, campaign: string) => ({ name, where: { campaign: [campaign] } });
  const rules = [
    { ...toRule("complaints", "Complaint"), keep: "7 years" },
    { ...toRule("sales", "Sales"), keep: "1 year" },
  ];
  await writeFile(policy, JSON.stringify({ retention: 1, otherwise: { keep: "1 year" }, rules }));
  const named = "The rule complaints fits no call: look at how its values are spelt.\n";

  expect((await run("retention", "set", policy, ...archive)).stdout).toMatch(
    new RegExp(`is due by it\\.\n${named}$`),
  );
  const of = async (at: string) =>
    (await run("retention", "plan", "--at", at, ...archive)).stdout.split("\n").slice(1, -1);
  // Each rule that fits is known, even if nothing is due by it.
  expect(await of("2015-12-31")).toEqual([
    expect.stringMatching(/^complaints +0 *$/),
    expect.stringMatching(/^sales +0 *$/),
    expect.stringMatching(/^otherwise +0 *$/),
    expect.stringMatching(/^Due on 2015-12-31: 0 records,/),
    named.trim(),
  ]);
  expect(await of("2016-01-01")).toContainEqual(
    expect.stringMatching(/^Due on 2016-01-01: 0 records,/),
  );
  expect(await of("2016-01-02")).toEqual([
    expect.stringMatching(/^complaints +0 *$/),
    expect.stringMatching(/^sales +2 +2014-12-31 +2015-01-01/),
    expect.stringMatching(/^otherwise +0 *$/),
    expect.stringMatching(/^Due on 2016-01-02: 2 records,/),
    named.trim(),
  ]);
});
