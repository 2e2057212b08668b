// What conditions find in a record, in its chat, and by the clock.
import { fieldsOf } from "@call-media/api";
import type { CallRecord } from "@call-media/client";
import { describe, expect, test } from "vitest";
import { createClock, parseCondition, toJudge } from "../src/index.ts";

interface Zones {
  readonly timeZone?: string;
  readonly archiveZone?: string;
}

const FIELDS = fieldsOf("MetadataRecord");
const toJudgeOf = (condition: string, { timeZone, archiveZone }: Zones = {}) =>
  toJudge(
    parseCondition(condition, FIELDS),
    createClock({ timeZone, archiveZone: () => archiveZone }),
  );
const isMet = (condition: string, record: CallRecord) => toJudgeOf(condition)(record, "") === true;

const NOTHING = Object.fromEntries(FIELDS.map((field) => [field, null]));
// Every field of the contract is there.
const toRecord = (fields: Partial<CallRecord>) => ({ ...NOTHING, ...fields }) as CallRecord;

const CALL = toRecord({
  datetime: "2026-03-02T06:14:00+01:00",
  call_id: "300000004821507",
  agent: "ana.kovac",
  disposition: "Refund: agreed",
  talk_time: 601,
  zip: "0900",
  ani: "(030) 99 88 77",
  city: "a\tbé",
  notes: 'said "no"',
});

test("a field that a service leaves out has no value", () => {
  const { notes: _, ...others } = CALL;
  const record = others as CallRecord; // some services do so
  const finds = (condition: string) => isMet(condition, record);
  expect(finds('notes == null && notes != "x" && !(notes != null)')).toBe(true);
  expect(finds('notes ~ "un" || notes == "undefined" || notes < 1')).toBe(false);
});

test.each([
  "2026-03-02T06:14:00+01",
  "2026-03-02T06:14:00,5+01",
  "2026-03-02T06:14+0100",
  "2026-03-02 06:14 +01",
  "2026-03-02t05:14:00z",
  "2026-03-02T06:13:60+01:00", // a leap second
])("the moment of %s is known", (datetime) => {
  const moment = 'datetime > "2026-03-02T05:13:00Z" && datetime < "2026-03-02T05:15:00Z"';
  expect(isMet(moment, toRecord({ datetime }))).toBe(true);
  expect(isMet("datetime > 2026-03-02T05:13:00", toRecord({ datetime }))).toBe(true);
});

describe("finds", () => {
  test.each([
    'talk_time > 600 && disposition ~ "refund"',
    "talk_time > 10m && talk_time > 10:00 && talk_time < 1h && talk_time == 601s",
    'talk_time < 0:11:00 && talk_time != "10:00"',
    "talk_time >= 601 && talk_time <= 601 && talk_time == 601",
    'agent == "ANA.KOVAC" && agent != "ana"',
    "datetime > 2026-03-02 && datetime < 2026-03-03",
    "datetime == '2026-03-02T05:14:00Z'",
    "campaign == null && agent != null",
    'campaign != "Sales"',
    '!(campaign == "Sales") && !talk_time < 600',
    'agent == "x" || agent == "ana.kovac" && talk_time > 1',
    "zip < 1000 && zip > 899",
    'notes ~ "\\"NO\\""',
    'notes ~ "no" && disposition ~ "refund agreed"',
    'ani == "+49 30 998877" && ani == 030998877 && ani != "+49 30 998878"',
    // As JSON has them, which the page writes.
    'city == "a\\tb\\u00e9"',
    "call_id ~ 4821",
  ])("%s", (condition) => {
    expect(isMet(condition, CALL)).toBe(true);
  });
});

describe("does not find", () => {
  test.each([
    "talk_time > 601",
    // && goes before ||.
    '(agent == "ana.kovac" || agent == "x") && talk_time > 1000',
    'campaign ~ "s"',
    "handle_time < 10",
    "handle_time > 10",
    "agent < 10",
    "datetime < 2026-03-02T05:00:00Z",
    'custom_field_20 == ""',
  ])("%s", (condition) => {
    expect(isMet(condition, CALL)).toBe(false);
  });
});

