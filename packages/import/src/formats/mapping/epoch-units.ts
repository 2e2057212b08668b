// Durations between two times that are seconds since 1970, and that a mapping reads as milliseconds: minutes become one second.
import type { Doubt } from "../../doubts/doubt.ts";
import type { Rule } from "./rule.ts";

// Seconds of the years from 2008 to 2033; as milliseconds they are days of January 1970.
const SECONDS = /^1[2-9]\d{8}(?:\.\d+)?$/;
// The median of fewer is no evidence.
const FEW = 5;
const SAMPLE = 1_000;
// Counters of a machine may have as many digits, and count milliseconds: their calls last longer.
const SHORT = 5;
const FIRST = 3;

export interface Span {
  readonly rule: Rule;
  readonly from: string;
  readonly to: string;
  readonly seconds: number;
}

export function createEpochUnits() {
  const byKey = new Map<string, { readonly texts: string[]; readonly seconds: number[] }>();
  return {
    see: ({ rule, from, to, seconds }: Span): void => {
      const areSeconds = [from, to].every((text) => SECONDS.test(text.trim()));
      if (!areSeconds || !rule.formats.includes("unix-ms")) return;
      const seen = byKey.get(rule.key) ?? { texts: [], seconds: [] };
      byKey.set(rule.key, seen);
      if (seen.seconds.length >= SAMPLE) return;
      seen.seconds.push(seconds);
      if (seen.texts.length < FIRST)
        seen.texts.push(`${rule.key}: from ${from} to ${to}, read as ${seconds} s`);
    },
    judge: (): readonly Doubt[] =>
      [...byKey.values()].map(({ texts, seconds }) => {
        const median = seconds.toSorted((a, b) => a - b)[Math.floor(seconds.length / 2)] ?? 0;
        return {
          name: "durations",
          effect: seconds.length >= FEW && median < SHORT ? "stop" : "warn",
          text: "times of ten digits are read as milliseconds since 1970: are they in seconds?",
          advice: 'If they are, say "format": "unix" in the mapping',
          count: seconds.length,
          unit: "row",
          first: texts,
        };
      }),
  };
}
