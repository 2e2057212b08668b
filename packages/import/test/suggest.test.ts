// A mapping that is begun for a file: it reads back, nothing in it is silent, and no import writes a row by it before a person has looked.
import { writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { explainFiles, importFiles, ImportStopped, suggestMapping } from "../src/index.ts";
import { shipped } from "../src/formats/mapping/shipped.ts";
import { createArchive, writeLines } from "./support/archives.ts";

const LOG = [
  "Call ID;Call Start;Call End;Caller No;Dialled No;Agent Login;Queue Name;Direction;Talk Secs;Recording File;Shoe Size",
  "1001;21.08.2026 09:00:00;21.08.2026 09:01:05;+15550100;+15559000;ann;sales;IN;65;a.wav;41",
  "1002;22.08.2026 10:00:00;22.08.2026 10:02:10;+15550101;+15559000;bob;help;OUT;130;b.wav;42",
  "1002;22.08.2026 10:02:10;22.08.2026 10:03:10;+15550101;+15559000;cyd;help;XFER;60;;43",
];

test("names and values give fields, and every doubt is a line", async () => {
  const { guess, ...mapping } = await suggestMapping(await writeLines("log.csv", LOG));
  expect(mapping).toEqual({
    mapping: 2,
    fields: {
      call_id: "{Call ID}",
      datetime: { from: "{Call Start}", format: "dd.MM.yyyy HH:mm:ss" },
      ani: "{Caller No}",
      dnis: "{Dialled No}",
      call_type: { from: "{Direction}", values: { IN: "Inbound", OUT: "Outbound" } },
      agent: "{Agent Login}",
      talk_time: "{Talk Secs}",
      skill: "{Queue Name}",
    },
    media: ["{Recording File}"],
  });
  expect(guess).toEqual([
    expect.stringContaining("compare a few calls with the source"),
    expect.stringMatching(/^datetime: .* no offset: say the zone/),
    'call_type: {Direction}: which direction is "XFER"? Say it in "values"',
    expect.stringMatching(/^talk_time: .*65, 130, 60: are these seconds, and of the talk/),
    'media: {Recording File}: are these names of files, such as "a.wav"?',
    expect.stringMatching(/^call_id: .*1 of 3 rows .* "identity"/),
    "not read: Call End, Shoe Size",
  ]);
});

test("an import by it stops until the guesses are gone, and then reads all rows", async () => {
  const paths = [await writeLines("log.csv", LOG.slice(0, 3))];
  const { guess, media: _, ...mapping } = await suggestMapping(paths[0] ?? "");
  const bring = async (given: object) => {
    const mappingFile = await writeLines("map.json", [given]);
    return await importFiles({ store: createArchive("UTC"), paths, mappingFile });
  };
  await expect(bring({ ...mapping, guess })).rejects.toThrow(ImportStopped);
  await expect(bring({ ...mapping, guess })).rejects.toThrow("guesses that nobody has looked at");
  expect(await bring(mapping)).toMatchObject({ imported: 2, rejected: 0 });
});

test.each([
  [
    "an array below a page",
    [{ page: 1, total: 9, result: { calls: [{ id: "a", started_at: 1_787_302_800 }] } }],
    "result.calls.*",
    "unix",
  ],
  ["an array", [[{ id: "a", started_at: 1_787_302_800_123 }]], undefined, "unix-ms"],
  [
    "a record a line",
    [
      { id: "a", started_at: "2026-08-21T09:00:00Z" },
      { id: "b", started_at: "2026-08-21T09:00:00Z" },
      {},
    ],
    undefined,
    "iso",
  ],
  [
    "a call with lists of its own",
    [{ call_id: "a", started_at: "2026-08-21T09:00:00Z", turns: [{ text: "Hello" }] }],
    undefined,
    "iso",
  ],
])("%s", async (_, lines, records, format) => {
  const suggested = await suggestMapping(await writeLines("log.json", lines));
  expect(suggested).toMatchObject({ fields: { datetime: { from: "{started_at}", format } } });
  expect(suggested.records).toBe(records);
});

test.each([
  ["08/05/2026 09:00:00", "dd/MM/yyyy HH:mm:ss", ["day and month may be exchanged", "no offset"]],
  ["08/25/2026 9:00 PM", "M/d/yyyy h:mm a", ["no offset"]],
  ["2026-08-21 09:00:00 UTC", "yyyy-MM-dd HH:mm:ss z", []],
  ["Fri, 21 Aug 2026 09:00:00 +0000", "EEE, dd MMM yyyy HH:mm:ss ZZZ", []],
])("a start of %s is %s", async (text, format, doubts) => {
  const path = await writeLines("log.csv", ["id;Start Time", `1;${text}`]);
  const { fields, guess } = await suggestMapping(path);
  expect(fields["datetime"]).toEqual({ from: "{Start Time}", format });
  expect(guess.filter((line) => line.startsWith("datetime"))).toEqual(
    doubts.map((doubt) => expect.stringContaining(doubt)),
  );
});

test("a start of no known form is no field, and is said", async () => {
  const path = await writeLines("log.csv", ["id;Start Time", "1;the 21st of August"]);
  const { fields, guess } = await suggestMapping(path);
  expect(fields).toEqual({ call_id: "{id}" });
  expect(guess).toContainEqual(expect.stringContaining('"the 21st of August" has no known form'));
});

test.each([
  [
    "Anruf-ID;Datum;Uhrzeit;Ende;Anrufer;Mitarbeiter;Warteschlange;Gesprächsdauer",
    ["1;21.08.2026;09:00:00;09:01:05;+4930100;ann;sales;65"],
    {
      call_id: "{Anruf-ID}",
      datetime: { from: "{Datum} {Uhrzeit}", format: "dd.MM.yyyy HH:mm:ss" },
      ani: "{Anrufer}",
      agent: "{Mitarbeiter}",
      skill: "{Warteschlange}",
      talk_time: "{Gesprächsdauer}",
    },
  ],
  [
    "通話ID;発信番号;着信番号;開始日;開始時刻;内線番号;担当者名;キュー名;通話時間(秒);通話結果",
    ["1;0312345678;09012345678;2026/08/21;09:00:00;201;佐藤;営業;65;応答"],
    {
      call_id: "{通話ID}",
      datetime: { from: "{開始日} {開始時刻}", format: "yyyy/MM/dd HH:mm:ss" },
      ani: "{発信番号}",
      dnis: "{着信番号}",
      agent: "{内線番号}",
      agent_name: "{担当者名}",
      skill: "{キュー名}",
      talk_time: "{通話時間(秒)}",
      disposition: "{通話結果}",
    },
  ],
])("heads in other languages, and a date beside a time: %s", async (header, rows, fields) => {
  const suggested = await suggestMapping(await writeLines("log.csv", [header, ...rows]));
  expect(suggested.fields).toEqual(fields);
});

test("a date and a time are one moment, and a column names its zone", async () => {
  const lines = ["id,Date,Time,Time Zone", "1,2026-08-21,09:00,Asia/Tokyo"];
  const { fields, guess } = await suggestMapping(await writeLines("log.csv", lines));
  expect(fields["datetime"]).toEqual({ from: "{Date} {Time}", format: "iso", zone: "{Time Zone}" });
  expect(guess).toContainEqual(expect.stringContaining("of the zone in {Time Zone}?"));
});

const samples = shipped.map(({ name, given }) => ({ name, sample: toSample(given) }));

function toSample({ samples: given }: Readonly<Record<string, unknown>>) {
  const [first] = given as readonly { file: string; text?: string[]; json?: object }[]; // it ships
  return { file: first?.file ?? "", lines: first?.text ?? [first?.json ?? {}] };
}

test.each(samples)("what is begun for a file of $name reads back and stops", async ({ sample }) => {
  const path = await writeLines(sample.file, sample.lines);
  const mappingFile = await writeLines("map.json", [await suggestMapping(path)]);
  const explained = await explainFiles({ paths: [path], mappingFile, timeZone: "UTC" });
  expect(explained.isStopped).toBe(true);
  expect(explained.doubts).toContainEqual(expect.objectContaining({ name: "guess" }));
  expect(explained.files).toMatchObject([{ unfit: 0 }]);
});

test.each([
  ["nothing by its names", ["a,b", "1,2"], "none of its names is known"],
  ["no rows", ["call_id,start"], "has no rows"],
  ["a stray quote in all rows", ["id,start", '1,a"b'], "log.csv:2: "],
])("a file with %s gives no mapping", async (_, lines, fault) => {
  await expect(suggestMapping(await writeLines("log.csv", lines))).rejects.toThrow(fault);
});

test.each([
  ["a header in Latin-1", Buffer.from("Call ID;Duración\n1;65\n", "latin1"), "log.csv:1: is not"],
  ["a row in Latin-1", Buffer.from("Call ID;Agent\n1;José\n", "latin1"), "log.csv:2: is not text"],
  ["a last letter in Latin-1", Buffer.from("Call ID;Agent\n1;José", "latin1"), "log.csv:2: is"],
  ["JSON in Latin-1", Buffer.from('[{"call_id":"1","agent":"José"}]', "latin1"), "log.csv:1: is"],
  ["UTF-16 without a mark", Buffer.from("Call ID;Agent\n1;ann\n", "utf16le"), "is UTF-16 without"],
])("%s is named, and gives no mapping", async (_, content, fault) => {
  const path = await writeLines("log.csv", []);
  await writeFile(path, content);
  await expect(suggestMapping(path)).rejects.toThrow(fault);
});

test("a replacement character in UTF-8, and a character that is cut off, are text", async () => {
  const path = await writeLines("log.csv", [
    "Call ID;Agent",
    "1;Jos\ufffd",
    "\u20ac".repeat(30_000),
  ]);
  expect(await suggestMapping(path)).toMatchObject({ fields: { agent: "{Agent}" } });
});

test("of two columns for the agent the identifier is taken, the other is the name", async () => {
  const lines = [
    "Vorgangsnummer;Anrufdatum;Uhrzeit;Mitarbeiter;Agentenkennung;Gesprächsdauer",
    "1;21.08.2026;09:00:06;Ada Lee;ada;00:02:03",
    "2;22.08.2026;10:10:16;Bo Roe;bor;00:01:13",
  ];
  const { fields, guess } = await suggestMapping(await writeLines("log.csv", lines));
  expect(fields).toEqual({
    call_id: "{Vorgangsnummer}",
    datetime: { from: "{Anrufdatum} {Uhrzeit}", format: "dd.MM.yyyy HH:mm:ss" },
    agent: "{Agentenkennung}",
    agent_name: "{Mitarbeiter}",
    talk_time: "{Gesprächsdauer}",
  });
  // The time of day is read with its date.
  expect(guess.filter((one) => /Uhrzeit/.test(one))).toEqual([]);
});

test("a bare name, which may be that of either side, is no agent", async () => {
  const lines = [
    "Direction,Phone Number,Name,Date,Time,Duration",
    "Incoming,(555) 123-0001,Ann Lee,Fri 08/21/2026,9:00 AM,0:01:35",
    "Outgoing,(555) 123-0002,Cy Roe,Sat 08/22/2026,1:15 PM,0:02:05",
    "Incoming,(555) 123-0003,Eve Ash,Sun 08/23/2026,11:30 AM,0:00:05",
  ];
  const { fields, guess } = await suggestMapping(await writeLines("log.csv", lines));
  expect(fields).not.toHaveProperty("agent");
  expect(guess.at(-1)).toBe("not read: Name");
});
