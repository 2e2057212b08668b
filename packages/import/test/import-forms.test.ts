// Values show what is wrong in a mapping where the names of columns say little.
import { expect, test } from "vitest";
import { bring } from "./support/bring-doubts.ts";

const ROWS = 24;
const pad = (value: number) => String(value).padStart(2, "0");
const at = (n: number, seconds = 0) =>
  new Date(Date.UTC(2026, 7, 3 + n, 9, n, seconds)).toISOString().replace(".000Z", "Z");
const talk = (n: number) => 40 + ((n * 37) % 400);
const customer = (n: number) => `+1555000${pad(37 + n)}`;
const OWN = "+442079460000";
const agent = (n: number) => ["ann", "bob", "cyd"][n % 3] ?? "";

const toLines = (header: string, toRow: (n: number) => readonly (string | number)[]) => [
  header,
  ...Array.from({ length: ROWS }, (_, n) => toRow(n).join(",")),
];

test("a record has an identifier of its own, and one of its conversation", async () => {
  for (const [id, conversation] of [
    ["id", "conversation_id"],
    ["uid", "conversationUid"],
  ]) {
    const lines = toLines(`${id},${conversation},contact_id,initiated_at,admin_id`, (n) => [
      9_000 + n,
      `c${n}`,
      `ct${n}`,
      at(n),
      n % 3,
    ]);
    const fields = { call_id: `{${id}}`, session_id: `{${conversation}}`, agent: "{admin_id}" };
    const doubts = await bring({ fields: { ...fields, datetime: "{initiated_at}" } }, lines);
    expect(doubts.filter((one) => one.startsWith("stop"))).toEqual([]);
  }
});

test.each([
  ["min", (n: number) => (talk(n) / 60).toFixed(3), "s"],
  ["ms", (n: number) => talk(n) * 1_000, "s"],
  ["s", talk, "min"],
  ["h", (n: number) => (talk(n) / 3_600).toFixed(4), "s"],
])("the times of a row show that a duration is in %s", async (unit, toLength, other) => {
  const lines = toLines("Call ID,Start,End,Lasted", (n) => [n, at(n), at(n, talk(n)), toLength(n)]);
  const bringIt = (read: string) =>
    bring(
      {
        fields: {
          call_id: "{Call ID}",
          datetime: "{Start}",
          talk_time: { from: "{Lasted}", unit: read },
        },
      },
      lines,
    );
  expect(await bringIt(unit)).toEqual([]);
  expect(await bringIt(other)).toContainEqual(
    `stop durations: talk_time: {Lasted}, read in "${other}", and in "${unit}" until {End}`,
  );
});

test("the times of a row say nothing of a talk that is only a part of the call", async () => {
  const lines = toLines("Call ID,Start,End,Talked", (n) => [n, at(n), at(n, 900 - n), talk(n)]);
  const fields = { call_id: "{Call ID}", datetime: "{Start}", talk_time: "{Talked}" };
  expect(await bring({ fields }, lines)).toEqual([]);
});

test("date and time in columns of their own: the end is not the start", async () => {
  const lines = toLines("Call ID,Tag,T1,T2,Seconds", (n) => [
    n,
    at(n).slice(0, 10),
    at(n).slice(11, 19),
    at(n, talk(n)).slice(11, 19),
    talk(n),
  ]);
  const bringIt = (time: string) =>
    bring(
      {
        fields: {
          call_id: "{Call ID}",
          datetime: { from: `{Tag} {${time}}`, format: "yyyy-MM-dd HH:mm:ss" },
          talk_time: "{Seconds}",
        },
      },
      lines,
    );
  expect((await bringIt("T1")).filter((one) => one.startsWith("stop"))).toEqual([]);
  expect(await bringIt("T2")).toContainEqual(
    "stop columns: datetime: {Tag}, {T2}, and the start is {T1}",
  );
});

const COLUMNS = ["Call ID", "Start", "Ring Time", "Talk Time", "Caller", "Called", "Name", "Ext"];
const TABLE = toLines("", (n) => [
  n,
  at(n),
  `00:${pad(3 + (n % 9))}`,
  `00:0${n % 9}:5${n % 10}`,
  customer(n),
  OWN,
  "Smith",
  201 + (n % 3),
]).slice(1);

const bringTable = (one: string, other: string, rows = TABLE) => {
  const columns = COLUMNS.map((name) => (name === one ? other : name === other ? one : name));
  const fields = {
    call_id: "{Call ID}",
    datetime: "{Start}",
    talk_time: "{Talk Time}",
    ani: "{Caller}",
    dnis: "{Called}",
    agent: "{Ext}",
  };
  return bring({ table: { columns }, fields }, rows);
};

test("names of the mapping's own prove nothing, which is said", async () => {
  const own = "warn samples: table.columns: 8 names that the file does not have";
  expect(await bringTable("", "")).toEqual([own]);
  expect(await bringTable("Caller", "Ring Time")).toContainEqual("stop columns: ani: {Caller}");
  expect(await bringTable("Caller", "Name")).toContainEqual("warn columns: ani: {Caller}");
  expect(await bringTable("Talk Time", "Ring Time")).toContainEqual(
    "warn columns: talk_time: {Talk Time}, and there is {Ring Time}",
  );
  expect(await bringTable("Call ID", "Ext")).toContainEqual(
    expect.stringMatching(/^stop shared-id: call_id: \{Call ID\}, 3 of 24 rows/),
  );
  expect(await bringTable("Caller", "Ext")).toContainEqual("warn columns: agent: {Ext}");
  const counts = TABLE.map((row) => row.replace(",00:", ","));
  expect(await bringTable("Caller", "Ring Time", counts)).toContainEqual(
    "warn columns: ani: {Caller}",
  );
});

