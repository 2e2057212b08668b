// The search in the report of an export: which calls of a list were not found, and the search texts without masked values.
import {
  listMasked,
  listSearched,
  redactSearch,
  type Searched,
  toSpanNames,
} from "@call-media/handover";
import { console, toPrintable } from "@call-media/terminal";
import type { ExportFolder } from "../folder/export-folder.ts";
import { listJournals, readMatched } from "../journal/journal.ts";
import { listUnmuted } from "./asked-spans.ts";
import type { Plan } from "../plan/plan.ts";
import { toSpan } from "../plan/search-days.ts";

/** Missing calls are in the order of the list. */
export async function readSearched(folder: ExportFolder, plan: Plan): Promise<Searched> {
  const { journals } = folder;
  const found = new Set<number>();
  const hidden = new Set<number>();
  for (const { path } of await listJournals(journals, plan.isOldestFirst)) {
    const matched = await readMatched(path);
    for (const index of matched.asked) found.add(index);
    for (const index of matched.hidden) hidden.add(index);
  }
  const texts = listSearched(plan).filter((_, index) => hidden.has(index));
  const { filter, where, words, mute, purpose } = plan;
  const missing = plan.ids?.filter((_, index) => !found.has(index));
  const unnamed = missing?.filter((id) => texts.includes(id)) ?? [];
  if (unnamed.length > 0)
    console.info(`not found, and masked in the report: ${toPrintable(unnamed.join(", "))}`);
  const unmuted = mute && (await listUnmuted(folder, plan, mute));
  const searched = { filter, where, words, ids: missing, mute: unmuted, purpose };
  const { ids, mute: named, ...search } = redactSearch(searched, texts);
  return {
    ...plan,
    ...toSpan(plan.rounds),
    ...search,
    archiveTimeZone: plan.archiveTimeZone ?? undefined,
    ids: ids && { asked: plan.ids?.length ?? 0, missing: ids },
    mute: named && { asked: mute?.length ?? 0, missing: toSpanNames(named) },
    kinds: plan.files,
    redacted: listMasked(plan),
  };
}
