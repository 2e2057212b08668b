// Makes the plan of `sync` from its options: the plan of the folder with one more round.
import { addDays, daysAgo } from "@call-media/client";
import { UsageError } from "@call-media/terminal";
import { checkService, type PlanPlace } from "./export-plan.ts";
import { type Plan, toRound } from "./plan.ts";

export interface SyncFlags {
  readonly to?: string;
  readonly overlap: number;
}

/** The new round begins `overlap` days before the end of the last one. An unfinished round is finished first. */
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
    throw new UsageError(`--to ${to} is before the end of the export, ${watermark}`);
  return { ...there, rounds: [...there.rounds, round] };
}

/** Today in the time zone where days begin first, so that it includes today in every archive. */
const toLastDay = () => daysAgo(0, "+14:00");
