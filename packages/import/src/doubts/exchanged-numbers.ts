// Finds ani and dnis exchanged: customers have many numbers, and the lines that they call are few.
import { createTally, type Probe, readText } from "./doubt.ts";

// The numbers of fewer calls tell nothing.
const MANY = 20;
const ROWS = 1_000;
// How many times more numbers the other side has.
const TIMES = 4;

/** `near` is the field of the organisation's own numbers. */
const SIDES = [
  { way: "inbound", near: "dnis", far: "ani" },
  { way: "outbound", near: "ani", far: "dnis" },
] as const;

export function createExchangedNumbersProbe(): Probe {
  const sides = SIDES.map((side) => ({
    ...side,
    tally: createTally(),
    ofNear: new Set<string>(),
    ofFar: new Set<string>(),
  }));
  return {
    see: (call) => {
      const side = sides.find(({ way }) => way === readText(call, "call_type").toLowerCase());
      if (!call.isMapped || side === undefined || side.tally.count() >= ROWS) return;
      const [near, far] = [readText(call, side.near), readText(call, side.far)];
      if (near === "" || !/\d/.test(far)) return; // withheld
      side.tally.add(call, `ani "${readText(call, "ani")}", dnis "${readText(call, "dnis")}"`);
      side.ofNear.add(near);
      side.ofFar.add(far);
    },
    judge: () =>
      sides.flatMap(({ way, tally, ofNear, ofFar }) => {
        const isExchanged = ofNear.size > TIMES * ofFar.size && ofNear.size * 2 > tally.count();
        if (tally.count() < MANY || !isExchanged) return [];
        return tally.toDoubts({
          name: "columns",
          fields: ["ani", "dnis"],
          effect: "stop",
          text: `${way} calls are ${way === "inbound" ? "from" : "to"} few numbers and ${way === "inbound" ? "to" : "from"} many: ani and dnis may be exchanged, or the direction`,
          advice: "Compare a call with the source, and correct the mapping",
        });
      }),
  };
}
