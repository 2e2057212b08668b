// Two recorded responses of one caller, in quick succession and with nothing written in between.
import { expect, test } from "vitest";
import { judge, type Made, toEntry, toLines } from "./recorded.ts";
import { fields, inPath, listOf, operation, TEXT } from "./styles.ts";

const ROW = fields({ id: TEXT, name: TEXT, updatedAt: TEXT });
const PATHS = {
  "/rows": {
    get: operation("listRows", { 200: listOf(ROW) }),
    post: operation("addRow", { 201: ROW }, ROW),
  },
  "/rows/{id}": { parameters: [inPath("id")], get: operation("getRow", { 200: ROW }) },
};
const SAME = { sameAs: { of: "getRow", as: "listRows" } };
const STABLE = { stable: { of: "getRow" } };
const ADA = { authorization: "Bearer token-of-ada" };

const at = (fromMs: number, made: Made): Made => ({
  asking: ADA,
  ...made,
  atMs: [fromMs, fromMs + 10],
});
const list = (fromMs: number, name: string, more: Partial<Made> = {}) =>
  at(fromMs, {
    url: "/rows",
    body: [
      { id: "1", name },
      { id: "2", name: "x" },
    ],
    ...more,
  });
const get = (fromMs: number, name: string, more: Partial<Made> = {}) =>
  at(fromMs, { url: "/rows/1", body: { id: "1", name }, ...more });
const write = (fromMs: number, more: Partial<Made> = {}) =>
  at(fromMs, { method: "POST", url: "/rows", sent: {}, status: 201, body: {}, ...more });

async function judgePairs(entries: readonly Made[], rule: object = SAME) {
  const report = await judge(PATHS, entries.map(toEntry), { rules: [{ ...rule }] });
  return [...toLines(report), ...report.observations.map(({ observed }) => `seen: ${observed}`)];
}

const TWICE = [list(0, "A"), get(100, "B"), list(8_000, "A"), get(8_100, "B")];
const LINE =
  'name is "B", and "A" in listRows (row "1", compared with log.entries[2]) (log.entries[3])';

test("a thing that reads otherwise in the list is a finding, if it is seen twice", async () => {
  expect(await judgePairs(TWICE)).toEqual([
    `sameAs.same getRow: ${LINE}`,
    'seen: name is "B", and "A" in listRows (row "1", compared with log.entries[0])',
  ]);
});

test("whichever of the two came first", async () => {
  const [lines] = await judgePairs([get(0, "B"), list(50, "A"), get(9_000, "B"), list(9_050, "A")]);
  expect(lines).toMatch(/^sameAs\.same getRow: name is "B"/);
});

test("the same request has the same response, and its ETag stays", async () => {
  const tag = (text: string) => ({
    headers: { "content-type": "application/json", etag: `"${text}"` },
  });
  const times = [0, 50, 100, 150];
  const bodies = times.map((fromMs) => get(fromMs, `name ${fromMs}`));
  expect((await judgePairs(bodies, STABLE))[0]).toMatch(
    /^stable\.body getRow: the same request gives another body \(compared with/,
  );
  const tags = times.map((fromMs) => get(fromMs, "same", tag(String(fromMs))));
  expect((await judgePairs(tags, STABLE))[0]).toMatch(
    /^stable\.validators getRow: ETag changes while the body stays/,
  );
});

const pairs = (first: (fromMs: number) => Made, second: (fromMs: number) => Made): Made[] =>
  [0, 20_000, 40_000].flatMap((fromMs) => [first(fromMs), second(fromMs + 100)]);
const listA = (fromMs: number) => list(fromMs, "A");

const LAWFUL: readonly (readonly [about: string, entries: readonly Made[]])[] = [
  ["more than two seconds apart", pairs(listA, (fromMs) => get(fromMs + 2_000, "B"))],
  [
    "of two callers",
    pairs(listA, (fromMs) => get(fromMs, "B", { asking: { authorization: "b" } })),
  ],
  [
    "of nobody knows whom",
    pairs(
      (fromMs) => list(fromMs, "A", { asking: {} }),
      (fromMs) => get(fromMs, "B", { asking: {} }),
    ),
  ],
  ["requested before the first one came", pairs(listA, (fromMs) => get(fromMs - 95, "B"))],
  [
    "with a write in between",
    [0, 9_000].flatMap((ms) => [list(ms, "A"), write(ms + 50), get(ms + 100, "B")]),
  ],
  [
    "with a write of another caller in between",
    [0, 9_000].flatMap((ms) => [
      list(ms, "A"),
      write(ms + 50, { asking: { authorization: "b" } }),
      get(ms + 100, "B"),
    ]),
  ],
  [
    "with a write to an undocumented path in between",
    [0, 9_000].flatMap((ms) => [list(ms, "A"), write(ms + 50, { url: "/x" }), get(ms + 100, "B")]),
  ],
  [
    "soon after a write, which a service may show late",
    [0, 9_000].flatMap((ms) => [write(ms), list(ms + 900, "A"), get(ms + 1_000, "B")]),
  ],
  [
    "while a write goes on",
    [0, 9_000].flatMap((ms) => [
      list(ms, "A"),
      { ...get(ms + 100, "B"), atMs: [ms + 100, ms + 500] as const },
      write(ms + 300),
    ]),
  ],
  [
    "without their times",
    pairs(listA, (fromMs) => get(fromMs, "B")).map((one) => ({
      ...one,
      more: { startedDateTime: "" },
    })),
  ],
  [
    "with fields that may differ",
    pairs(listA, (fromMs) => get(fromMs, "A", { body: { id: "1", name: "A", updatedAt: "now" } })),
  ],
  ["of another thing", pairs(listA, (fromMs) => get(fromMs, "B", { url: "/rows/9" }))],
];

test.each(LAWFUL)("no finding: two responses %s", async (_about, entries) => {
  expect(await judgePairs(entries)).toEqual([]);
});
