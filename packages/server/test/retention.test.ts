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

  const none = join(folder, "none.json");
  for (const [what, ...args] of [
    [`--policy: ${none} does not exist`, "plan", "--policy", none],
    [`retention set: ${none} does not exist`, "set", none],
  ])
    expect(await run("retention", ...args, ...data)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(what ?? ""),
    });
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
    expect.stringMatching(/^otherwise +1 +2015-01-10 +2015-01-10/),
    "Due on 2020-01-01: 1 record, 0 chat messages, 0 files of recordings (0 B).",
    "Held: 1 call, kept, by smith.",
    "",
  ]);
  // The list has exactly what would go.
  expect(await retention("plan", "--at", "2020-01-01", "--list")).toMatchObject({
    stdout: "1\totherwise\trecord\n",
    stderr: "Held: 1 call, kept, by smith.\n",
  });
  expect(await retention("apply", "--dry-run")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^rule [^]*\nDue on \S+: 1 record,/),
  });
  expect(await retention("apply")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('add --yes: "retention plan" says what would go'),
  });
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

test("what is owed and due by now goes by what it is owed, with its case, and is paid", async () => {
  const archive = ["--data", join(folder, "owed")];
  const file = join(folder, "owed.jsonl");
  const toLine = (call_id: string) =>
    JSON.stringify({ kind: "call", call_id, datetime: "2015-01-10T10:00:00Z" });
  await writeFile(file, ["1", "2"].map(toLine).join("\n"));
  await run("import", ...archive, file);
  const policy = join(folder, "owed.json");
  await writeFile(
    policy,
    JSON.stringify({ retention: 1, otherwise: { keep: "1 year" }, rules: [] }),
  );
  await run("retention", "set", policy, ...archive);
  const hold = ["hold", "add", "smith", "--reason", "r", "--where", '{"call_id":["1"]}'];
  await run(...hold, ...archive);
  await run("purge", "--call-id", "1", "--case", "CASE-Q", "--yes", ...archive);
  await run("hold", "release", "smith", "--reason", "r", ...archive);
  const applied = await run("retention", "apply", "--yes", ...archive);
  expect(applied).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^1 record owed since a hold was released:\nTaken out: 1 record,[^]*\nTaken out: 1 record,/,
    ),
  });
  const history = (callId: string) => run("history", "--call-id", callId, ...archive);
  expect((await history("1")).stdout).toContain("by purge --owed --case CASE-Q");
  const other = (await history("2")).stdout;
  expect(other).toContain("by retention apply");
  expect(other).not.toContain("CASE-Q");
  await run(...hold, ...archive);
  expect((await run("hold", "release", "smith", "--reason", "r", ...archive)).stdout).not.toContain(
    "owed",
  );
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

test("sound goes before its record, by rule, month and call, and no import brings it back", async () => {
  const archive = ["--data", join(folder, "heard")];
  const file = join(folder, "heard.jsonl");
  const media = (name: string) => [{ file: name }];
  const lines = [
    { call_id: "1", datetime: "2015-01-10T10:00:00Z", campaign: "Sales", media: media("1.wav") },
    { call_id: "2", datetime: "2015-02-10T10:00:00Z", campaign: "Other", media: media("2.wav") },
    { call_id: "3", datetime: "2015-02-10T10:00:00Z", campaign: "Other" },
  ].map((call) => JSON.stringify({ kind: "call", ...call }));
  await writeFile(file, lines.join("\n"));
  for (const name of ["1.wav", "2.wav"]) await writeFile(join(folder, name), `sound ${name}`);
  expect((await run("import", ...archive, file)).stdout).toContain("imported 3 ");
  const policy = join(folder, "heard.json");
  const sales = { name: "sales", where: { campaign: ["Sales"] }, keep: "900 years" };
  await writeFile(
    policy,
    JSON.stringify({
      retention: 1,
      otherwise: { keep: "900 years", sound: "1 year" },
      rules: [sales],
    }),
  );
  await run("retention", "set", policy, ...archive);
  const plan = async (...args: string[]) =>
    (await run("retention", "plan", ...args, ...archive)).stdout.split("\n").slice(0, -1);

  expect(await plan("--at", "2017-01-01")).toEqual([
    expect.stringMatching(/^rule +records +sound +from +to/),
    expect.stringMatching(/^sales +0 +0 *$/),
    expect.stringMatching(/^otherwise +0 +1 +2015-02-10 +2015-02-10/),
    "Due on 2017-01-01: 0 records, 0 chat messages, 0 files of recordings (0 B).",
    "Their sound alone: the sound of 1 record, which stay: 1 file of recordings (11 B).",
  ]);
  expect(await plan("--months")).toContainEqual(
    expect.stringMatching(/^2015-02 +otherwise +0 +1 *$/),
  );
  expect(await plan("--list")).toEqual(["2\totherwise\tsound"]);
  expect(await plan("--list", "--json")).toEqual([
    JSON.stringify({ call_id: "2", rule: "otherwise", what: "sound", over: [] }),
  ]);
  expect(JSON.parse((await plan("--json", "--at", "2017-01-01")).join("\n"))).toEqual({
    day: "2017-01-01",
    due: { records: 0, messages: 0, files: 0, bytes: 0 },
    sound: { records: 1, messages: 0, files: 1, bytes: 11 },
    held: { calls: 0, holds: [] },
    rules: [
      { rule: "sales", records: 0, sound: 0, from: null, to: null },
      { rule: "otherwise", records: 0, sound: 1, from: "2015-02-10", to: "2015-02-10" },
    ],
    months: [{ month: "2015-02", rule: "otherwise", records: 0, sound: 1 }],
    unfitting: [],
  });
  expect(await run("retention", "apply", "--yes", ...archive)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/Taken out: the sound of 1 record, which stay: 1 file/),
  });
  const exported = join(folder, "heard-export");
  await run("export", "--to", exported, ...archive);
  const again = await run("import", ...archive, file);
  expect(again.stdout).toContain("imported 0 + replaced 0 + unchanged 3 ");
  expect(again.stdout).toContain("its recordings were erased before");
  expect(await plan("--list")).toEqual([]);
  expect((await run("doctor", ...archive)).stdout).not.toMatch(/missing|unreferenced/);
});

