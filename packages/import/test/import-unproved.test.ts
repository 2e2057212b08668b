// Mappings that read something wrong, of which neither a name nor a rejected row tells: each is said, and what is certain stops.
import { expect, test } from "vitest";
import { bring } from "./support/bring-doubts.ts";

const ROWS = 30;
const pad = (value: number) => String(value).padStart(2, "0");

/** Calls of days that no order of day and month tells apart, each third one outbound. */
const CALLS = Array.from({ length: ROWS }, (_, n) => {
  const isOut = n % 3 === 2;
  const [customer, own] = [`+1555000${1_000 + n}`, "+442079460000"];
  return {
    id: `c-${n}`,
    date: `2026-09-0${3 + (n % 4)}`,
    time: `${pad(8 + (n % 9))}:${pad(n + 11)}:05`,
    utc_less: `${pad(6 + (n % 9))}:${pad(n + 11)}:05`,
    way: isOut ? "outgoing" : "incoming",
    caller: isOut ? own : customer,
    called: isOut ? customer : own,
    talk: 40 + n,
    wrap: 5 + (n % 7),
    hold: n % 4,
    zip1: `${10_000 + n}`,
    zip2: `${20_000 + n}`,
  };
});
const LINES = [
  "Call ID,Date,Time,Time 2,Direction,Caller,Called,Talk (s),Wrap Up (s),Hold (s),f17,f18",
  ...CALLS.map((call) => Object.values(call).join()),
];
const DIRECTIONS = {
  from: "{Direction}",
  values: { incoming: "Inbound", outgoing: "Outbound" },
};
const FIELDS = {
  call_id: "{Call ID}",
  datetime: { from: "{Date} {Time}", format: "yyyy-MM-dd HH:mm:ss" },
  call_type: DIRECTIONS,
  ani: "{Caller}",
  dnis: "{Called}",
  talk_time: "{Talk (s)}",
};
// Which of the two times is which zone's nothing tells.
const ZONES = "warn zone: {Date}, {Time}, read in Europe/London: {Time 2} is 2 h earlier";

const bringIt = async (fields: object, mapping: object = {}) => {
  const doubts = await bring({ ...mapping, fields: { ...FIELDS, ...fields } }, LINES);
  return doubts.filter((one) => one !== ZONES);
};

test("the right mapping is in no doubt, but for two times of which no column tells the zone", async () => {
  expect(await bringIt({})).toEqual([]);
  expect(await bring({ fields: FIELDS }, LINES)).toEqual([ZONES]);
});

