// Which seconds a line mutes: to the second before it, and past the beginning of the next.
import { expect, test } from "vitest";
import { type Line, toTextLines } from "../src/call/lines.ts";
import { toLineSpan } from "../src/mute/call-muting.ts";
import { toTenths } from "../src/mute/places.ts";

const say = (at: number | undefined, party: Line["party"] = "agent"): Line => ({
  who: party,
  party,
  said: "said",
  at,
  datetime: "",
});

test("a line is muted from a second before it to a second after the next begins", () => {
  const lines = [say(0), say(4, "customer"), say(4), say(9.5), say(undefined)];
  expect(lines.map((_, index) => toLineSpan(lines, index))).toEqual([
    { from: -1, to: 5 },
    { from: 3, to: 10.5 },
    { from: 3, to: 10.5 },
    { from: 8.5, to: 40.5 },
    undefined,
  ]);
  expect(toLineSpan(toTextLines("Agent: hello"), 0)).toBeUndefined();
});

test("tenths of a second are rounded outwards, and none begins before the recording", () => {
  expect(toTenths({ from: -1, to: 5.01 })).toEqual({ from: 0, to: 5.1 });
  expect(toTenths({ from: 3.29, to: 3.3 })).toEqual({ from: 3.2, to: 3.3 });
});