test("purge --sound leaves the record, and says what it was for afterwards", async () => {
  const archive = ["--data", join(folder, "purged")];
  const file = join(folder, "purged.jsonl");
  const call = { kind: "call", call_id: "1", datetime: "2015-01-10T10:00:00Z" };
  const silent = { ...call, call_id: "2" };
  const lines = [{ ...call, media: [{ file: "p.wav" }] }, silent].map((one) => JSON.stringify(one));
  await writeFile(join(folder, "p.wav"), "sound");
  await writeFile(file, lines.join("\n"));
  await run("import", ...archive, file);
  const purge = (...args: string[]) => run("purge", ...archive, "--sound", ...args);

  expect(await purge("--owed", "--yes")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("--sound does not go with --owed"),
  });
  expect((await purge("--call-id", "1", "--dry-run")).stdout).toBe(
    "Dry run, nothing was taken: the sound of 1 record, which stay: 1 file of recordings (5 B).\n",
  );
  await run("hold", "add", "smith", "--reason", "r", "--where", '{"call_id":["1"]}', ...archive);
  expect(await purge("--call-id", "1", "--yes")).toMatchObject({
    code: 4,
    stdout: expect.stringContaining("Held: the sound of 1 call, kept, by smith.\n"),
  });
  await run("hold", "release", "smith", "--reason", "r", ...archive);
  expect(await purge("--call-id", "1", "--case", "GDPR-1", "--yes")).toMatchObject({ code: 0 });
  expect(await purge("--call-id", "1", "--yes")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /taken out on \S+ by purge --call-id 1 --sound --case GDPR-1\.\n$/,
    ),
  });
  expect(await purge("--call-id", "2", "--yes")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("1 record with the call_id 2, without a recording."),
  });
  expect(await purge("--call-id", "3", "--yes")).toMatchObject({ code: 3 });
});

test("an import counts and names the calls that the policy makes due, and succeeds", async () => {
  const archive = ["--data", join(folder, "obeying")];
  const file = join(folder, "obeying.jsonl");
  const call = { kind: "call", call_id: "1", datetime: "2015-01-10T10:00:00Z" };
  const young = { ...call, call_id: "2", datetime: new Date().toISOString() };
  await writeFile(file, JSON.stringify(young));
  await run("import", ...archive, file);
  const policy = join(folder, "obeying.json");
  await writeFile(policy, JSON.stringify({ retention: 1, otherwise: { keep: "1 year" } }));
  await run("retention", "set", policy, ...archive);
  await writeFile(file, [call, young].map((one) => JSON.stringify(one)).join("\n"));

  const { code, stdout } = await run("import", ...archive, file);
  expect(code).toBe(0);
  expect(stdout).toContain("unchanged 1 + due by the policy 1 + rejected 0");
  expect(stdout).toMatch(/Due by the policy of retention, and left out[^\n]*\n {2}call 1 of 2015/);
  const log = await run("audit", "list", ...archive, "--format", "jsonl");
  expect(log.stdout).toContain('"due":1');
});
