// What the bench of rights takes for chance: identifiers that differ among themselves are, a difference of all of them is not.
import { describe, expect, test } from "vitest";
import { createRandom, type Random } from "../src/random.ts";
import { type Sample, toDifference } from "../src/rights/difference.ts";

const TURNS = 400;
const IDS = 20;
const RUNS = 12;

/** Of a bell's form, with a standard deviation of 1. */
const toBell = (random: Random) =>
  Array.from({ length: 12 }, () => random.next()).reduce((sum, one) => sum + one, -6);

/** Answers of 400 us, of identifiers of which each has its own time besides. */
function createSamples(random: Random, { ofIdUs = 0, ofAllUs = 0 }): readonly Sample[] {
  const own = Array.from({ length: IDS }, () => ofIdUs * toBell(random));
  return Array.from({ length: TURNS }, () => {
    const id = random.below(IDS);
    return { id: String(id), us: 400 + (own[id] ?? 0) + ofAllUs + 10 * toBell(random) };
  });
}

/** In how many of the runs a difference is more than chance explains. */
function countFound(ofIdUs: number, ofAllUs: number): number {
  const runs = Array.from({ length: RUNS }, (_, seed) => {
    const random = createRandom(seed);
    const none = createSamples(random, { ofIdUs });
    const { us, withinUs } = toDifference(none, createSamples(random, { ofIdUs, ofAllUs }));
    return Math.abs(us) > withinUs;
  });
  return runs.filter(Boolean).length;
}

describe("a difference of medians", () => {
  test("is chance where identifiers differ among themselves", () => {
    expect(countFound(10, 0)).toBe(0);
  });
  test("is chance where nothing differs", () => {
    expect(countFound(0, 0)).toBe(0);
  });
  test("is found where all take longer", () => {
    expect(countFound(0, 6)).toBe(RUNS);
  });
});
