// How many columns there are to write in.

import { io } from "./io.ts";
const USUAL_WIDTH = 80;

/** For text: that of the terminal, 80 where the output goes elsewhere. A terminal that does not know its width says 0. */
export function toTextWidth(): number {
  return io().stdout.columns || USUAL_WIDTH;
}

/** For tables and lists, which a program may read: Infinity where the output does not go to a terminal. */
export function toTableWidth(): number {
  return io().stdout.isTTY ? toTextWidth() : Infinity;
}