test.each([
  [
    "a column of no known name, where another one may be meant",
    { agent: "{f17}" },
    "warn columns: agent: {f17}",
  ],
  [
    "no identifier, where a column has it",
    { call_id: undefined },
    "warn columns: call_id: there is {Call ID}",
  ],
  [
    "one direction for all, where a column says others",
    { call_type: "Inbound" },
    'stop values: fields.call_type: "Inbound" for every call, and {Direction} has "outgoing"',
  ],
  [
    "one direction for words that are none",
    { call_type: { from: "{f17}", values: { 10_000: "Inbound", 10_001: "Inbound" } } },
    'warn values: fields.call_type: "10000", "10001" all become "Inbound"',
  ],
  [
    "a condition that leaves out rows",
    { dnis: { from: "{Called}", when: { "{Direction}": "incoming" } } },
    "warn values: fields.dnis: 10 rows",
  ],
  [
    "a choice that the direction decides",
    { agent: [{ from: "{Called}", when: { "{Direction}": "incoming" } }, "{Caller}"] },
    'warn samples: fields.agent[0]: {Called} when {Direction} is "incoming"',
  ],
  [
    "the agent from the side of the customer",
    { agent: [{ from: "{Called}", when: { "{Direction}": "outgoing" } }, "{Caller}"] },
    /^stop columns: .*: agent and ani "/,
  ],
  ["caller and called from one column", { dnis: "{Caller}" }, /^stop columns: .*: ani and dnis "/],
  [
    "an alternative behind one that always has a value",
    { agent: [{ from: "{f17}" }, { from: "{f18}", when: { "{Direction}": "incoming" } }] },
    "warn columns: agent: {f17}",
  ],
  [
    "a handling without the work after the call",
    { handle_time: { from: "{Talk (s)}", plus: ["{Hold (s)}"] } },
    "warn columns: handle_time: {Talk (s)}, {Hold (s)}, without {Wrap Up (s)}",
  ],
  [
    "a date whose time is cut off",
    { datetime: { from: "{Date} {Time}", match: "^(\\S+)", format: "yyyy-MM-dd" } },
    "stop columns: datetime: the time of day may be in {Time 2}",
  ],
  [
    "the month for the day behind the year",
    { datetime: { from: "{Date} {Time}", format: "yyyy-dd-MM HH:mm:ss" } },
    /^stop dates: .*log[.]csv:2: datetime "2026-03-09T/,
  ],
  [
    "milliseconds for seconds",
    { talk_time: { from: "{Talk (s)}", unit: "ms" } },
    /^stop durations: /,
  ],
  [
    "minutes for seconds, which the name of the column says",
    { talk_time: { from: "{Talk (s)}", unit: "min" } },
    'stop durations: talk_time: {Talk (s)}, read in "min"',
  ],
  ["no duration at all", { talk_time: { from: "0" } }, /^warn durations: .*talk_time 0/],
])("%s", async (_, fields, doubt: string | RegExp) => {
  const said = (await bringIt(fields)).filter((one) =>
    typeof doubt === "string" ? one === doubt : doubt.test(one),
  );
  expect(said).not.toEqual([]);
});

test.each([
  ["withheld on both sides", () => ["Unknown", "Unknown"], []],
  ["internal, to the own mailbox", (n: number) => [`20${n}`, `20${n}`, "internal"], []],
  ["inbound, to the own extension", (n: number) => [`20${n}`, `20${n}`], ["warn"]],
  ["inbound, to the own number", (n: number) => [`020794600${n}`, `020794600${n}`], ["stop"]],
])("half of the calls are %s", async (_, toNumbers, effects) => {
  const odd = CALLS.slice(0, ROWS / 2).map((call, n) => {
    const [caller, called, way = "incoming"] = toNumbers(10 + n);
    return { ...call, id: `odd-${n}`, caller, called, way };
  });
  const lines = [...LINES, ...odd.map((call) => Object.values(call).join())];
  const doubts = await bring({ fields: FIELDS }, lines);
  const said = doubts.filter((one) => one.includes("ani and dnis"));
  expect(said.map((one) => one.slice(0, 4))).toEqual(effects);
});

test.each(["HH:ss:mm", "mm:HH:ss", "h:ss:mm a"])("no clock is written %s", async (clock) => {
  const datetime = { from: "{Date} {Time}", format: `yyyy-MM-dd ${clock}` };
  await expect(bringIt({ datetime })).rejects.toThrow(/has the (?:second|minute) before the /);
});

test.each([
  ["ms", "clock times", ["00:01:30", "0:45"], ["warn"]],
  ["min", "words and zeros", ["1m 35s", "0"], ["warn"]],
  ["s", "clock times, which seconds agree with", ["00:01:30", "0:45"], []],
  ["ms", "clock times and one number", ["00:01:30", "90000"], []],
])('"unit": "%s" of %s', async (unit, _, [first = "", second = ""], effects) => {
  const talk = { from: "{Talk}", unit };
  const lines = [
    "Call ID,Date,Talk",
    ...CALLS.map(({ id, date, time }, n) =>
      [id, `${date}T${time}Z`, n === 7 ? second : first].join(),
    ),
  ];
  const fields = { call_id: "{Call ID}", datetime: "{Date}", talk_time: talk };
  const said = (await bring({ fields }, lines)).filter((one) => one.includes("durations"));
  expect(said.map((one) => one.slice(0, 4))).toEqual(effects);
});
