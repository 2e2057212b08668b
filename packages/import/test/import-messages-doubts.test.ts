// Times of messages, compared with the calls they belong to.
import { expect, test } from "vitest";
import { bring } from "./support/bring-doubts.ts";

const CALLS = 6;
const pad = (n: number) => String(n).padStart(2, "0");
const at = (n: number, hour = 9, minute = 0) =>
  `2024-08-${pad(n + 1)} ${pad(hour)}:${pad(minute)}:00`;

const RIGHT = { from: "{$each.at}", format: "yyyy-MM-dd HH:mm:ss", zone: "UTC" };
const toMapping = (datetime: object) => ({
  fields: { call_id: "{id}", datetime: "{start}", handle_time: "{length}" },
  chats: [
    {
      each: "turns.*",
      fields: {
        datetime,
        party_type: "{$each.by}",
        label: "{$each.by}",
        transcript: "{$each.text}",
        room_id: "{id}",
      },
    },
  ],
});

const toCalls = (toTimes: (n: number) => readonly string[]) =>
  Array.from({ length: CALLS }, (_, n) => ({
    id: `c${n}`,
    start: `${at(n, 9 + n).replace(" ", "T")}Z`,
    length: 600 + n,
    turns: toTimes(n).map((one, turn) => ({ at: one, by: "customer", text: `text ${n} ${turn}` })),
  }));

const judge = async (datetime: object, toTimes: (n: number) => readonly string[]) => {
  const doubts = await bring(toMapping(datetime), toCalls(toTimes), { file: "log.jsonl" });
  return doubts
    .filter((doubt) => /^\S+ (?:dates|zone)/.test(doubt))
    .map((doubt) => doubt.replaceAll(/[^ ]*\/log/g, "log"));
};

const inTime = (n: number) => [at(n, 9 + n, 1), at(n, 9 + n, 4)];

test("messages of their call are in no doubt, nor is one that is answered a while later", async () => {
  expect(await judge(RIGHT, inTime)).toEqual([]);
  expect(await judge(RIGHT, (n) => [at(n, 9 + n, 1), at(n, 20, n)])).toEqual([]);
});

test("messages that lie hours from their calls, all by as many, are of another zone", async () => {
  const wrong = { ...RIGHT, zone: "Asia/Tokyo" };
  expect(await judge(wrong, inTime)).toEqual([expect.stringMatching(/^stop zone: log[.]jsonl:1/)]);
});

test("messages that are near their calls with day and month exchanged stop, two only warn", async () => {
  const exchanged = { ...RIGHT, format: "yyyy-dd-MM HH:mm:ss" };
  expect(await judge(exchanged, inTime)).toEqual([
    expect.stringMatching(/^stop dates: log[.]jsonl:1: datetime "2024-01-08T09:01/),
  ]);
  const few = (n: number) => (n < 2 ? inTime(n) : []);
  expect(await judge(exchanged, few)).toEqual([
    expect.stringMatching(/^warn dates: log[.]jsonl:1/),
  ]);
  expect(await judge(RIGHT, few)).toEqual([]);
});

test("a message before its call or more than a day after its end is said", async () => {
  const before = (n: number) => (n === 2 ? [at(1), at(n, 9 + n, 1)] : inTime(n));
  expect(await judge(RIGHT, before)).toEqual([`warn dates: log.jsonl:3: call_id "c2"`]);
  const after = (n: number) => (n === 2 ? [at(n, 9 + n, 1), at(n + 2)] : inTime(n));
  expect(await judge(RIGHT, after)).toEqual([`warn dates: log.jsonl:3: call_id "c2"`]);
});

test("a file of messages alone is judged by the days it covers, and by dates that none has", async () => {
  const lines = [
    "id,at,by,text",
    ...Array.from({ length: CALLS }, (_, n) => `${n},${at(n)},agent,Hi`),
  ];
  const bringIt = async (format: string) => {
    const datetime = { from: "{at}", format, zone: "UTC" };
    const fields = {
      call_id: "{id}",
      datetime,
      party_type: "{by}",
      label: "{by}",
      transcript: "{text}",
      room_id: "{id}",
    };
    const doubts = await bring({ kind: "chat", fields }, lines);
    return doubts.filter((doubt) => doubt.includes(" dates"));
  };
  expect(await bringIt("yyyy-MM-dd HH:mm:ss")).toEqual([]);
  expect(await bringIt("yyyy-dd-MM HH:mm:ss")).toEqual([expect.stringMatching(/^stop dates/)]);
  expect(
    await judge({ from: "{$each.at}", format: "unix-ms" }, () => ["1724230800"]),
  ).toContainEqual(expect.stringMatching(/^stop dates: log[.]jsonl:1: datetime "1970-01/));
});
