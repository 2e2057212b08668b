// A plan as the journals leave it: it is a promise, and they are the truth. What was lost of them is listed again, and
// days that changed while they were read are searched for once more.
import { type Days, findLatest, toGaps } from "@call-media/handover";
import type { ExportFolder } from "../folder/files.ts";
import { readSeal } from "../journal/journal-state.ts";
import { type JournalFile, listJournals } from "../journal/journals.ts";
import { toSpan } from "../plan/days.ts";
import { type Plan, type Round, toRound } from "../plan/plan.ts";

export async function renewPlan(folder: ExportFolder, plan: Plan): Promise<Plan> {
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

interface LostDays extends Days {
  /** As in the name of a journal. */
  readonly round: number;
}

/** Days of a round that is done, and has no journal of them. */
function findLost({ rounds }: Plan, journals: readonly JournalFile[]): readonly LostDays[] {
  return rounds.flatMap((round, index) => {
    const there = journals.filter((one) => one.round === index);
    return round.isDone ? toGaps(round, there).map((days) => ({ ...days, round: index })) : [];
  });
}

/** Later searches of the same days have counted as known what is gone, and may never come again. */
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

/** As a round of its own, or of the sync that begins now. One that has begun goes on as it is: the next run sees to these days. */
function addSearch(
  rounds: readonly Round[],
  journals: readonly JournalFile[],
  days: readonly Days[],
): readonly Round[] {
  const last = rounds.at(-1);
  const isBegun = journals.some(({ round }) => round === rounds.length - 1);
  if (last === undefined || (!last.isDone && isBegun)) return rounds;
  if (!last.isDone) return [...rounds.slice(0, -1), { ...last, ...toSpan([last, ...days]) }];
  const { from, to } = toSpan(days);
  // The days between it and the round before are as old as they were: sync goes on from there.
  return [...rounds, { ...toRound(from, to), asOf: last.asOf }];
}
