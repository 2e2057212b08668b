// Reports the progress of a long command on standard error: a bar on a terminal, otherwise a line now and then, for a log.
import type { OnProgress, Progress } from "@call-media/store";
import { createProgressLine, io, type Output, toBar, toSize, toTime } from "@call-media/terminal";

// Shorter work does not write to a log.
const LINE_EVERY_MS = 10_000;

export interface ProgressDisplay extends Disposable {
  readonly update: OnProgress;
}

/** `stream` and `now` are for tests. */
export function createProgress(
  stream: Output = io().stderr,
  now: () => number = Date.now,
): ProgressDisplay {
  return stream.isTTY ? createBar(stream, now) : createLines(stream, now);
}

// Redrawing takes longer than a small step of the work.
const DRAW_EVERY_MS = 100;

/** "recordings [===         ] 25% of 2.0 kB, 0:03 left". */
function createBar(stream: Output, now: () => number): ProgressDisplay {
  const line = createProgressLine(stream);
  let begun: Progress & { readonly atMs: number } = {
    step: "",
    bytesDone: 0,
    bytesTotal: 0,
    atMs: 0,
  };
  let drawnMs = Number.NEGATIVE_INFINITY;
  return {
    update: (progress) => {
      const { step, bytesDone, bytesTotal } = progress;
      if (bytesTotal === 0) return;
      const atMs = now();
      const isNew = step !== begun.step || bytesTotal !== begun.bytesTotal;
      if (isNew) begun = { ...progress, atMs };
      if (!isNew && bytesDone < bytesTotal && atMs < drawnMs + DRAW_EVERY_MS) return;
      drawnMs = atMs;
      const done = bytesDone - begun.bytesDone;
      const leftS = ((atMs - begun.atMs) / 1000) * ((bytesTotal - bytesDone) / done);
      const left = done > 0 ? `, ${toTime(leftS)} left` : "";
      line.show(`${step} ${toBar(bytesDone / bytesTotal)} of ${toSize(bytesTotal)}${left}`);
    },
    [Symbol.dispose]: () => line[Symbol.dispose](),
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
