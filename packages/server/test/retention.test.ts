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
  expect((await retention("plan", "--policy", policy, "--at", "2015-06-01")).stdout).toBe(
    "Due on 2015-06-01: 0 records, 0 chat messages, 0 files of recordings (0 B).\n",
  );
  expect(await retention("set", policy)).toMatchObject({ code: 0 });
  expect(JSON.parse((await retention("show")).stdout)).toMatchObject({ rules: [rule] });
  await run("hold", "add", "smith", "--reason", "r", "--where", '{"call_id":["2"]}', ...data);
  const plan = await retention("plan", "--at", "2020-01-01");
  expect(plan.stdout.split("\n")).toEqual([
    expect.stringMatching(/^rule +calls +from +to/),
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
