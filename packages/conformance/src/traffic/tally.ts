// Counts what of a recording was judged, and what was not.
import type { LeftOut, TrafficShare, UnknownPath } from "../report.ts";

export interface Tally {
  readonly noteExchange: () => void;
  readonly noteJudged: (lacksBody: boolean) => void;
  readonly leaveOut: (why: string, example: string) => void;
  readonly noteUnknown: (method: string, path: string, status: number) => void;
  readonly toShare: (callers: number) => TrafficShare;
}

const MAX_EXAMPLES = 3;
/** Further paths are counted together. */
const MAX_PATHS = 500;

export function createTally(): Tally {
  let [exchanges, judged, withoutBody] = [0, 0, 0];
  const left = new Map<string, { count: number; readonly examples: Set<string> }>();
  const unknown = new Map<string, UnknownPath>();
  const leaveOut: Tally["leaveOut"] = (why, example) => {
    const { count, examples } = left.get(why) ?? { count: 0, examples: new Set() };
    if (examples.size < MAX_EXAMPLES) examples.add(example);
    left.set(why, { count: count + 1, examples });
  };
  return {
    noteExchange: () => void (exchanges += 1),
    noteJudged: (lacksBody) => {
      judged += 1;
      withoutBody += Number(lacksBody);
    },
    leaveOut,
    noteUnknown: (method, path, status) => {
      const shown = toShape(path);
      const key = `${method} ${shown}`;
      const known = unknown.get(key);
      if (known === undefined && unknown.size >= MAX_PATHS) {
        leaveOut("of no operation, on further paths", key);
        return;
      }
      const { count = 0, successes = 0 } = known ?? {};
      const isSuccess = status >= 200 && status < 300;
      unknown.set(key, {
        method,
        path: shown,
        count: count + 1,
        successes: successes + Number(isSuccess),
      });
    },
    toShare: (callers) => ({
      exchanges,
      judged,
      withoutBody,
      callers,
      leftOut: [...left]
        .map(([why, { count, examples }]): LeftOut => ({ why, count, examples: [...examples] }))
        .toSorted((one, other) => other.count - one.count),
      unknown: [...unknown.values()].toSorted(
        (one, other) => other.successes - one.successes || other.count - one.count,
      ),
    }),
  };
}

const LONGEST_WORD = 24;

/** Identifiers as `{}`: `/users/7/posts` and `/users/8/posts` are one path. */
const toShape = (path: string): string =>
  path
    .split("/")
    .map((step) => {
      const isVersion = /^v\d+(?:[.-]\w+)?$/i.test(step);
      const isKey = /[\d%@=]/.test(step) || step.length > LONGEST_WORD;
      return isKey && !isVersion ? "{}" : step;
    })
    .join("/");
