// How far a long command has come, on standard error: a bar on a terminal, elsewhere a line now and then, for a log.
import type { OnProgress, Progress } from "@call-media/store";
import cliProgress, { SingleBar } from "cli-progress";
import { io, type Output } from "../io.ts";

// Shorter work writes nothing into a log.
const LINE_EVERY_MS = 10_000;

export interface ProgressDisplay extends Disposable {
  readonly update: OnProgress;
}

/** `stream` and `now` are for tests. */
export function createProgress(
  stream: Output = io().stderr,
  now: () => number = Date.now,
): ProgressDisplay {
  return stream.isTTY ? createBar(stream) : createLines(stream, now);
}

/** Bytes as people read them, in powers of 1000: 1.2 GB. */
export function toSize(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  const value = bytes / 1000 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${units[power]}`;
}

function createBar(stream: Output): ProgressDisplay {
  const bar = new SingleBar({
    format: "{step} {bar} {percentage}% of {size}  {eta_formatted} left",
    stream,
    // As long as it cannot tell the time that is left, cli-progress gives a text for the number.
    formatTime: (seconds, ...options) =>
      typeof seconds === "number" ? cliProgress.Format.TimeFormat(seconds, ...options) : "?",
    // Otherwise it is turned off in the terminal, where a Ctrl-C would leave it off.
    linewrap: true,
    clearOnComplete: true,
  });
  return {
    update: ({ step, bytesDone, bytesTotal }) => {
      if (bytesTotal === 0) return;
      if (bar.isActive && bar.getTotal() === bytesTotal) return bar.update(bytesDone, { step });
      bar.stop();
      bar.start(bytesTotal, bytesDone, { step, size: toSize(bytesTotal) });
    },
    [Symbol.dispose]: () => bar.stop(),
  };
}

function createLines(stream: Output, now: () => number): ProgressDisplay {
  let last = now();
  const toLine = ({ step, bytesDone, bytesTotal }: Progress) =>
    `${step}: ${Math.floor((100 * bytesDone) / bytesTotal)}% of ${toSize(bytesTotal)}\n`;
  return {
    update: (progress) => {
      if (now() - last < LINE_EVERY_MS) return;
      last = now();
      stream.write(toLine(progress));
    },
    [Symbol.dispose]: () => {},
  };
}
