// Durations in another unit than a mapping says: as they are written, and as they are read.
import type { Doubt } from "../../doubts/doubt.ts";
import type { Rule } from "./rule.ts";

// The median of fewer is no evidence.
const FEW = 5;
const SAMPLE = 1_000;
const HOUR = 3_600;
// Most calls that were taken last longer, in seconds; in minutes few do.
const SHORT = 5;
const SHORT_MS = 2;
const NUMBER = /^\d+(?:\.\d+)?$/;
const FIRST = 3;

interface Seen {
  readonly unit: string | undefined;
  /** With their own unit, such as 0:01:30. */
  readonly own: { count: number; readonly texts: string[] };
  readonly texts: string[];
  readonly seconds: number[];
}

export function createUnits() {
  const byKey = new Map<string, Seen>();
  return {
    see: ({ key, unit, plus }: Rule, text: string, seconds: number): void => {
      const seen = byKey.get(key) ?? { unit, own: { count: 0, texts: [] }, texts: [], seconds: [] };
      byKey.set(key, seen);
      const { own, texts } = seen;
      const says = `${key}: ${text}, read as ${seconds} s`;
      // What is added may be numbers.
      if (!NUMBER.test(text.trim()) && plus.length === 0) {
        own.count += 1;
        if (own.texts.length < FIRST) own.texts.push(says);
      }
      if (!NUMBER.test(text) || Number(text) === 0) return;
      if (seen.seconds.push(seconds) <= FIRST) texts.push(says);
      if (seen.seconds.length > SAMPLE) seen.seconds.pop();
    },
    judge: (): readonly Doubt[] =>
      [...byKey.values()].flatMap((seen) => {
        const { unit, own } = seen;
        if (seen.seconds.length === 0 && own.count > 0 && unit !== undefined && unit !== "s")
          return [{ ...toUseless(unit), count: own.count, unit: "row" as const, first: own.texts }];
        const fault = findFault(seen);
        if (fault === undefined) return [];
        const rows = { count: seen.seconds.length, unit: "row" as const, first: seen.texts };
        return [{ name: "durations" as const, ...fault, ...rows }];
      }),
  };
}

const toUseless = (unit: string) =>
  ({
    name: "durations",
    effect: "warn",
    text: `"unit": "${unit}" changes nothing: the durations say their units themselves`,
    advice: 'Leave the "unit" out of the mapping, or name the column of the numbers',
  }) as const;

function findFault({ unit, seconds }: Seen): Pick<Doubt, "effect" | "text" | "advice"> | undefined {
  if (seconds.length < FEW) return undefined;
  const median = seconds.toSorted((a, b) => a - b)[Math.floor(seconds.length / 2)] ?? 0;
  if (unit === "ms" && median < SHORT_MS)
    return {
      effect: "stop",
      text: `${HALF} less than ${SHORT_MS} seconds: are they in milliseconds?`,
      advice: CORRECT,
    };
  if ((unit === "min" || unit === "h") && median > HOUR)
    return {
      effect: "stop",
      text: `${HALF} more than an hour: are they in "${unit}"?`,
      advice: CORRECT,
    };
  if (unit === undefined && median < SHORT)
    return {
      effect: "warn",
      text: `${HALF} less than ${SHORT} seconds: are they in minutes?`,
      advice: 'If they are, say it beside them, as "unit": "min"',
    };
  return undefined;
}

const HALF = "half of the durations take";
const CORRECT = 'Correct the "unit" of the mapping';
