// The demo looks alive whenever it is made: a full week of calls, none to come, at the weekdays and hours that they have.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createDateMove } from "../src/commands/demo-dates.ts";

const LINES = readFileSync(new URL("../demo/archive.jsonl", import.meta.url), "utf8").trimEnd();
const DAY_MS = 86_400_000;
const PAGE = 50;

interface Call {
  readonly kind: string;
  readonly datetime?: string;
  readonly agent?: string;
  readonly transcript?: string;
  /** Its recordings; of a call without one the text of the record's field. */
  readonly media?: string | readonly { readonly file: string; readonly name?: string }[];
}

function callsOf(asOf: string): Call[] {
  const move = createDateMove(asOf);
  const lines = LINES.split("\n").flatMap((line) => move(line) ?? []);
  return lines.map((line): Call => JSON.parse(line)).filter(({ kind }) => kind === "call");
}

const addDays = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

const anyDays = Array.from({ length: 15 }, (_, index) => addDays("2026-11-25", index * 3));

test.each(["2024-02-29", "2026-11-01", ...anyDays, "2031-06-01"])(
  "as of %s its last seven days fill a page, and no call is of that day or later",
  (asOf) => {
    const days = callsOf(asOf).flatMap(({ datetime }) => datetime?.slice(0, 10) ?? []);
    expect(days.filter((day) => day >= addDays(asOf, -7)).length).toBeGreaterThan(PAGE);
    expect(days.every((day) => day < asOf)).toBe(true);
    expect(days.toSorted().at(-1)).toBe(addDays(asOf, -1));
  },
);

const everyWeekday = Array.from({ length: 7 }, (_, index) => addDays("2026-11-23", index));

const README = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");
const proposed = /search for `([^`]+)`/.exec(README)?.[1]?.split(" ") ?? [];

test.each(everyWeekday)(
  "as of %s the days that the console shows first have a recorded call with the words of the README",
  (asOf) => {
    expect(proposed).not.toEqual([]);
    const found = callsOf(asOf).filter(
      ({ datetime = "", transcript = "", media }) =>
        datetime >= addDays(asOf, -6) &&
        Array.isArray(media) &&
        proposed.every((word) => new RegExp(`\\b${word}\\b`, "i").test(transcript)),
    );
    expect(found).not.toEqual([]);
  },
);

const CLI_README = readFileSync(new URL("../../cli/README.md", import.meta.url), "utf8");
const examples = CLI_README.matchAll(
  /search --last (?<days>\d+)d --agent (?<agent>\S+)(?<recorded> --where 'recordings != null')?/g,
);

describe.each([...examples].map(({ groups = {} }) => groups))(
  "the example of the last $days days of $agent",
  ({ days, agent, recorded }) => {
    test.each(everyWeekday)("finds a call as of %s", (asOf) => {
      const first = addDays(asOf, 1 - Number(days));
      const found = callsOf(asOf).filter(
        (call) =>
          call.agent === agent &&
          (call.datetime ?? "") >= first &&
          (recorded === undefined || Array.isArray(call.media)),
      );
      expect(found).not.toEqual([]);
    });
  },
);

test("weekdays, hours and offsets stay, and recordings are named by the day of their call", () => {
  const find = (asOf: string) =>
    callsOf(asOf).find(({ media }) => JSON.stringify(media)?.includes("renewal-offer.mp3"));
  expect(find("2026-11-01")?.datetime).toBe("2026-10-06T15:12:23+01:00");
  const moved = find("2026-11-25");
  expect(moved?.datetime).toBe("2026-10-27T15:12:23+01:00");
  expect(moved?.media?.[0]).toMatchObject({
    file: "20261006-1412-renewal-offer.mp3",
    name: "20261027-1412-renewal-offer.mp3",
  });
});
