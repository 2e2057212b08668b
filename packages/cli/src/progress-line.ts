// How far a run is: one line on standard error that is written over, on a terminal alone.
import { clearLine, cursorTo } from "node:readline";
import type { WriteStream } from "node:tty";
import type { Progress } from "@call-media/conformance";

export interface ProgressLine extends Disposable {
  readonly update: (progress: Progress) => void;
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
    update: ({ requests, maxRequests, doing }) =>
      draw(
        `${requests} of at most ${maxRequests} requests: ${doing}`.slice(
          0,
          (stream.columns || 80) - 1,
        ),
      ),
    [Symbol.dispose]: () => draw(""),
  };
}
