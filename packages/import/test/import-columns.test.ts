// A mapping that reads the wrong column of a good export: names and values show it before a row is written.
import { expect, test } from "vitest";
import type { Allowance } from "../src/index.ts";
import { bring } from "./support/bring-doubts.ts";

const LOG = [
  "Call ID,Start Time,End Time,Caller,Dialed Number,Agent,Queue,Direction,Talk Time,Ring Time",
  "c1,2026-08-21T09:00:00,2026-08-21T09:01:05,+15550100,+15559000,ann,sales,inbound,65,4",
  "c2,2026-08-21T09:10:00,2026-08-21T09:12:10,+15550101,+15559000,bob,help,inbound,130,6",
  "c3,2026-08-21T09:20:00,2026-08-21T09:20:30,+15559000,+15550102,ann,sales,outbound,30,9",
  "c4,2026-08-21T09:30:00,2026-08-21T09:31:01,+15550103,+15559000,cyd,sales,inbound,61,2",
];
const FIELDS = {
  call_id: "{Call ID}",
  datetime: "{Start Time}",
  ani: "{Caller}",
  dnis: "{Dialed Number}",
  agent: "{Agent}",
  skill: "{Queue}",
  call_type: { from: "{Direction}", values: { inbound: "Inbound", outbound: "Outbound" } },
  talk_time: "{Talk Time}",
};

