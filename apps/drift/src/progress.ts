// Shows the progress of a run on standard error: a bar on a terminal, else a line for each step.
import { clearLine, cursorTo } from "node:readline";
import type { WriteStream } from "node:tty";

export interface Progress extends Disposable {
  /** Reports that one step of `total` is done. */
  readonly step: (line: string) => void;
}

const BAR_WIDTH = 30;

/** Disposing of it removes the bar. */
export function createProgress(stream: WriteStream, total: number): Progress {
  let done = 0;
  const draw = (text: string) => {
    cursorTo(stream, 0);
    clearLine(stream, 0);
    // A wrapped line could not be overwritten.
    stream.write(text.slice(0, (stream.columns || 80) - 1));
  };
  return {
    step: (line) => {
      done += 1;
      if (!stream.isTTY) stream.write(`${line}\n`);
      else draw(`[${toBar(done / total)}] ${done} of ${total}: ${line}`);
    },
    [Symbol.dispose]: () => {
      if (stream.isTTY) draw("");
    },
  };
}

function toBar(share: number): string {
  return "#".repeat(Math.round(share * BAR_WIDTH)).padEnd(BAR_WIDTH);
}
