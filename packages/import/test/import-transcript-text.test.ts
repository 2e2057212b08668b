// Transcripts as text, and as TextGrids: what their turns say is the chat of the call they belong to.
import { existsSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ImportError, importFiles } from "../src/index.ts";
import { createArchive, createFolder, writeLines } from "./support/archives.ts";
import { call, fill } from "./support/records.ts";
import { chatOf, importTranscript, START } from "./support/transcripts.ts";

test("a text whose lines begin with speakers belongs to the call its file is named by", async () => {
  const { report, chat } = await importTranscript("4711.txt", [
    "Agent: Hello, this is Ann.",
    "  How may I help?",
    "",
    "Customer: My address is http://example.com: it is wrong.",
    "Note: I am in a hurry.",
    "Agent: I see.",
  ]);
  expect(report).toMatchObject({ read: 3, imported: 3 });
  const start = "2026-08-21T09:00:00.000Z";
  expect(chat).toEqual([
    [start, "agent", "Agent", "Hello, this is Ann.\nHow may I help?"],
    [
      start,
      "customer",
      "Customer",
      "My address is http://example.com: it is wrong.\nNote: I am in a hurry.",
    ],
    [start, "agent", "Agent", "I see."],
  ]);
});

test.each<[string, readonly string[], readonly string[]]>([
  ["dates", ["2026-08-21 10:00:05 A: x", "[2026-08-21T09:00:07Z] B: x"], ["00:05", "00:07"]],
  ["offsets from the start", ["[00:00:05] A: x", "[00:00:07.000] B: x"], ["00:05", "00:07"]],
  ["times of the day", ["10:00:05 - A: x", "B (10:00:07): x"], ["00:05", "00:07"]],
  ["times with am and pm", ["10:00:05 AM A: x", "[10:00:07 am] B: x"], ["00:05", "00:07"]],
  ["minutes alone", ["10:00 A: x", "10:01 B: x"], ["00:00", "01:00"]],
])("turns may have %s", async (_, lines, [first, second]) => {
  const more = ["A: y", "B: y"]; // without a time: that of the turn before
  const { chat } = await importTranscript("4711.txt", [...lines, ...more], "Europe/London");
  const times = chat.map(([datetime]) => new Date(String(datetime)).toISOString().slice(11, 19));
  expect(times).toEqual([first, second, second, second].map((time) => `09:${time}`));
});

test("a time that no clock shows costs its own turn, and a time without a date follows one with a date", async () => {
  const { report, chat } = await importTranscript("4711.txt", [
    "2026-08-20 23:59:00 A: x",
    "25:00:00 B: x",
    "00:01:00 A: x",
    "B: x",
  ]);
  expect(report).toMatchObject({ read: 4, imported: 3, rejected: 1 });
  expect(report.firstRejections[0]?.reason).toContain('datetime: "25:00:00" is not');
  expect(chat.map(([datetime]) => datetime)).toEqual([
    "2026-08-20T23:59:00+00:00",
    "2026-08-21T00:01:00+00:00",
    "2026-08-21T00:01:00+00:00",
  ]);
});

const WIDE = " ".repeat(500_000);

test("what the first time does not tell is asked of the call", async () => {
  const { report, chat } = await importTranscript("4711.txt", [
    "25:00:00 Agent: x",
    "10:00:05 Customer: x",
  ]);
  expect(report).toMatchObject({ read: 2, imported: 1, rejected: 1 });
  expect(chat.map(([datetime]) => datetime)).toEqual(["2026-08-21T10:00:05+00:00"]);
});

test("a hostile line takes no longer than others, and a turn without end is no message", async () => {
  const lines = Array.from({ length: 5 }, () => `Agent${WIDE}x`);
  const { report } = await importTranscript("4711.txt", [
    "Agent: Hi.",
    "Customer: Hello.",
    ...lines,
    "Agent: Bye.",
  ]);
  expect(report).toMatchObject({ read: 4, imported: 2, rejected: 2 });
  expect(report.firstRejections.map(({ line, reason }) => [line, reason])).toEqual([
    [2, "the turn is longer than 1,048,576 characters"],
    [7, "the line belongs to nobody: no speaker was named before"],
  ]);
});