test.each([
  ["is right", {}, []],
  [
    "takes the end for the start",
    { datetime: "{End Time}" },
    ["datetime: {End Time}, and there is {Start Time}"],
  ],
  [
    "exchanges caller and called",
    { ani: "{Dialed Number}", dnis: "{Caller}" },
    ["ani: {Dialed Number}, and there is {Caller}; dnis: {Caller}, and there is {Dialed Number}"],
  ],
  [
    "exchanges agent and queue",
    { agent: "{Queue}", skill: "{Agent}" },
    ["agent: {Queue}, and there is {Agent}; skill: {Agent}, and there is {Queue}"],
  ],
  [
    "takes the ringing for the talk",
    { talk_time: "{Ring Time}" },
    ["talk_time: {Ring Time}, and there is {Talk Time}"],
  ],
  [
    "reads a right column second",
    { agent: ["{Queue}", "{Agent}"] },
    ["agent: {Queue}, and there is {Agent}"],
  ],
  [
    "reads it by a named value",
    { skill: "{who}" },
    ["skill: {Agent}, and there is {Queue}"],
    { let: { who: "{Agent}" } },
  ],
])("a mapping that %s", async (_, changed, found, others: object = {}) => {
  const mapping = { ...others, fields: { ...FIELDS, ...changed } };
  expect(await bring(mapping, LOG)).toEqual(found.map((one) => `stop columns: ${one}`));
  const fields = found.flatMap((one) => [...one.matchAll(/(\w+): \{/g)].map(([, field]) => field));
  const allow = fields.map((field) => `columns:${field}` as const);
  expect(await bring(mapping, LOG, { allow })).toEqual(found.map((one) => `warn columns: ${one}`));
});

test("a record's own identifier that is read beside another one as unique is in doubt, and legs are not", async () => {
  const rows = ["a1,c1", "a2,c2", "a3,c3"].map((row, n) => `${row},2026-08-21T09:0${n}:00`);
  const fields = { call_id: "{conversation_id}", ref_id: "{id}", datetime: "{start_time}" };
  const right = { ...fields, call_id: "{id}", ref_id: "{conversation_id}" };
  const table = ["id,conversation_id,start_time", ...rows];
  expect(await bring({ fields }, table)).toEqual([
    "warn columns: call_id: {conversation_id}, and there is {id}",
  ]);
  expect(await bring({ fields: right }, table)).toEqual([]);
  const legs = [...table, "a4,c1,2026-08-21T09:04:00"];
  expect(await bring({ fields }, legs)).toEqual([]);
});

test("what is allowed for one field stops for another", async () => {
  const fields = { ...FIELDS, ani: "{Dialed Number}", dnis: "{Caller}" };
  const bringIt = (...allow: Allowance[]) => bring({ fields }, LOG, { allow });
  const stopped = [expect.stringMatching("^stop columns: ani: .*dnis: ")];
  expect(await bringIt("columns:ani", "columns:skill")).toEqual(stopped);
  expect(await bringIt("columns:ani", "columns:dnis")).toEqual([
    expect.stringMatching("^warn columns: ani: .*dnis: "),
  ]);
});

test("members of JSON are judged by their paths", async () => {
  const call = (id: string) => ({
    id,
    caller: { number: "5550100" },
    agent: { id: "7" },
    queue: { name: "sales" },
    started_at: "2026-08-21T09:00:00Z",
  });
  const fields = { call_id: "{id}", datetime: "{started_at}", ani: "{caller.number}" };
  const bringIt = (agent: string, skill: string) =>
    bring({ fields: { ...fields, agent, skill } }, [call("a"), call("b")], { file: "log.jsonl" });
  expect(await bringIt("{agent.id}", "{queue.name}")).toEqual([]);
  expect(await bringIt("{queue.name}", "{agent.id}")).toEqual([
    "stop columns: agent: {queue.name}, and there is {agent.id}; skill: {agent.id}, and there is {queue.name}",
  ]);
});

test("a date with the time of the end is the end, in any language of the table", async () => {
  const lines = [
    "Anruf-ID;Datum;Uhrzeit;Ende;Anrufer;Gerufene Nummer;Gesprächsdauer;Wartezeit",
    "1;21.08.2026;09:00:00;09:01:05;+4930100;+4930900;65;4",
    "2;21.08.2026;09:10:00;09:12:10;+4930101;+4930900;130;9",
  ];
  const bringIt = (time: string, talk_time: string) =>
    bring(
      {
        fields: {
          call_id: "{Anruf-ID}",
          datetime: { from: `{Datum} ${time}`, format: "dd.MM.yyyy HH:mm:ss" },
          ani: "{Anrufer}",
          dnis: "{Gerufene Nummer}",
          talk_time,
        },
      },
      lines,
    );
  expect(await bringIt("{Uhrzeit}", "{Gesprächsdauer}")).toEqual([]);
  expect(await bringIt("{Ende}", "{Wartezeit}")).toEqual([
    "stop columns: datetime: {Datum}, {Ende}, and there is {Uhrzeit}; talk_time: {Wartezeit}, and there is {Gesprächsdauer}",
  ]);
});

test("a field that a sample expects is in no doubt: a person has looked", async () => {
  const samples = [{ file: "log.csv", text: LOG.slice(0, 2), expect: [{ agent: "sales" }] }];
  const fields = { call_id: "{Call ID}", agent: "{Queue}" };
  expect(await bring({ fields }, LOG)).toContainEqual(expect.stringMatching("^stop columns"));
  expect(await bring({ fields, samples }, LOG)).toEqual([]);
});

test("a column that has the name of another field is said where none is better", async () => {
  const fields = { call_id: "{id}", agent: "{queue}" };
  expect(await bring({ fields }, ["id,queue", "1,sales", "2,help"])).toEqual([
    "warn columns: agent: {queue}, as skill",
  ]);
});

test("a column that is mostly empty, or equal to the one that is read, is no better one", async () => {
  const fields = { call_id: "{id}", agent: "{user}" };
  expect(await bring({ fields }, ["id,user,agent", "1,ann,", "2,bob,x", "3,cyd,"])).toEqual([]);
  expect(await bring({ fields }, ["id,user,agent", "1,ann,ann", "2,bob,bob"])).toEqual([]);
  expect(await bring({ fields }, ["id,user,agent", "1,a,ann", "2,b,bob"])).toEqual([
    "warn columns: agent: {user}, and there is {agent}",
  ]);
});

// Names that say nothing.
const toRows = (count: number, toRow: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => toRow(n));
const at = (minutes: number, seconds = 0) =>
  new Date(Date.UTC(2026, 7, 21, 9, minutes, seconds)).toISOString().slice(0, 19);

// What has neither a name nor a rival is said with its values.
const SHOWN: unknown = expect.stringMatching(/^warn columns: .*, such as "/);

test("a time that another one precedes by the duration is the end", async () => {
  const rows = ["id,t1,t2,len", ...toRows(5, (n) => `${n},${at(n)},${at(n, 40 + n)},${40 + n}`)];
  const bringIt = (datetime: string) =>
    bring({ fields: { call_id: "{id}", datetime, talk_time: "{len}" } }, rows);
  expect(await bringIt("{t1}")).toEqual([SHOWN]);
  expect(await bringIt("{t2}")).toEqual(["stop columns: datetime: {t2}, and the start is {t1}"]);
});

const FIELDS_OF_LEGS = { datetime: "{start}", call_id: "{q}" };

test("a call_id that most rows share stops, and legs of calls do not", async () => {
  const rows = ["id,start,q", ...toRows(8, (n) => `${n},${at(n)},${n % 2 ? "b" : "a"}`)];
  const bringIt = async (mapping: object, lines = rows) => {
    const doubts = await bring({ ...mapping, fields: FIELDS_OF_LEGS }, lines);
    return doubts.filter((one) => one !== "warn columns: call_id: {q}, and there is {id}");
  };
  const shared = "stop shared-id: call_id: {q}, 2 of 8 rows";
  expect(await bringIt({})).toEqual([shared]);
  expect(await bringIt({ identity: ["{id}"] })).toEqual([]);
  expect(await bringIt({ group: { by: ["{q}"] } })).toEqual([]);
  const days = ["id,start,q", ...toRows(8, (n) => `${n},${at(n * 1_440)},${n % 2 ? "b" : "a"}`)];
  expect(await bringIt({ identity: ["{id}"] }, days)).toEqual([shared]);
});

test("talk that lasts longer than the handling stops", async () => {
  const rows = ["id,a,b", ...toRows(4, (n) => `${n},${60 + n},${90 + n}`)];
  const bringIt = (talk: string, handle: string) =>
    bring({ fields: { call_id: "{id}", talk_time: talk, handle_time: handle } }, rows);
  expect(await bringIt("{a}", "{b}")).toEqual([SHOWN]);
  expect(await bringIt("{b}", "{a}")).toContainEqual(
    "stop columns: talk_time: {b}, handle_time: {a}",
  );
});

test("what differs in every row is no queue, and a link is no agent", async () => {
  const rows = ["id,x,y", ...toRows(20, (n) => `${n},x${n},https://a.example/${n}.wav`)];
  expect(await bring({ fields: { call_id: "{id}", skill: "{x}" } }, rows)).toEqual([
    "stop columns: skill: {x}",
  ]);
  expect(await bring({ fields: { call_id: "{id}", agent: "{y}" } }, rows)).toEqual([
    "stop columns: agent: {y}",
  ]);
});

test("words in the field of a number are said where its name does not tell", async () => {
  const bringIt = (name: string) =>
    bring({ fields: { call_id: "{id}", ani: `{${name}}` } }, [
      `id,${name}`,
      "1,佐藤",
      "2,鈴木",
      "3,anonymous",
    ]);
  expect(await bringIt("担当者")).toEqual(["warn columns: ani: {担当者}"]);
  expect(await bringIt("Caller")).toEqual([]);
});

test.each([
  ["inbound", "{one}", "{many}"],
  ["outbound", "{many}", "{one}"],
])("%s calls show by their numbers which side is which", async (way, wrongAni, wrongDnis) => {
  const rows = ["id,one,many", ...toRows(30, (n) => `${n},+44207946${n % 2},+15550001${n}`)];
  const call_type = way === "inbound" ? "Inbound" : "Outbound";
  const bringIt = (ani: string, dnis: string) =>
    bring({ fields: { call_id: "{id}", call_type, ani, dnis } }, rows);
  expect(await bringIt(wrongDnis, wrongAni)).toEqual([
    SHOWN,
    `warn samples: fields.call_type: "${call_type}" for every call`,
  ]);
  expect(await bringIt(wrongAni, wrongDnis)).toContainEqual(
    expect.stringMatching(/^stop columns: .*log\.csv:2: ani /),
  );
});

test("codes of directions are proved by the numbers of both sides, or said", async () => {
  const bringIt = (one: string, two: string, count = 30) => {
    const rows = [
      "id,Caller,Called,w",
      ...toRows(count, (n) => `${n},+15550001${n},+442079460000,1`),
    ];
    const call_type = { from: "{w}", values: { 1: one, 2: two } };
    return bring(
      { fields: { call_id: "{id}", ani: "{Caller}", dnis: "{Called}", call_type } },
      rows,
    );
  };
  expect(await bringIt("Inbound", "Outbound")).toEqual([]);
  expect(await bringIt("Outbound", "Inbound")).toContainEqual(
    expect.stringMatching(/^stop columns: .*log[.]csv:2: ani "[+]155500010", dnis /),
  );
  expect(await bringIt("Inbound", "Outbound", 3)).toContainEqual(
    'warn values: call_type: "1" becomes "Inbound"; call_type: "2" becomes "Outbound"',
  );
});

test.each([
  [{ inbound: "Outbound", outbound: "Inbound" }, "inbound"],
  [{ in: "Outbound", out: "Inbound" }, "in"],
  [{ I: "Outbound", O: "Inbound" }, "I"],
])("a table of values that makes the opposite stops: %j", async (values, text) => {
  const lines = ["id,w", `1,${text}`, `2,${text}`];
  const bringIt = (call_type: object) => bring({ fields: { call_id: "{id}", call_type } }, lines);
  expect(await bringIt({ from: "{w}", values })).toContainEqual(
    expect.stringMatching(`^stop values: fields.call_type: "${text}" becomes "Outbound"`),
  );
  expect(await bringIt({ from: "Outbound", when: { "{w}": text } })).toContainEqual(
    expect.stringMatching(`^stop values: fields.call_type: "${text}" becomes "Outbound"`),
  );
  expect(await bringIt({ from: "Inbound", when: { "{w}": text } })).toEqual([]);
});

test.each([
  [
    "in chats of calls",
    (message: object) => ({
      fields: { call_id: "{id}" },
      chats: [{ each: "turns.*", fields: message }],
    }),
  ],
  [
    "in a file of messages",
    (message: object) => ({ kind: "chat", fields: { call_id: "{id}", ...message } }),
  ],
])("who wrote a message is not exchanged, %s", async (_, toMapping) => {
  const turn = { at: "2026-08-21T09:00:00Z", by: "Visitor", name: "Ann", text: "Hello", room: "1" };
  const lines = [{ id: "1", turns: [turn], ...turn }];
  const stops = async (party_type: object) => {
    const mapping = JSON.stringify(
      toMapping({
        datetime: "{at}",
        party_type,
        label: "{name}",
        transcript: "{text}",
        room_id: "{room}",
      }),
    );
    const own = mapping.includes("turns")
      ? mapping.replaceAll(/\{(at|by|name|text|room)\}/g, "{$each.$1}")
      : mapping;
    const doubts = await bring(JSON.parse(own), lines, { file: "log.jsonl" });
    return doubts.filter((doubt) => doubt.startsWith("stop"));
  };
  const values = (Visitor: string, Agent: string) => ({ from: "{by}", values: { Visitor, Agent } });
  expect(await stops(values("customer", "agent"))).toEqual([]);
  expect(await stops(values("agent", "customer"))).toEqual([
    expect.stringMatching(
      /^stop values: .*"Visitor" becomes "agent"; .*"Agent" becomes "customer"/,
    ),
  ]);
  expect(await stops({ from: "agent", when: { "{by}": "Visitor" } })).toEqual([
    expect.stringMatching(/^stop values: .*"Visitor" becomes "agent"/),
  ]);
});

test("true of a column that is called outbound is outbound, and an internal call may be either", async () => {
  const lines = ["id,isOutbound,kind", "1,true,internal", "2,false,internal"];
  const bringIt = (call_type: object) => bring({ fields: { call_id: "{id}", call_type } }, lines);
  const values = (yes: string, no: string) => ({
    from: "{isOutbound}",
    values: { true: yes, false: no },
  });
  expect(await bringIt(values("Outbound", "Inbound"))).toEqual([]);
  expect(await bringIt(values("Inbound", "Outbound"))).toEqual([
    expect.stringMatching(/^stop values: .*"true" becomes "Inbound"; .*"false" becomes "Outbound"/),
  ]);
  const internal = { from: "{kind}", values: { internal: "Outbound" } };
  expect(await bringIt(internal)).not.toContainEqual(expect.stringContaining("values"));
});

test("a talk that is longer than that of a better column stops, and so does an exchange", async () => {
  const rows = ["ID,Duration,Talk Time", ...toRows(5, (n) => `${n},${90 + n},${60 + n}`)];
  expect(await bring({ fields: { call_id: "{ID}", talk_time: "{Duration}" } }, rows)).toEqual([
    "stop columns: talk_time: {Duration}, and there is {Talk Time}",
  ]);
  const names = [
    "ID,Agent,Agent Name",
    ...toRows(5, (n) => `${n},${n % 2},${n % 2 ? "ann" : "bob"}`),
  ];
  const fields = { call_id: "{ID}", agent: "{Agent Name}", agent_name: "{Agent}" };
  expect(await bring({ fields }, names)).toEqual([
    "stop columns: agent_name: {Agent}, and there is {Agent Name}",
  ]);
});

const DAYS = [
  ["21.08.2026", "08:01:05", "0:12:10"],
  ["21.08.2026", "9:15:40", "0:02:31"],
  ["22.08.2026", "17:40:12", "0:07:08"],
  ["23.08.2026", "22:03:59", "0:19:44"],
];

const bringDays = (name: string, times: readonly (string | undefined)[], more: object = {}) =>
  bring(
    { fields: { call_id: "{id}", datetime: { from: "{Datum}", format: "dd.MM.yyyy" }, ...more } },
    [`id;Datum;${name}`, ...DAYS.map(([day], n) => `${n};${day};${times[n]}`)],
  );

test.each([
  ["Uhrzeit", DAYS.map(([, time]) => time)],
  ["x", ["9:05 AM", "11:15 PM", "2:30 PM", "7:01 AM"]],
  ["x", ["09h05", "11h15", "14h30", "07h01"]],
])("a date stops whose time of day is in {%s}, which is not read: %j", async (name, times) => {
  expect(await bringDays(name, times)).toEqual([
    `stop columns: datetime: the time of day may be in {${name}}`,
  ]);
  expect(await bringDays(name, times, { custom_field_1: `{${name}}` })).toEqual([]);
});

test.each([
  ["x", ["09:05", "", "", ""]],
  ["Shift", ["08:00", "08:00", "08:00", "08:00"]],
  ["x", DAYS.map(([, , length]) => length)],
  ["Hold Time", ["09:05", "08:31", "07:12", "06:10"]],
  ["Cost", ["9.05", "11.15", "8.30", "7.01"]],
])("a date beside {%s} stops nothing: %j", async (name, times) => {
  expect(await bringDays(name, times)).toEqual([]);
});

test("a date alone that a sample expects, or whose times are read, is in no doubt", async () => {
  const lines = ["id;Datum;Uhrzeit", ...DAYS.map(([day, time], n) => `${n};${day};${time}`)];
  const datetime = { from: "{Datum}", format: "dd.MM.yyyy" };
  const expected = [{ datetime: "2026-08-21T00:00:00" }];
  const samples = [{ file: "log.csv", text: lines.slice(0, 2), expect: expected }];
  const fields = { call_id: "{id}", datetime };
  expect(await bring({ fields, samples }, lines)).toEqual([]);
  const both = { from: "{Datum} {Uhrzeit}", format: "dd.MM.yyyy H:mm:ss" };
  expect(await bring({ fields: { ...fields, datetime: both } }, lines)).toEqual([]);
  expect(await bring({ fields }, lines, { allow: ["columns:datetime"] })).toEqual([
    "warn columns: datetime: the time of day may be in {Uhrzeit}",
  ]);
});
