// Standard output for what is printed bit by bit: as fast as it is read, until whoever reads has seen enough.
import { once } from "node:events";
import { DONE } from "../exit-codes.ts";

export type Write = (text: string) => Promise<void>;

/** Ends the program, with 0, where the reader goes away: no more need be asked for then. */
export function openOutput(): Write {
  process.stdout.once("error", () => process.exit(DONE));
  return async (text) => {
    if (text !== "" && !process.stdout.write(text)) await once(process.stdout, "drain");
  };
}