test("the log of a channel takes its day from its name, goes past midnight, and tells of events", async () => {
  const store = createArchive();
  const path = await writeLines("2026-08-21_23.raw.txt", [
    "=== ann [~ann@host] has joined #help",
    "[23:58] <bob|away> hello: anybody?",
    "[23:59]  * ann waves at bob",
    "[00:01] <ann> yes",
  ]);
  expect(await importFiles({ store, paths: [path] })).toMatchObject({ read: 4, imported: 4 });
  expect(await chatOf(store, "2026-08-21_23.raw")).toEqual([
    ["2026-08-21T23:58:00+00:00", "system", null, "ann [~ann@host] has joined #help"],
    ["2026-08-21T23:58:00+00:00", "participant", "bob|away", "hello: anybody?"],
    ["2026-08-21T23:59:00+00:00", "participant", "ann", "waves at bob"],
    ["2026-08-22T00:01:00+00:00", "participant", "ann", "yes"],
  ]);
});

const TEXT_GRID = `File type = "ooTextFile"
Object class = "TextGrid"

xmin = 0
xmax = 9
tiers? <exists>
size = 1
item []:
    item [1]:
        class = "IntervalTier"
        name = "Speaker"
        intervals: size = 3
        intervals [1]:
            xmin = 0
            xmax = 1.5
            text = ""
        intervals [2]:
            xmin = 1.5
            xmax = 4
            text = "He said ""no"",
twice."
        intervals [3]:
            xmin = none
            xmax = 9
            text = "Yes."`;

test("a TextGrid may be that of one side, as its name says", async () => {
  const { report, chat } = await importTranscript("4711_agent.TextGrid", [TEXT_GRID]);
  expect(report).toMatchObject({ read: 2, imported: 1, rejected: 1 });
  expect(report.firstRejections[0]).toMatchObject({
    line: 25,
    reason: "xmin: the interval does not say when it begins",
  });
  expect(chat).toEqual([["2026-08-21T09:00:01.500Z", "agent", "agent", 'He said "no",\ntwice.']]);
});

test("text in a folder is read only when the format is named, since much else ends in .txt", async () => {
  const store = createArchive();
  await fill(store, [call({ call_id: "4711", datetime: START })]);
  const folder = await createFolder();
  await writeFile(join(folder, "calls.jsonl"), '{"kind":"call","call_id":"1"}\n');
  await writeFile(join(folder, "4711.txt"), "Agent: Hi.\nCustomer: Hello.\n");

  expect(await importFiles({ store, paths: [folder] })).toMatchObject({ read: 1, imported: 1 });
  const path = join(folder, "4711.txt");
  expect(await importFiles({ store, paths: [path] })).toMatchObject({ read: 2, imported: 2 });
});

test("a TextGrid whose text never ends costs no more than that text", async () => {
  const lines = [TEXT_GRID, '        text = "', ...Array.from({ length: 3 }, () => `x${WIDE}`)];
  const { report } = await importTranscript("4711.TextGrid", lines);
  expect(report.firstRejections.map(({ reason }) => reason)).toEqual([
    "xmin: the interval does not say when it begins",
    "the text is longer than 1,048,576 characters",
  ]);
});

test("prose with a colon now and then is no transcript", async () => {
  const store = createArchive();
  const path = await writeLines("a.txt", ["Dear Sir: hello.", "I write to you.", "Thanks: Ann"]);
  await expect(importFiles({ store, paths: [path] })).rejects.toThrow("name its format");
  const asked = importFiles({ store, paths: [path], format: "transcript" });
  await expect(asked).rejects.toThrow(ImportError);
  await expect(asked).rejects.toThrow("no line begins with a speaker");
});

