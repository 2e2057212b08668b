// Faulty conditions of --where: the sentence, and the column that it points at.
import { describe, expect, test } from "vitest";
import { parseWhere } from "../src/search/where.ts";

describe("points at", () => {
  test.each([
    ["", 1, "a field must stand here, not the end"],
    ["talk_tme > 600", 1, "talk_tme is not a field of a record: did you mean talk_time?"],
    ["agnet == 1", 1, "agnet is not a field of a record: did you mean agent?"],
    ["talk_time = 600", 11, "write == to compare"],
    ["talk_time > ", 13, 'after > a number, a "text", a datetime or null must stand'],
    ["agent == ana", 10, 'must stand: "ana" in quotes?'],
    ["agent == ana.kovac && talk_time > 1", 10, 'must stand: "ana.kovac" in quotes?'],
    ["customer_email ~ mia@a-b.example", 18, '"mia@a-b.example" in quotes?'],
    ["talk_time > 1)", 14, "no ( stands before this )"],
    ['talk_time > "long"', 13, "talk_time is a number of seconds"],
    ['datetime > "yesterday"', 12, "datetime is compared with such as 2026-03-01"],
    ["datetime > 2026-02-30", 12, "2026-02-30 is not a day of the calendar"],
    ["datetime < 2026-04-31T10:00Z", 12, "2026-04-31 is not a day of the calendar"],
    ['agent ~ "ana', 9, "this text has no end"],
    ["agent == “ana”", 10, "write \" or ' around a text"],
    ["\u{1d4b3} == 1", 1, "\u{1d4b3} means nothing here"],
    ["(talk_time > 1", 15, ") is missing before the end"],
    ["talk_time > 1 agent", 15, "&& or || must stand before agent"],
    ["talk_time > 1 & agent", 15, "write &&"],
    ["talk_time > null", 13, "null can only be compared by == and !="],
    ["call_id == 30000000482150712345", 12, 'write "30000000482150712345" in quotes'],
    ["(".repeat(5000), 101, "too deep"],
  ])("%j", (condition, column, fault) => {
    expect(() => parseWhere(condition)).toThrow(`--where, column ${column}: `);
    expect(() => parseWhere(condition)).toThrow(fault);
  });

  test("its place under the condition", () => {
    expect(() => parseWhere("talk_time > 1 && agnet == 2")).toThrow(
      "\n  talk_time > 1 && agnet == 2\n                   ^",
    );
    // Each of these letters takes two columns of a terminal.
    expect(() => parseWhere('city == "\u65e5\u672c" && x == 1')).toThrow(`\n  ${" ".repeat(18)}^`);
  });
});
