// A policy: what it may say, and by which rule a call is due on a day.
import { expect, test } from "vitest";
import { toRecord } from "../src/suite/records.ts";
import { createRetention, parseNewPolicy, parsePolicy } from "../src/values/retention.ts";

const WHERE = { campaign: ["x"] };

const toPolicy = (...rules: readonly object[]) =>
  parsePolicy(
    JSON.stringify({
      retention: 1,
      otherwise: { keep: "1 year" },
      rules: rules.map((rule, index) => ({ name: `r${index}`, where: WHERE, ...rule })),
    }),
  );

const findRule = (policy: ReturnType<typeof parsePolicy>, began: string, campaign = "X") =>
  createRetention(policy, { day: "2025-06-15", timeZone: "Europe/Berlin" }).findRule([
    { record: toRecord({ campaign }), instantMs: Date.parse(began) },
  ]);

test.each([
  ["no JSON", "{", "the policy: no JSON object"],
  ["a list", "[]", "the policy: no JSON object"],
  ["another form", '{"retention":2}', "retention: it has to be 1"],
  ["nothing", '{"retention":1}', "neither rules nor otherwise"],
  ["an unknown key", '{"retention":1,"rule":[]}', "the policy.rule: this program"],
  ["bad sound", '{"retention":1,"otherwise":{"keep":"1 year","sound":1}}', "otherwise.sound: a"],
  [
    "sound of what is erased",
    '{"retention":1,"rules":[{"name":"a","where":{"skill":["x"]},"erase":"1 year","sound":"1 day"}]}',
    "rules[0].sound: it goes with keep",
  ],
  ["a bad period", '{"retention":1,"otherwise":{"keep":"0 days"}}', "otherwise.keep: a period"],
  ["no rules", '{"retention":1,"rules":{}}', "rules: a list"],
  [
    "no name",
    '{"retention":1,"rules":[{"where":{"skill":["x"]},"keep":"1 day"}]}',
    "rules[0].name",
  ],
  ["no where", '{"retention":1,"rules":[{"name":"a","keep":"1 day"}]}', "rules[0].where: an obj"],
  [
    "no period",
    '{"retention":1,"rules":[{"name":"a","where":{"skill":["x"]}}]}',
    "one of keep and",
  ],
] as const)("%s is refused by its place", (_what, text, fault) => {
  expect(() => parsePolicy(text)).toThrow(fault);
});

test("a name is that of one rule", () => {
  expect(() => toPolicy({ keep: "1 day", name: "a" }, { keep: "2 days", name: "a" })).toThrow(
    'rules[1].name: another rule is called "a"',
  );
  expect(() => toPolicy({ keep: "1 day", name: "otherwise" })).toThrow("rules[0].name");
});

test.each([
  ["the longest keep counts", [{ keep: "1 month" }, { keep: "2 years" }], "2024-01-01", undefined],
  [
    "it is named when it has passed",
    [{ keep: "1 month" }, { keep: "2 years" }],
    "2023-01-01",
    "r1",
  ],
  ["the shortest erase counts", [{ erase: "9 months" }, { erase: "3 months" }], "2025-03-01", "r1"],
  ["erase wins over keep", [{ keep: "9 years" }, { erase: "30 days" }], "2025-05-01", "r1"],
  [
    "keep counts until erase has passed",
    [{ keep: "1 day" }, { erase: "1 year" }],
    "2025-06-01",
    "r0",
  ],
  ["a keep that fits leaves no otherwise", [{ keep: "3 years" }], "2023-06-15", undefined],
] as const)("%s", (_what, rules, began, rule) => {
  expect(findRule(toPolicy(...rules), `${began}T10:00:00Z`)).toBe(rule);
});

test("a call that no rule fits is due by otherwise, and without that never", () => {
  expect(findRule(toPolicy(), "2024-06-14T10:00:00Z")).toBe("otherwise");
  const { otherwise: _otherwise, ...rest } = toPolicy({ keep: "1 day" });
  expect(findRule(rest, "1990-01-01T10:00:00Z", "other")).toBeUndefined();
});

test("a period goes by the calendar of the archive, and its first day is kept whole", () => {
  const day = "2024-03-31";
  const of = (keep: string) =>
    createRetention(parsePolicy(JSON.stringify({ retention: 1, otherwise: { keep } })), {
      day,
      timeZone: "Europe/Berlin",
    }).untilMs;
  expect(of("1 month")).toBe(Date.parse("2024-02-28T23:00:00Z"));
  expect(of("13 months")).toBe(Date.parse("2023-02-27T23:00:00Z"));
  expect(of("31 days")).toBe(Date.parse("2024-02-28T23:00:00Z"));
  expect(of("99999 years")).toBe(Date.parse("1899-12-31T23:00:00Z"));
});

test.each([
  ["otherwise.sound", { otherwise: { keep: "1 month", sound: "31 days" } }],
  ["otherwise.sound", { otherwise: { keep: "1 year", sound: "13 months" } }],
  ["rules[0].sound", { rules: [{ name: "a", where: WHERE, keep: "90 days", sound: "1 year" }] }],
])("a new policy keeps no recording for longer than its record: %s, %j", (place, given) => {
  const text = JSON.stringify({ retention: 1, ...given });
  expect(() => parseNewPolicy(text)).toThrow(`${place}: `);
  expect(() => parseNewPolicy(text)).toThrow(/is longer than keep, .*leave sound out/);
  // An archive may have it since before.
  expect(parsePolicy(text)).toMatchObject({ retention: 1 });
});

test.each([
  { keep: "1 month", sound: "30 days" },
  { keep: "1 year", sound: "12 months" },
  { keep: "18 months", sound: "90 days" },
  { keep: "1 year" },
])("a new policy may be %j", (otherwise) => {
  expect(parseNewPolicy(JSON.stringify({ retention: 1, otherwise }))).toMatchObject({ otherwise });
});
