// What is asked for in pairs: something hidden and, from the same part of the index, what does not exist; or something that is
// shown with hidden calls beside it, and something that is shown alone.
import type { Random } from "../random.ts";
import { BESIDE, HIDDEN, HIDDEN_CITIES, toId, type Which } from "./hidden-calls.ts";

/** The pair of two that are alike: that do not exist, or are shown alone. */
export const CONTROL = "control";

/** Two that are asked for, and how much later the second is answered is measured. */
interface Pair {
  readonly none: Draw;
  readonly other: Draw;
}

type Draw = (random: Random) => string;

/** By what they are called in the table. */
export type Pairs = Readonly<Record<string, Pair>>;

// As many of each, and from all over the index: of fewer, or of what others draw as well, each would come again sooner, and
// what was read of it be kept.
const APART = Math.floor(HIDDEN.one.ids / HIDDEN.ten.ids);
const drawOne = (which: Which, from: number) => (random: Random) =>
  toId("one", APART * random.below(HIDDEN.ten.ids) + from, which);
const drawOf = (hidden: keyof typeof HIDDEN, which: Which) => (random: Random) =>
  toId(hidden, random.below(HIDDEN[hidden].ids), which);

// What does not exist lies beside what is hidden: other parts of the index may be quicker to read.
const besideNone = (hidden: keyof typeof HIDDEN): Pair => ({
  none: drawOf(hidden, "second"),
  other: drawOf(hidden, "first"),
});

export const FEW_RECORDS: Pairs = {
  [CONTROL]: { none: drawOne("second", 0), other: drawOne("third", 0) },
  "1 record": { none: drawOne("second", 1), other: drawOne("first", 1) },
  "10 records": besideNone("ten"),
};

export const RECORDS: Pairs = {
  ...FEW_RECORDS,
  "17 records": besideNone("seventeen"),
  "64 records": besideNone("sixtyFour"),
  "200 records": besideNone("twoHundred"),
  "1,000 records": besideNone("thousand"),
  "10,000 records": besideNone("tenThousand"),
  "2,500 in halves": besideNone("halves"),
};

const drawShown = (beside: keyof typeof BESIDE, which: Which) => (random: Random) =>
  toId(beside, random.below(BESIDE[beside].ids), which);

const besideShown = (beside: keyof typeof BESIDE): Pair => ({
  none: drawShown(beside, "second"),
  other: drawShown(beside, "first"),
});

export const RECORDS_BESIDE: Pairs = {
  [CONTROL]: { none: drawShown("two", "second"), other: drawShown("two", "third") },
  "2 hidden": besideShown("two"),
  "14 hidden": besideShown("fourteen"),
  "200 hidden": besideShown("besideTwoHundred"),
  "1,000 hidden": besideShown("besideThousand"),
};

const drawCity = (hidden: keyof typeof HIDDEN_CITIES, which: Which, share = 0) => {
  const { many } = HIDDEN_CITIES;
  return (random: Random) => toId(hidden, share * many + random.below(many), which);
};

export const CITIES: Pairs = {
  [CONTROL]: { none: drawCity("some", "second"), other: drawCity("some", "third") },
  "1,200 calls": { none: drawCity("some", "second", 1), other: drawCity("some", "first", 1) },
  "20,000 calls": { none: drawCity("some", "second", 2), other: drawCity("many", "first") },
};
