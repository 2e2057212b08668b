// How far a command is: one line on standard error that is written over, on a terminal alone.
import { clearLine, cursorTo } from "node:readline";
import type { Output } from "../io.ts";

export interface ProgressLine extends Disposable {
  readonly show: (text: string) => void;
}

/** Draws nothing where `stream` is no terminal. Disposing of it takes the line away for good. */
export function createProgressLine(stream: Output): ProgressLine {
  let isOver = false;
  const draw = (text: string) => {
    if (!stream.isTTY || isOver) return;
    cursorTo(stream, 0);
    clearLine(stream, 0);
    stream.write(text);
  };
  return {
    // A line that wraps could not be written over.
    show: (text) => draw(text.slice(0, (stream.columns || 80) - 1)),
    [Symbol.dispose]: () => {
      draw("");
      // What was under way may go on for a moment, and tell of it.
      isOver = true;
    },
  };
}
