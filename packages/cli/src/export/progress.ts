// The progress of an export: a bar on a terminal, elsewhere a line every ten seconds.
import {
  createProgressLine,
  type Output,
  toBar,
  toCounted,
  toSize,
  toTime,
} from "@call-media/terminal";
import type { Count } from "./tally.ts";

/** The expected work. `rows` is undefined if the service announces no number. */
export interface Goal {
  readonly rows: number | undefined;
  readonly days: number;
}

const BAR_MS = 200;
const LINE_MS = 10_000;

/** The time for which rate and time left are computed. */
const WINDOW_MS = 15_000;

export function showProgress(
  stream: Output,
  count: Count,
  goal: Goal,
): { readonly end: () => void } {
  const line = createProgressLine(stream);
  const toText = createProgressText(goal);
  const show = () => {
    const text = toText(count, Date.now());
    if (stream.isTTY) line.show(text);
    else stream.write(`${text}\n`);
  };
  const timer = setInterval(show, stream.isTTY ? BAR_MS : LINE_MS);
  if (stream.isTTY) show();
  return {
    end() {
      clearInterval(timer);
      line[Symbol.dispose]();
    },
  };
}

interface Sample {
  readonly atMs: number;
  readonly share: number;
  readonly bytes: number;
}

/** "[=====       ] 42% 8,600 rows, 860 files, 41.2 MB, 5.1 MB/s, 1:20 left, 2 failed", in less than 80 columns. */
export function createProgressText(goal: Goal): (count: Count, nowMs: number) => string {
  const samples: Sample[] = [];
  return (count, nowMs) => {
    const share = toShare(count, goal);
    samples.push({ atMs: nowMs, share, bytes: count.bytes });
    while ((samples[0]?.atMs ?? nowMs) < nowMs - WINDOW_MS) samples.shift();
    const first = samples[0] ?? { atMs: nowMs, share, bytes: count.bytes };
    const seconds = (nowMs - first.atMs) / 1000;
    const leftS = (seconds * (1 - share)) / (share - first.share);
    return [
      `${hasEnd(goal) ? `${toBar(share)} ` : ""}${toCounted(count.rows, "row")}`,
      toCounted(count.files, "file"),
      toSize(count.bytes),
      seconds > 0 && `${toSize((count.bytes - first.bytes) / seconds)}/s`,
      seconds > 0 && share > first.share && `${toTime(leftS)} left`,
      count.failures > 0 && `${count.failures.toLocaleString("en")} failed`,
    ]
      .filter((part) => part !== false)
      .join(", ");
  };
}

/** A repair checks all files again, and has no goal. */
const hasEnd = ({ rows, days }: Goal) => rows !== undefined || days > 0;

/** The share of the records, or of the days if the service announces no number. */
function toShare(count: Count, { rows, days }: Goal): number {
  const share = rows ? count.rows / rows : count.days / Math.max(1, days);
  return Math.min(1, Math.max(0, share));
}
