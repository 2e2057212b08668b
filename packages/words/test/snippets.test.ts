// Passages: which are chosen, where they begin and end, and what is marked.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  matches,
  parseQuery,
  QueryFault,
  type Snippet,
  type SnippetOptions,
  type Source,
  toSnippets,
} from "../src/index.ts";
import { text } from "./texts.ts";

const LONG = [
  "Agent: Good morning, thank you for calling. How can I help you today?\n".repeat(300),
  "Caller: I want the réfund for my estimated meter reading, please. It came twice.\n",
  "Agent: One moment, I look into that for you now, it takes a little while.\n".repeat(300),
].join("");

function show({ text: passage, marks, cut }: Snippet): string {
  const marked = marks.reduceRight(
    (own, [start, end]) => `${own.slice(0, start)}**${own.slice(start, end)}**${own.slice(end)}`,
    passage,
  );
  return `${cut.before ? "…" : ""}${marked}${cut.after ? "…" : ""}`;
}

function find(
  sources: string | readonly Source[],
  query: string,
  options?: SnippetOptions,
): string[] {
  const list = typeof sources === "string" ? [{ from: "transcript", text: sources }] : sources;
  return toSnippets(list, parseQuery(query), options).map(show);
}

test("one passage where two words stand together", () => {
  const [snippet] = toSnippets([{ from: "transcript", text: LONG }], parseQuery("refund meter"));
  expect(snippet).toMatchObject({ from: "transcript", offset: LONG.indexOf("Caller") });
  expect(find(LONG, "refund meter")).toEqual([
    expect.stringMatching(
      /^…Caller: I want the \*\*réfund\*\* for my estimated \*\*meter\*\* reading, please\./,
    ),
  ]);
  expect(find(LONG, '"estimated meter" reading')[0]).toContain("**estimated meter** **reading**");
});

test("one passage for each word where they stand apart, up to the limit", () => {
  const sources = [
    { from: "transcript", text: `refund ${"x ".repeat(200)}` },
    { from: "chat", message: 3, text: `${"x ".repeat(200)}the meter` },
    { from: "notes", text: "a reading" },
  ];
  const query = parseQuery("reading meter refund");
  expect(toSnippets(sources, query).map(({ from }) => from)).toEqual([
    "transcript",
    "chat",
    "notes",
  ]);
  expect(toSnippets(sources, query, { snippets: 2 })).toHaveLength(2);
  expect(toSnippets(sources, query)[1]).toMatchObject({
    message: 3,
    cut: { before: true, after: false },
  });
});

test("a passage keeps its length and ends between words", () => {
  const [passage] = find(LONG, "refund", { characters: 80, snippets: 1 });
  expect(passage).toBe("…Caller: I want the **réfund** for my estimated meter reading,…");
});

test.each([
  ["Leïla Benali", "leila benali", "**Leïla** **Benali**"],
  ["お客様は返金手続きについて", "返金", "お客様は**返金**手続きについて"],
  ["お客様は返金手続きについて", "返", "お客様は**返**金手続きについて"],
  ["น้ำนิ่ง", "น", "**น้**ำ**นิ่**ง"],
  ["refunded", "ref*", "**refunded**"],
  ["a re-fund", "re-fund fund", "a **re-fund**"],
  ["½ litre", "2", "**½** litre"],
])("%s, asked for %s", (of, query, shown) => {
  expect(find(of, query)).toEqual([shown]);
});

test("a number is marked as a whole", () => {
  const sources = [{ from: "ani", text: "(614) 555-0121", isNumber: true }];
  expect(find(sources, "+1 614 555 0121")).toEqual(["**(614) 555-0121**"]);
});

test("a service that matches otherwise gives no passage and no error", () => {
  expect(find("a bill", "refund")).toEqual([]);
  expect(find([], "refund")).toEqual([]);
});

test("a word longer than a passage is cut", () => {
  expect(find("x".repeat(500), "xx*", { characters: 20 })).toEqual([`**${"x".repeat(20)}**…`]);
});

test("every hit has a passage with marks in order, of whole characters", () => {
  const query = fc.oneof(text, fc.constantFrom("4471", "re*", "金"));
  fc.assert(
    fc.property(
      fc.array(text, { maxLength: 3 }),
      query,
      fc.integer({ min: 8, max: 60 }),
      (texts, asked, characters) => {
        let parsed;
        try {
          parsed = parseQuery(asked);
        } catch (error) {
          if (error instanceof QueryFault) return;
          throw error;
        }
        const sources = texts.map((own) => ({ from: "notes", text: own }));
        const snippets = toSnippets(sources, parsed, { characters });
        const isFound = matches(parsed, { texts, numbers: [] });
        expect(isFound && snippets.length === 0).toBe(false);
        for (const { text: passage, marks, offset } of snippets) {
          expect(sources.some((source) => source.text.startsWith(passage, offset))).toBe(true);
          expect(passage.length).toBeLessThanOrEqual(characters);
          expect(marks.length).toBeGreaterThan(0);
          let before = 0;
          for (const [start, end] of marks) {
            expect(start).toBeGreaterThanOrEqual(before);
            expect(end).toBeGreaterThan(start);
            expect(end).toBeLessThanOrEqual(passage.length);
            before = end;
          }
          expect(passage.isWellFormed() || !texts.every((own) => own.isWellFormed())).toBe(true);
        }
      },
    ),
    { numRuns: 2000 },
  );
});
