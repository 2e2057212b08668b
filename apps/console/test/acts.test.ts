// What people did with a call: many requests are one look, and what was sent is what was heard.
import { array, assert, constantFrom, integer, property, record } from "fast-check";
import { expect, test } from "vitest";
import { type Act, isWhole, type Row, toActs, toPeople } from "../src/access/acts.ts";

const START_MS = Date.parse("2026-11-26T09:00:00Z");

/** `minute`: after nine o'clock. */
const toRow = (minute: number, fields: Partial<Row> = {}): Row => ({
  seq: minute + 1,
  time: new Date(START_MS + minute * 60_000).toISOString(),
  user: "ann",
  by: "console",
  operation: "getMetadataByCallId",
  request: `request ${minute}`,
  status: 200,
  hasRecords: true,
  ...fields,
});

const toSound = (minute: number, from: number, to: number, fields: Partial<Row> = {}): Row =>
  toRow(minute, {
    operation: "streamRecordingByCallId",
    status: 206,
    hasRecords: false,
    recording: { part: 1, from, to, of: 1_000, seconds: 100 },
    ...fields,
  });

const newestFirst = (...rows: readonly Row[]) => rows.toSorted((a, b) => b.seq - a.seq);
const kindsOf = (rows: readonly Row[]) => toActs(newestFirst(...rows)).map(({ kind }) => kind);
const onlyOf = (rows: readonly Row[]): Act => {
  const [act, ...others] = toActs(newestFirst(...rows));
  if (act === undefined || others.length > 0) throw new Error("there is one");
  return act;
};

test("fields and chat that are read one after the other are one look", () => {
  const act = onlyOf([toRow(0), toRow(1, { operation: "getChatByCallId", hasRecords: false })]);
  expect([act.kind, [...act.shown]]).toEqual(["looked", ["chat", "fields"]]);
  expect(act.time).toBe("2026-11-26T09:01:00.000Z");
});

test("parts of one recording that were asked for one after the other are one place", () => {
  const rows = [toSound(0, 0, 300), toSound(1, 300, 500), toSound(2, 800, 900)];
  expect(onlyOf(rows).heard).toEqual([
    {
      part: 1,
      seconds: 100,
      spans: [
        { from: 0, to: 0.5 },
        { from: 0.8, to: 0.9 },
      ],
    },
  ]);
});

test("of a request that was broken off, what was sent counts, not what was asked for", () => {
  const request = "one";
  const rows = [toSound(0, 0, 1_000, { request }), toSound(1, 0, 120, { request, isCut: true })];
  expect(onlyOf(rows).heard[0]?.spans).toEqual([{ from: 0, to: 0.12 }]);
});

test("what begins after a pause is another look, and so is that of another user or program", () => {
  expect(kindsOf([toRow(0), toRow(11)])).toEqual(["looked", "looked"]);
  expect(kindsOf([toRow(0), toRow(9), toRow(18)])).toEqual(["looked"]);
  expect(kindsOf([toRow(0), toRow(1, { user: "bob" }), toRow(2, { by: "program" })])).toHaveLength(
    3,
  );
});

test.each<[what: string, fields: Partial<Row>, kind: string]>([
  ["sound for the console", { recording: { part: 1 } }, "listened"],
  ["sound for a program", { recording: { part: 1 }, by: "program" }, "saved"],
  ["a recording that is not there any more", { recording: {} }, "listened"],
  ["sound to save", { recording: { part: 1 }, use: "save" }, "saved"],
  ["anything of a hand-over", { use: "hand-over", hasRecords: false }, "handedOver"],
  ["a wave alone", { recording: { part: 1 }, use: "wave" }, "drawn"],
  [
    "the head of a recording",
    { operation: "streamRecordingByCallId", hasRecords: false },
    "looked",
  ],
  ["a search", { operation: "searchMetadata" }, "listed"],
  ["nothing that the user may see", { hasRecords: false }, "asked"],
  ["a refusal", { status: 403, recording: { part: 1 } }, "refused"],
  ["a look at this", { operation: "console access" }, "access"],
  ["a refused look at this", { operation: "console access", status: 403 }, "refused"],
  ["a command", { by: "command", operation: "trace" }, "command"],
  ["an altered row", { isAltered: true }, "altered"],
])("%s has its own kind of act", (_what, fields, kind) => {
  expect(kindsOf([toRow(0, fields)])).toEqual([kind]);
});

test("a wave drawn during listening is part of that act, and does not count as heard", () => {
  const wave = toSound(1, 0, 1_000, { use: "wave" });
  const act = onlyOf([toSound(0, 0, 100), wave]);
  expect([act.kind, act.isDrawn, act.heard.some(isWhole)]).toEqual(["listened", true, false]);
  expect(kindsOf([toSound(0, 0, 100), toSound(60, 0, 1_000, { use: "wave" })])).toEqual([
    "drawn",
    "listened",
  ]);
  expect(kindsOf([toSound(0, 0, 100, { user: "bob" }), wave])).toEqual(["drawn", "listened"]);
});

test("hand-overs for different purposes are different ones", () => {
  const of = (minute: number, purpose: string) =>
    toSound(minute, 0, 1_000, { use: "hand-over", purpose });
  expect(toActs(newestFirst(of(0, "a"), of(1, "b"), of(2, "a"))).map((act) => act.purpose)).toEqual(
    ["a", "b"],
  );
});

test("each altered row is an act of its own", () => {
  const rows: Row[] = [
    { seq: 2, isAltered: true },
    { seq: 1, isAltered: true },
  ];
  expect(toActs(rows).map(({ seq }) => seq)).toEqual([2, 1]);
  expect(toPeople(toActs(rows)).size).toBe(0);
});

test("no byte that was sent is left out, and none is added", () => {
  const places = array(
    record({ from: integer({ min: 0, max: 99 }), of: integer({ min: 1, max: 20 }) }),
  );
  assert(
    property(places, constantFrom("save", undefined), (sent, use) => {
      const spans = sent.map(({ from, of }) => [from, Math.min(100, from + of)] as const);
      const rows = spans.map(([from, to], index) =>
        toSound(0, from * 10, to * 10, {
          seq: index + 1,
          request: `${index}`,
          ...(use && { use }),
        }),
      );
      const heard = toActs(rows.toReversed()).flatMap((act) => act.heard);
      for (let percent = 0; percent < 100; percent += 1) {
        const at = (percent + 0.5) / 100;
        const isSent = spans.some(([from, to]) => from <= percent && percent < to);
        const isTold = heard.some((one) => one.spans.some(({ from, to }) => from < at && at < to));
        expect(isTold).toBe(isSent);
      }
    }),
  );
});