test("a column that tells nothing is read, and one that nothing reads has the name", async () => {
  const lines = toLines("Call ID,Start,Standort,Nebenstelle,Dauer,Umfrage,Origin,Telefon", (n) => [
    n,
    at(n),
    "Berlin",
    201 + (n % 3),
    talk(n),
    n % 5,
    "DEU",
    customer(n),
  ]);
  const bringIt = (field: string, name: string) =>
    bring({ fields: { call_id: "{Call ID}", datetime: "{Start}", [field]: `{${name}}` } }, lines);
  expect(await bringIt("agent", "Standort")).toEqual([
    "warn columns: agent: {Standort}, and there is {Nebenstelle}",
  ]);
  expect(await bringIt("talk_time", "Umfrage")).toContainEqual(
    "warn columns: talk_time: {Umfrage}, and there is {Dauer}",
  );
  expect(await bringIt("ani", "Origin")).toEqual([
    "warn columns: ani: {Origin}, and there is {Telefon}",
  ]);
  for (const [field, name] of [
    ["agent", "Nebenstelle"],
    ["talk_time", "Dauer"],
    ["ani", "Telefon"],
  ] as const)
    expect(await bringIt(field, name)).toEqual([]);
});

test("an agent with a call of every row is said", async () => {
  const lines = toLines("Call ID,Start,Agent,Taker", (n) => [n, at(n), agent(n), `t${n}`]);
  const fields = { call_id: "{Call ID}", datetime: "{Start}" };
  expect(await bring({ fields: { ...fields, agent: "{Agent}" } }, lines)).toEqual([]);
  expect(await bring({ fields: { ...fields, agent_name: "{Taker}" } }, lines)).toContainEqual(
    expect.stringMatching(/^warn columns: agent_name: \{Taker\}/),
  );
});

test("six digits that are hours, minutes and seconds are no count of seconds", async () => {
  const toDigits = (seconds: number) => `00${pad(Math.floor(seconds / 60))}${pad(seconds % 60)}`;
  const toTable = (toLength: (n: number) => string) =>
    toLines("Call ID,Start,Lasted", (n) => [n, at(n), toLength(n)]);
  const fields = { call_id: "{Call ID}", datetime: "{Start}", talk_time: "{Lasted}" };
  const parted = {
    let: { length: { from: "{Lasted}", match: "^(?<h>..)(?<m>..)(?<s>..)$" } },
    fields: { ...fields, talk_time: "{length.h}:{length.m}:{length.s}" },
  };
  const table = toTable((n) => toDigits(talk(n)));
  expect(await bring({ fields }, table)).toEqual(["warn durations: talk_time: {Lasted}"]);
  expect(await bring(parted, table)).toEqual([]);
  expect(
    await bring(
      { fields },
      toTable((n) => String(talk(n)).padStart(6, "0")),
    ),
  ).toEqual([]);
});

test("a talk that is counted from the start, where there is the answer, is said", async () => {
  const lines = toLines("Call ID,Start,Answer Time,End", (n) => [
    n,
    at(n),
    at(n, 7),
    at(n, 7 + talk(n)),
  ]);
  const bringIt = (minus: string) =>
    bring(
      {
        fields: {
          call_id: "{Call ID}",
          datetime: "{Start}",
          talk_time: { from: "{End}", minus, format: "iso" },
        },
      },
      lines,
    );
  expect(await bringIt("{Answer Time}")).toEqual([]);
  expect(await bringIt("{Start}")).toEqual([
    "warn columns: talk_time: {End}, {Start}, and there is {Answer Time}",
  ]);
});

test("seconds since 1970 are not read as milliseconds for a duration", async () => {
  const answer = 1_790_900_009;
  const bringIt = (format: string, [since, factor]: readonly [number, number], rows = 12) => {
    const lines = toLines("id,start,up,down", (n) => [
      n,
      at(n),
      since + n * 7_000 * factor,
      since + (n * 7_000 + 60 * n) * factor,
    ]).slice(0, rows + 1);
    const talk_time = { from: "{down}", minus: "{up}", format };
    return bring({ fields: { call_id: "{id}", datetime: "{start}", talk_time } }, lines);
  };
  const said = (effect: string) =>
    expect.stringMatching(
      `^${effect} durations: fields.talk_time: from 17909\\d+ to 17909\\d+, read as`,
    );
  expect(await bringIt("unix-ms", [answer, 1])).toContainEqual(said("stop"));
  expect(await bringIt("unix-ms", [answer, 1], 2)).toContainEqual(said("warn"));
  expect(await bringIt("unix", [answer, 1])).toEqual([]);
  expect(await bringIt("unix-ms", [answer * 1_000, 1_000])).toEqual([]);
  expect(await bringIt("unix-ms", [100, 1_000])).toEqual([]);
});

test("an extension that is read for a number may be the agent that another column was taken for", async () => {
  const lines = toLines("Extension,Line,Customer,Start", (n) => [
    201 + (n % 3),
    "L1",
    customer(n),
    at(n),
  ]);
  const fields = { ani: "{Customer}", dnis: "{Extension}", datetime: "{Start}" };
  expect(await bring({ fields: { ...fields, agent: "{Line}" } }, lines)).toContainEqual(
    "warn columns: agent: {Line}, and there is {Extension}",
  );
});
