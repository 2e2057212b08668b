// A window from its search to its last file: what one thread does by itself.
import { countDays } from "./days.ts";
import { listWindow } from "./listing.ts";
import { tryAgain } from "./passing.ts";
import { fetchWindow, type Journals } from "./window.ts";
import type { Work } from "./work.ts";

export interface Task extends Journals {
  /** Whether an earlier run has listed it. */
  readonly isListed: boolean;
}

export async function doTask(work: Work, { isListed, ...journals }: Task): Promise<void> {
  if (isListed) return await fetchWindow(work, journals);
  const { pace, tally, asked } = work;
  const { current, earlier } = journals;
  await pace.enter();
  const listing = { ...work, ...asked, earlier };
  const listed = await tryAgain(() => listWindow(listing, current)).finally(pace.leave);
  if (listed.seal === undefined) await fetchWindow(work, journals, listed);
  else tally.add(listed.seal);
  tally.endDays(countDays(current));
}
