// Compares a plan with the journals: days whose journal was lost are searched again, and so are days that changed meanwhile.
import { type Days, findLatest, toGaps } from "@call-media/handover";
import type { ExportFolder } from "../folder/export-folder.ts";
import { type JournalFile, listJournals, readSeal } from "../journal/journal.ts";
import { type Plan, type Round, toRound } from "../plan/plan.ts";
import { toSpan } from "../plan/search-days.ts";

export async function reconcilePlan(folder: ExportFolder, plan: Plan): Promise<Plan> {
  const journals = await listJournals(folder.journals, plan.isOldestFirst);
  const lost = findLost(plan, journals);
  const again = [...findMiscounted(lost, journals), ...(await findDrifted(journals))];
  const rounds = again.length === 0 ? plan.rounds : addSearch(plan.rounds, journals, again);
  const isLost = (index: number) => lost.some((days) => days.round === index);
  return {
    ...plan,
    rounds: rounds.map((round, index) => (isLost(index) ? { ...round, isDone: false } : round)),
  };
}

type LostDays = Omit<JournalFile, "path">;

/** Days of a finished round without a journal. */
const findLost = ({ rounds }: Plan, journals: readonly JournalFile[]): readonly LostDays[] =>
  rounds.flatMap((round, index) => {
    const own = journals.filter((one) => one.round === index);
    return round.isDone ? toGaps(round, own).map((days) => ({ ...days, round: index })) : [];
  });

/** Later searches of these days counted records as known that are now lost, and may not exist any more. */
const findMiscounted = (lost: readonly LostDays[], journals: readonly JournalFile[]) =>
  lost.filter((days) =>
    journals.some(
      ({ round, from, to }) => round > days.round && from <= days.to && to >= days.from,
    ),
  );

async function findDrifted(journals: readonly JournalFile[]): Promise<readonly Days[]> {
  const drifted: Days[] = [];
  for (const journal of findLatest(journals))
    if ((await readSeal(journal.path))?.verdict === "drifted") drifted.push(journal);
  return drifted;
}

/** Adds the days to the sync that begins now, or as a new round. A round in progress stays unchanged until the next run. */
function addSearch(
  rounds: readonly Round[],
  journals: readonly JournalFile[],
  days: readonly Days[],
): readonly Round[] {
  const last = rounds.at(-1);
  const hasBegun = journals.some(({ round }) => round === rounds.length - 1);
  if (last === undefined || (!last.isDone && hasBegun)) return rounds;
  if (!last.isDone) return [...rounds.slice(0, -1), { ...last, ...toSpan([last, ...days]) }];
  const { from, to } = toSpan(days);
  // The next sync continues where the last round ended, not at the end of these days.
  return [...rounds, { ...toRound(from, to), asOf: last.asOf }];
}
