// Which names are suggested after one that is unknown.
import { expect, test } from "vitest";
import { toSuggestion } from "../src/suggestion.ts";

const NAMES = ["agent", "ani", "talk_time", "hold_time", "secure01", "secure02"];

test.each([
  ["agnt", ": did you mean agent?"],
  ["agnet", ": did you mean agent?"],
  ["Talk_Tme", ": did you mean talk_time?"],
  ["secure1", ": did you mean secure01?"],
  ["secure", ": did you mean secure01 or secure02?"],
  ["time", ": did you mean talk_time or hold_time?"],
  ["an", ": did you mean ani?"],
  ["x", ""],
  ["duration", ""],
])("%s%s", (name, suggestion) => {
  expect(toSuggestion(name, NAMES)).toBe(suggestion);
});
