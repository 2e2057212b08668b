// A table that was cut off while it was written or copied: its last line has no end, and a value in it may be half of one.
import { createTally, type Doubt, type JudgedCall } from "./doubt.ts";

const TAIL = 256;
const SAMPLE = 1_000;

/** Looks at the end of one file. */
export function createEnd() {
  let shortest = Infinity;
  let seen = 0;
  let last: JudgedCall | undefined;
  let tail = "";
  return {
    watch: async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of chunks) {
        tail = (tail + chunk.subarray(-4 * TAIL).toString("utf8")).slice(-TAIL);
        yield chunk;
      }
    },
    see: (call: JudgedCall): void => {
      if (last !== undefined && ++seen <= SAMPLE) shortest = Math.min(shortest, last.raw.length);
      last = call;
    },
    judge: (): Doubt[] => {
      const cut = createTally();
      // JSON shows its end itself.
      if (last !== undefined && !last.raw.endsWith("}") && tail.endsWith(last.raw.slice(-TAIL / 2)))
        if (seen > 0 && last.raw.length < shortest)
          cut.add(last, `it ends with ${JSON.stringify(last.raw.slice(-40))}`);
      return cut.toDoubts({
        name: "cut",
        effect: "warn",
        text: "the last line of the file has no end, and is shorter than the others: the file may have been cut off",
        advice: "Compare it with the source",
      });
    },
  };
}
