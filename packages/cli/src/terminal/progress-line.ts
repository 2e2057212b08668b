// How far a command is: one line on standard error that is written over, on a terminal alone.
import { clearLine, cursorTo } from "node:readline";
import type { WriteStream } from "node:tty";

export interface ProgressLine extends Disposable {
  readonly show: (text: string) => void;
}

/** Draws nothing where `stream` is no terminal. Disposing of it takes the line away. */
export function createProgressLine(stream: WriteStream): ProgressLine {
  const draw = (text: string) => {
    if (!stream.isTTY) return;
    cursorTo(stream, 0);
    clearLine(stream, 0);
    stream.write(text);
  };
  return {
    // A line that wraps could not be written over.
    show: (text) => draw(text.slice(0, (stream.columns || 80) - 1)),
    [Symbol.dispose]: () => draw(""),
  };
}
