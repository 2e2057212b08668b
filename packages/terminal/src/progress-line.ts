// Shows progress on a terminal: one line of standard error, which each update overwrites.
import { clearLine, cursorTo } from "node:readline";
import type { Output } from "./io.ts";

export interface ProgressLine extends Disposable {
  readonly show: (text: string) => void;
}

/** Draws nothing unless `stream` is a terminal. Disposing of it removes the line permanently. */
export function createProgressLine(stream: Output): ProgressLine {
  let isOver = false;
  const draw = (text: string) => {
    if (!stream.isTTY || isOver) return;
    cursorTo(stream, 0);
    clearLine(stream, 0);
    stream.write(text);
  };
  return {
    // A wrapped line could not be overwritten.
    show: (text) => draw(text.slice(0, (stream.columns || 80) - 1)),
    [Symbol.dispose]: () => {
      draw("");
      // Work in progress may still report after this.
      isOver = true;
    },
  };
}
