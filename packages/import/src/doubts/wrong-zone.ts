// Calls that something else says were at another time: other times of their row that have an offset, their recordings, or the
// clock. A time without an offset that is read in the wrong zone shows in no row by itself.
import { join } from "node:path";
import { parseSourceTime } from "@call-media/store/values";
import { createTally, type Doubt, type JudgedCall, toValueText } from "./doubt.ts";
import { findModifiedMs, listFiles } from "./orphans.ts";
import { FARTHEST_ZONE_MS, ZONE_STEP_MS, type ZoneSource } from "./zone.ts";

// RFC 3339 with an offset; seconds or milliseconds since 1970, of the years from 2001.
const MOMENT =
  /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)? ?(?:Z|[+-]\d\d:?\d\d)|(?<![\d.+-])1\d{9}(?:\d{3})?(?!\d)/g;
// RFC 2822 gives them one meaning, and other parts of the world another.
const AMBIGUOUS = /\b(?:[ECMP][SD]T)\b/;

const MINUTE = 60_000;
const NEAR = 10 * MINUTE; // how much later than the call its other times are
const LEAST = 30 * MINUTE; // calls last as long as what is less
const SLACK = 15 * MINUTE; // of clocks that go wrong
const AHEAD = 2 * 24 * 60 * MINUTE; // what is later still is no matter of zones
const FAR = 6 * 60 * MINUTE;
const SEEN = 1_000;

/** `timeZone` is how times without an offset are read. */
export function createWrongZoneProbe({
  timeZone,
  zone,
  nowMs,
}: {
  readonly timeZone: string;
  readonly zone: ZoneSource;
  readonly nowMs: number;
}) {
  const others = createShifts();
  const sounds = createShifts();
  const future = createTally();
  const abbreviated = createTally();
  let [seen, certain] = [0, 0];
  return {
    see: (call: JudgedCall, directory: string): void => {
      const { datetime, talk_time: seconds } = call.entry;
      if (typeof datetime !== "string") return;
      const parsed = parseSourceTime(datetime.trim(), timeZone);
      if (typeof parsed === "string" || (!parsed.hasOffset && zone !== "known")) return;
      const { instantMs } = parsed;
      const what = toValueText("datetime", datetime);
      if (instantMs > nowMs + SLACK && instantMs <= nowMs + AHEAD) {
        future.add(call, what);
        if (call.isMapped || !parsed.hasOffset) certain += 1;
      }
      if (++seen > SEEN) return;
      others.add(
        call,
        instantMs,
        [...call.raw.matchAll(MOMENT)].map(([text]) => toMs(text) - instantMs),
      );
      const length = Number(seconds ?? 0) * 1_000;
      sounds.add(
        call,
        instantMs,
        // Written when the call had ended.
        listModified(call, directory).map((ms) => ms - instantMs - length + NEAR / 2),
      );
      if (zone === "known" && AMBIGUOUS.test(call.raw)) {
        const local = parseSourceTime(datetime.trim().slice(0, 19), timeZone);
        if (typeof local !== "string" && Math.abs(local.instantMs - instantMs) >= FAR)
          abbreviated.add(call, `${AMBIGUOUS.exec(call.raw)?.[0] ?? ""}: ${what}`);
      }
    },
    judge: (): readonly Doubt[] => [
      ...future.toDoubts({
        name: "zone",
        effect: certain > 0 ? "stop" : "warn",
        text: "the call lies in the future",
        advice: ZONE_ADVICE,
      }),
      ...others.judge({
        effect: "stop",
        text: "another time of its row, which says its offset, lies",
        advice: ZONE_ADVICE,
      }),
      ...sounds.judge({
        effect: "warn",
        text: "its recording was written",
        advice: ADVICE_OF_FILES,
      }),
      ...abbreviated.toDoubts({
        name: "zone-names",
        effect: "warn",
        text: `its zone is read as one of North America, far from ${timeZone}`,
        advice: 'If it is another, say it in the mapping: "zones": { "CST": "+08:00" }',
      }),
    ],
  };
}

export const ZONE_ADVICE =
  "Compare a call with the source: --timezone, or the zone in the mapping, is probably not that of the export";

// Zip archives and FAT keep the local times of files, without their zone.
const ADVICE_OF_FILES =
  "Compare a call with the source before anything is changed: files that were unzipped or copied may have been given other times";

const toMs = (text: string) => {
  if (/^\d{10}$/.test(text)) return Number(text) * 1_000;
  if (/^\d{13}$/.test(text)) return Number(text);
  return Date.parse(
    text
      .replace(",", ".")
      .replace(/^(.{10}) /, "$1T")
      .replace(" ", ""),
  );
};

const listModified = ({ entry }: JudgedCall, directory: string): readonly number[] =>
  listFiles(entry).flatMap((name) => findModifiedMs(join(directory, name)) ?? []);

interface Shift {
  readonly tally: ReturnType<typeof createTally>;
  fromMs: number;
  toMs: number;
}

// The distance of fewer rows, or of the rows of one hour, may have another reason.
const FEW = 5;
const SPAN = 60 * MINUTE;
const MOST = 0.8;

/** Counts the distances that zones have. */
export function createShifts() {
  const shifts = new Map<number, Shift>();
  let rows = 0;
  return {
    /** `distances` in ms, of what belongs to the call; at none of them nothing tells anything. */
    add: (call: JudgedCall, instantMs: number, distances: readonly number[]): void => {
      const near = distances.filter((ms) => Math.abs(ms) <= FARTHEST_ZONE_MS);
      if (near.length === 0) return;
      rows += 1;
      const steps = new Set(near.flatMap((ms) => toStep(ms) ?? []));
      if (steps.has(0)) return;
      for (const step of steps) {
        if (Math.abs(step) < LEAST) continue;
        const shift = shifts.get(step) ?? { tally: createTally(), fromMs: Infinity, toMs: 0 };
        shift.tally.add(call, toValueText("datetime", call.entry["datetime"]));
        shift.fromMs = Math.min(shift.fromMs, instantMs);
        shift.toMs = Math.max(shift.toMs, instantMs);
        shifts.set(step, shift);
      }
    },
    judge: ({ effect, text, advice }: Pick<Doubt, "effect" | "text" | "advice">): Doubt[] =>
      [...shifts]
        .filter(
          ([, { tally, fromMs, toMs: last }]) =>
            tally.count() >= Math.max(FEW, MOST * rows) && last - fromMs >= SPAN,
        )
        .slice(0, 1)
        .flatMap(([step, { tally }]) =>
          tally.toDoubts({
            name: "zone",
            effect,
            text: `${text} ${toHours(Math.abs(step))} ${step > 0 ? "later" : "earlier"}`,
            advice,
          }),
        ),
  };
}

function toStep(ms: number): number | undefined {
  const step = Math.floor((ms + MINUTE) / ZONE_STEP_MS) * ZONE_STEP_MS;
  return ms - step <= NEAR ? step : undefined;
}

const toHours = (ms: number) => `${ms / (60 * MINUTE)} h`;
