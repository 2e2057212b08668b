// Finds ani and dnis exchanged, or the direction: customers have many numbers, and the lines that they call are few. No number
// calls itself as a rule.
import {
  createTally,
  type Doubt,
  type JudgedCall,
  type Probe,
  readText,
  type Sides,
  toDoubts,
} from "./doubt.ts";

// The numbers of fewer calls tell nothing.
const MANY = 20;
const ROWS = 1_000;
// How many times more numbers the other side has.
const TIMES = 4;
// A mailbox is called by its own number.
const FEW = 3;
const SOME = 0.05;
const MUCH = 0.25;
// Extensions are shorter.
const DIGITS = 7;

/** `near` is the field of the organisation's own numbers. */
const SIDES = [
  { way: "inbound", near: "dnis", far: "ani" },
  { way: "outbound", near: "ani", far: "dnis" },
] as const;

const createSides = () =>
  SIDES.map((side) => ({
    ...side,
    tally: createTally(),
    ofNear: new Set<string>(),
    ofFar: new Set<string>(),
  }));
type Side = ReturnType<typeof createSides>[number];

export function createExchangedNumbersProbe(): Probe {
  const sides = createSides();
  const same = createShare();
  const asAgent = createShare();
  let said: Sides | undefined;
  return {
    see: (call) => {
      said ??= call.sides;
      const [ani, dnis] = [readText(call, "ani"), readText(call, "dnis")];
      const type = readText(call, "call_type").toLowerCase();
      const side = sides.find(({ way }) => way === type);
      // An internal call may go to the caller's own mailbox.
      if (call.isMapped && /\d/.test(ani) && /\d/.test(dnis) && !type.startsWith("intern"))
        same.see(call, `ani and dnis "${ani}"`, ani === dnis ? ani : undefined);
      if (!call.isMapped || side === undefined || side.tally.count() >= ROWS) return;
      const [near, far] = [readText(call, side.near), readText(call, side.far)];
      if (near === "" || !/\d/.test(far)) return; // withheld
      const agent = readText(call, "agent");
      if (agent !== "")
        asAgent.see(call, `agent and ${side.far} "${agent}"`, agent === far ? far : undefined);
      side.tally.add(call, `ani "${readText(call, "ani")}", dnis "${readText(call, "dnis")}"`);
      side.ofNear.add(near);
      side.ofFar.add(far);
    },
    judge: () => {
      const by = said;
      if (by === undefined) return [];
      const equal = by.areNumbersSampled ? [] : same.judge(SAME);
      if (equal.length > 0) return equal;
      const ofAgents = by.isAgentSampled ? [] : asAgent.judge(AGENT);
      const known = sides.filter(({ tally }) => tally.count() >= MANY);
      const doubts = known.filter(isExchanged).flatMap((side) => judgeSide(side, by));
      const isProved = by.areNumbersNamed && known.length > 0 && known.every(isRight);
      return [
        ...ofAgents,
        ...(doubts.length > 0 || isProved ? doubts : toDoubts(by.codes, UNPROVED)),
      ];
    },
  };
}

/** Counts the rows with a number that only a few should have twice. */
function createShare() {
  const odd = createTally();
  let rows = 0;
  let certain = 0;
  return {
    see: (call: JudgedCall, what: string, number: string | undefined): void => {
      rows += 1;
      if (number === undefined) return;
      odd.add(call, what);
      if (isNumber(number)) certain += 1;
    },
    judge: (doubt: Omit<Doubt, "effect" | "count" | "unit" | "first">): readonly Doubt[] => {
      if (odd.count() < FEW || odd.count() <= SOME * rows) return [];
      return odd.toDoubts({ ...doubt, effect: certain > MUCH * rows ? "stop" : "warn" });
    },
  };
}

/** An extension is none: it may call its own mailbox, and be the name of its agent. */
const isNumber = (text: string) => text.replaceAll(/\D/g, "").length >= DIGITS;

const SAME = {
  name: "columns",
  fields: ["ani", "dnis"],
  text: "the call is from the number that it is to",
  advice:
    "Compare a call with the source: one of the two may read the column of the other, or its condition the wrong direction",
} as const;

const AGENT = {
  name: "columns",
  fields: ["agent"],
  text: "the agent is the number of the customer",
  advice:
    "Compare a call with the source: which side the agent is on depends on the direction of the call",
} as const;

const UNPROVED = {
  name: "values",
  effect: "warn",
  text: "neither the word nor the numbers of the calls prove which direction a code is",
  advice: "Compare a call with the source. A sample that expects call_type proves the codes",
} as const;

const isRight = ({ ofNear, ofFar }: Side) => ofFar.size > TIMES * ofNear.size;
const isExchanged = ({ ofNear, ofFar, tally }: Side) =>
  ofNear.size > TIMES * ofFar.size && ofNear.size * 2 > tally.count();

/** A help desk has few callers and many lines: names and words that say so are believed. */
function judgeSide({ way, ofNear, tally }: Side, said: Sides): readonly Doubt[] {
  const areCustomers = [...ofNear].filter(isNumber).length * 2 > ofNear.size;
  const isSaid = said.areNumbersNamed && said.isDirectionSaid;
  return tally.toDoubts({
    name: "columns",
    fields: ["ani", "dnis"],
    effect: areCustomers && !isSaid ? "stop" : "warn",
    text: `${way} calls are ${way === "inbound" ? "from" : "to"} few numbers and ${way === "inbound" ? "to" : "from"} many: ani and dnis may be exchanged, or the direction`,
    advice: "Compare a call with the source, and correct the mapping",
  });
}
