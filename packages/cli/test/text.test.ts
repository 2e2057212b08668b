// What people read: in the width they have, and without what could steer their terminal.
import { styleText, stripVTControlCharacters } from "node:util";
import type { Observation } from "@call-media/conformance";
import { expect, test } from "vitest";
import { toObservationText } from "../src/check/observations.ts";
import { toText } from "../src/check/text.ts";
import { foldLabelled } from "../src/terminal/labelled.ts";
import { type Paint, toPrintable } from "@call-media/terminal";
import { drift, finding, found, kept, observation, unable } from "./support/reports.ts";

const plain: Paint = (_style, text) => text;
const colour: Paint = (style, text) => styleText(style, text, { validateStream: false });

test("a finding has the request, the response, the rule, the place, and the command that repeats it", () => {
  const text = toText(drift, { width: 100, paint: plain });
  expect(text).toContain(
    "range.days  2 findings\n  A search of a range of days finds no call of another day\n  Source: decision D06",
  );
  expect(text).toMatch(/^ {4}sent {2}POST https:/m);
  expect(text).toMatch(/^ {10}authorization: Bearer \$TOKEN$/m);
  expect(text).toMatch(/^ {4}came {2}200 OK, application\/json, 1,234 bytes$/m);
  expect(text).toMatch(/^ {4}came {2}no answer$/m);
  expect(text.split("\n")).toContain(`    again ${finding.curl}`);
  expect(text.match(/^ {2}A search of a range/gm)).toHaveLength(2);
});

test("the first three of many findings of a requirement are complete, the others have a line each", () => {
  const many = Array.from({ length: 5 }, (_, index) => ({ ...finding, fault: `fault ${index}` }));
  const text = toText({ ...drift, findings: many }, { width: 100, paint: plain });
  expect(text).toContain("range.days  5 findings\n");
  expect(text.match(/^ {4}again /gm)).toHaveLength(3);
  expect(text).toMatch(
    /\n\n {2}2 more, with request and answer in --format json:\n {2}\w+: fault 3\n {2}\w+: fault 4\n\n/,
  );
});

test("the text names the variables of its commands once", () => {
  const text = toText(drift, { width: 200, paint: plain });
  expect(text).toContain("To see a finding again, set $TOKEN in the shell and paste its command.");
  expect(toText(kept, { width: 200, paint: plain })).not.toContain("paste");
});

test("the end has the verdict, the cost, the coverage, and the expected and stale findings", () => {
  const text = toText(drift, { width: 1000, paint: plain });
  expect(text).toMatch(
    /Expected differences\n {2}token\.fields, searchMetadata: A call of .* \(mended in version 4\)\n/,
  );
  expect(text).toContain(
    "take these entries out\n  users.status, listUsers (statuses were swapped)",
  );
  expect(text).toContain(
    "\n\nNot checked\n  no call with a chat was found: chat.order, chat.party\n  no expired token was given: auth.expired\n\n",
  );
  expect(text).toContain(
    "Seen of the document\n  100 of 110 fields with two values\n  2 of 2 parameters with two effects\n  60 of 75 statuses; not: listUsers 503\n\n",
  );
  expect(text).toContain(
    "3 differences from the interface and the decisions in 2 requirements. 1 expected difference not found any more.",
  );
  expect(text).toContain(
    "1,412 requests in 3.2 s. Seen of the contract: 15 of 15 operations. Expected: 1 difference. Not checked: 3 requirements. Open questions answered otherwise than this project does: D07",
  );
  expect(toText(kept, { width: 80, paint: plain })).toContain(
    "\n\nThe service keeps the interface and the decisions. Kept: 1 clause at 15 of 15",
  );
  expect(toText(unable, { width: 80, paint: plain })).toContain(
    "Could not be checked: It answered HTML",
  );
});

test.each([40, 80, 132])("no line but a command to paste is longer than %i columns", (width) => {
  const lines = toText(drift, { width, paint: colour }).split("\n").map(stripVTControlCharacters);
  const long = lines.filter((line) => line.length > width);
  expect(lines.length).toBeGreaterThan(30);
  expect(new Set(long)).toEqual(new Set([`    again ${finding.curl}`]));
  expect(lines.filter((line) => /^ \S|^ {0,9}\S.* $/.test(line))).toEqual([]);
});

test("control characters of an answer do not reach the terminal", () => {
  const text = toText(drift, { width: 80, paint: plain });
  expect(text).not.toMatch(/[^\P{Cc}\n]/u);
  expect(text).toContain("\\u001b[2J");
});

test.each(["\u061c", "\u200e", "\u200f", "\u202a", "\u202e", "\u2066", "\u2069"])(
  "a mark that turns text around does not reach the terminal either: %j",
  (mark) => {
    expect(toPrintable(`call${mark}vaw`)).toMatch(/^call\\u[\da-f]{4}vaw$/);
  },
);

test("line separators that only some terminals know are escaped, and line ends are not", () => {
  expect(toPrintable("one\u2028two\u2029three\r\nfour\tfive")).toBe(
    "one\\u2028two\\u2029three\nfour\tfive",
  );
});

test("the answers are next to the decisions, within the given width", () => {
  const past: Observation = { ...observation, question: "How is a page past the end answered?" };
  const questions = [...found.questions, { ...past, observed: "200", agrees: true }];
  const sorted = questions.toSorted((a, b) => a.decision.localeCompare(b.decision));
  const text = toObservationText({ ...found, questions: sorted }, { width: 80, paint: plain });
  expect(text.split("\n").slice(2, -2)).toEqual([
    "Decision  Question              Observed              Ours                  Same",
    "D06       Whether pageIndex     both                  from 0; pageID        yes",
    "          counts from 0 or 1                          repeats it",
    "D07       Whether pageIndex     from 1                from 0; pageID        no",
    "          counts from 0 or 1                          repeats it",
    "          How is a page past    200                                         yes",
    "          the end answered?",
    "",
    "2 of 3 answers are as the decisions have them. Nothing was observed of D01, D02,",
  ]);
  expect(text).toContain("D28, D29.");
  expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
});

test("lines with a label are wrapped next to it, all others stay", () => {
  const text =
    "complete: a b c d e f g h i j k l m n o p\nrecords  1 announced, 1 came, 0 left\nx is y";
  expect(foldLabelled(text, Infinity)).toBe(text);
  expect(foldLabelled(text, 30)).toBe(
    "complete: a b c d e f g h i j k l m n o p\nrecords  1 announced, 1 came,\n         0 left\nx is y",
  );
});