describe("datetimes without an offset are what the clock shows", () => {
  const LOCAL = "2026-03-02T06:14:00";
  const ZONED = "2026-03-02T06:14:00+05:00";

  test("unchanged, without a requested zone", () => {
    for (const datetime of [LOCAL, ZONED]) {
      const record = toRecord({ datetime });
      expect(isMet("datetime == 2026-03-02T06:14:00", record)).toBe(true);
      expect(isMet("datetime < 2026-03-02T06:14", record)).toBe(false);
    }
  });

  test.each<[Zones, string, string]>([
    // In March Berlin is an hour ahead of UTC.
    [{ timeZone: "Europe/Berlin" }, ZONED, "datetime == 2026-03-02T02:14"],
    [{ timeZone: "Europe/Berlin" }, LOCAL, "datetime == 2026-03-02T06:14"],
    [{ timeZone: "Europe/Berlin", archiveZone: "-01:00" }, LOCAL, "datetime == 2026-03-02T08:14"],
    [{ archiveZone: "-01:00" }, ZONED, "datetime == 2026-03-02T06:14"],
    [{ archiveZone: "-01:00" }, LOCAL, "datetime == 2026-03-02T06:14"],
    [{ archiveZone: "-01:00" }, LOCAL, "datetime == 2026-03-02T07:14Z"],
    [{ archiveZone: "-01:00" }, ZONED, "datetime == 2026-03-02T02:14+01:00"],
    [{}, LOCAL, "datetime == 2026-03-02T06:14Z"],
    [{ archiveZone: "Europe/Berlin" }, LOCAL, "datetime == 2026-03-02T05:14Z"],
    [{ archiveZone: "Europe/Berlin" }, "2026-07-02T06:14:00", "datetime == 2026-07-02T04:14Z"],
    [{ archiveZone: "-07:00" }, ZONED, "datetime >= 2026-03-02 && datetime < 2026-03-03"],
  ])("%j %s %s", (zone, datetime, condition) => {
    const record = toRecord({ datetime });
    expect(toJudgeOf(condition, zone)(record, undefined)).toBe(true);
    expect(toJudgeOf(`!(${condition})`, zone)(record, undefined)).toBe(false);
  });
});

test("seconds that the service writes as text are numbers", () => {
  // D02: some services do, against the type.
  const text = toRecord({ talk_time: "95" as unknown as number });
  expect(isMet("talk_time < 600", text)).toBe(true);
});

test.each([
  ["composed", "José Núñez", "nu\u0301n\u0303ez"],
  ["decomposed", "Jose\u0301 Nu\u0301n\u0303ez", "núñez"],
])("letters with accents are found however they are written: %s", (_, written, wanted) => {
  const record = toRecord({ agent_name: written, notes: null });
  expect(isMet(`agent_name ~ "${wanted}"`, record)).toBe(true);
  expect(isMet(`agent_name == "${written.normalize("NFD")}"`, record)).toBe(true);
  expect(isMet(`agent_name != "${written.normalize("NFC")}"`, record)).toBe(false);
  expect(isMet(`notes ~ "${wanted}"`, record)).toBe(false);
});

test.each([
  ["ΟΔΟΣ", "οδοσ"],
  ["οδος", "σ"],
  ["ΟΔΟΣ", "δος"],
  ["Straße", "STRASSE"],
  ["İzmir", "i"],
])("letter case is ignored: %s contains %s", (written, wanted) => {
  expect(isMet(`agent ~ "${wanted}"`, toRecord({ agent: written }))).toBe(true);
});

describe("a condition on the transcript also reads the chat:", () => {
  const record = toRecord({ transcript: "A refund was agreed.", talk_time: 60 });
  const judge = (condition: string, chat?: string) => toJudgeOf(condition)(record, chat);

  test.each([
    // The record alone decides.
    ['transcript ~ "REFUND"', true],
    ['transcript ~ "gift" && talk_time > 600', false],
    ['transcript ~ "gift" || talk_time == 60', true],
    ['!(transcript ~ "refund") || talk_time > 600', false],
    // Only ~ looks at chats.
    ['transcript == "gift"', false],
    // The chat decides.
    ['transcript ~ "gift"', undefined],
    ['!(transcript ~ "gift")', undefined],
    ['transcript ~ "refund" && !(transcript ~ "gift")', undefined],
  ])("%s is %s while the chat is not known", (condition, known) => {
    expect(judge(condition)).toBe(known);
    expect(judge(condition, "a GIFT card")).toBe(known ?? !condition.includes("!"));
    expect(judge(condition, "")).toBe(known ?? condition.includes("!"));
  });
});
