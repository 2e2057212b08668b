// Finds which of the calls that were asked for by a list are not in the export.
import type { ExportFolder } from "../folder/export-folder.ts";
import { listJournals, readMatched } from "../journal/journal.ts";
import type { Plan } from "../plan/plan.ts";

/** In the order of the list; undefined without a list. */
export async function findMissingIds(
  { journals }: ExportFolder,
  { ids, isOldestFirst }: Plan,
): Promise<readonly string[] | undefined> {
  if (ids === undefined) return undefined;
  const found = new Set<number>();
  for (const { path } of await listJournals(journals, isOldestFirst))
    for (const index of (await readMatched(path)).asked) found.add(index);
  return ids.filter((_, index) => !found.has(index));
}
