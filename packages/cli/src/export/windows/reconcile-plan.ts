// Compares a plan with the journals. Days whose journal was lost are searched again, as are days that changed meanwhile.
import { type Days, findLatest, toGaps } from "@call-media/handover";
import { console } from "@call-media/terminal";
import type { ExportFolder } from "../folder/export-folder.ts";
import { type JournalFile, listJournals, readSeal } from "../journal/journal.ts";
import { listOpenRounds, type Plan, type Round, toRound } from "../plan/plan.ts";
import { openDays, type SearchContext, toSpan } from "../plan/search-days.ts";
import { retry } from "../throttle/retry.ts";

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

/**
 * A finished search only proves the state at its time. Its days are counted again, and searched again in a new round if the count differs.
 * A call that was added while another was removed leaves the count unchanged.
 */
export async function confirmPlan(
  context: SearchContext,
  folder: ExportFolder,
  plan: Plan,
): Promise<Plan> {
  if (listOpenRounds(plan).length > 0) return plan;
  const journals = await listJournals(folder.journals, plan.isOldestFirst);
  const changed = await findChanged(context, findLatest(journals));
  if (changed.length === 0) return plan;
  return { ...plan, rounds: addSearch(plan.rounds, journals, changed) };
}

/** Days of complete searches whose number of records has changed. */
async function findChanged(context: SearchContext, journals: readonly JournalFile[]) {
  const counted: { readonly days: Days; readonly came: number }[] = [];
  for (const { from, to, path } of journals) {
    const seal = await readSeal(path);
    if (seal?.verdict === "complete") counted.push({ days: { from, to }, came: seal.came });
  }
  const count = async (days: Days) => await retry(() => openDays(context, days).count());
  if (counted.length > 0)
    console.info(
      "finished days are counted again, not read: a call that came while another was removed is not seen; a new export, or sync with --overlap, reads them",
    );
  const isAll = counted.length === journals.length;
  const total = counted.reduce((sum, { came }) => sum + came, 0);
  if (isAll && (await count(toSpan(journals))) === total) return [];
  const changed: Days[] = [];
  for (const { days, came } of counted)
    if (((await count(days)) ?? came) !== came) changed.push(days);
  return changed;
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
