// From the options of `sync` to what the folder is to hold: one round more.
import { addDays } from "@call-media/handover";
import { UsageError } from "../../failures/usage-error.ts";
import { toDayOf } from "../../search/day.ts";
import { checkService, type PlanPlace } from "./export-plan.ts";
import { type Plan, toRound } from "./plan.ts";

export interface SyncFlags {
  readonly to?: string;
  readonly overlap: number;
}

/** A further round, from the days before the last one's end on; a round that is not done is finished first. */
export function toSyncPlan(
  there: Plan | undefined,
  { to = toLastDay(), overlap }: SyncFlags,
  place: PlanPlace,
): Plan {
  const { path } = place;
  if (there === undefined)
    throw new UsageError(`${path} has no export yet: begin it with call-media export`);
  checkService(there, place);
  const [{ from: firstDay } = { from: "" }] = there.rounds;
  const watermark = there.rounds
    .map((round) => (round.to < round.asOf ? round.to : round.asOf))
    .reduce((last, day) => (day > last ? day : last), firstDay);
  const from = addDays(watermark, 1 - overlap);
  const round = toRound(from < firstDay ? firstDay : from, to);
  if (round.from > to)
    throw new UsageError(`--to ${to} is before what is there, up to ${watermark}`);
  return { ...there, rounds: [...there.rounds, round] };
}

const MAX_AHEAD_OF_UTC_MS = 14 * 3_600_000;

/** Today where the day begins first, so that no archive's today is left out. */
const toLastDay = () => toDayOf(Date.now() + MAX_AHEAD_OF_UTC_MS);