const word = fc.stringMatching(/^[a-zA-ZäöüéàñßαβγЖдя]{1,12}$/u);
const turns = fc.array(
  fc.record({
    speaker: fc.constantFrom("Agent", "Customer"),
    seconds: fc.nat(3_600),
    words: fc.array(word, { minLength: 1, maxLength: 8 }),
    lines: fc.integer({ min: 1, max: 3 }),
  }),
  { minLength: 1, maxLength: 12 },
);

test("whatever is written as turns of a text is what the archive has, in any of the ways to write it", async () => {
  const toClock = (seconds: number) => new Date(seconds * 1_000).toISOString().slice(11, 19);
  const startMs = Date.parse(START);
  const ways = fc.constantFrom<(speaker: string, seconds: number) => string>(
    (speaker, seconds) => `[${toClock(seconds + 9 * 3_600)}] ${speaker}: `,
    (speaker, seconds) => `**${speaker}** (${toClock(seconds + 9 * 3_600)}): `,
    (speaker, seconds) => `${new Date(startMs + seconds * 1_000).toISOString()} ${speaker}: `,
  );
  const store = createArchive();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(turns, ways, async (said, toPrefix) => {
      const callId = `call ${(run += 1)}`;
      await fill(store, [call({ call_id: callId, datetime: START })]);
      const written = [
        { speaker: "Agent", seconds: 0, words: ["begin"], lines: 1 },
        ...said.toSorted((a, b) => a.seconds - b.seconds),
        { speaker: "Customer", seconds: 3_600, words: ["end"], lines: 1 },
      ];
      const text = (words: readonly string[], lines: number) =>
        Array.from({ length: lines }, () => words.join(" ")).join("\n");
      const path = await writeLines(
        `${callId}.txt`,
        written.map(
          ({ speaker, seconds, words, lines }) => toPrefix(speaker, seconds) + text(words, lines),
        ),
      );
      const report = await importFiles({ store, paths: [path] });
      expect(report).toMatchObject({ read: written.length, rejected: 0 });
      const chat = await chatOf(store, callId);
      expect(chat.map(([time, ...rest]) => [Date.parse(String(time)), ...rest])).toEqual(
        written.map(({ speaker, seconds, words, lines }) => [
          startMs + seconds * 1_000,
          speaker.toLowerCase(),
          speaker,
          text(words, lines),
        ]),
      );
    }),
    { numRuns: 25 },
  );
});

const corpus =
  process.env["CALL_MEDIA_CORPUS"] ?? join(import.meta.dirname, "../../../../shared/corpus");
const transcripts = join(corpus, "transcripts");
const hasCorpus = existsSync(transcripts);
if (!hasCorpus)
  console.warn(
    "SKIPPED transcripts of the corpus: no ../shared/corpus, and CALL_MEDIA_CORPUS names no folder",
  );

test.skipIf(!hasCorpus)(
  "transcripts of consultations find their calls, and channels need none",
  async () => {
    const store = createArchive();
    const grids = join(transcripts, "primock57/transcripts");
    const names = (await readdir(grids)).filter((name) => name.endsWith(".TextGrid"));
    const ids = new Set(names.map((name) => name.replace(/_[a-z]+\.TextGrid$/, "")));
    await fill(
      store,
      [...ids].map((call_id) => call({ call_id, datetime: START })),
    );
    const report = await importFiles({ store, paths: [grids] });
    expect(report).toMatchObject({ imported: report.read, rejected: 0 });
    for (const id of ids) {
      const labels = new Set(
        (await chatOf(store, id)).map(([, , label]) => String(label).toLowerCase()),
      );
      expect(labels).toEqual(new Set(["doctor", "patient"]));
    }
    const channels = join(transcripts, "ubuntu-irc/dev");
    const logs = (await readdir(channels)).filter((name) => name.endsWith(".raw.txt"));
    const paths = logs.slice(0, 2).map((name) => join(channels, name));
    const read = await importFiles({ store, paths });
    expect(logs.length).toBeGreaterThan(0);
    expect(read).toMatchObject({ imported: read.read, rejected: 0 });
  },
);
