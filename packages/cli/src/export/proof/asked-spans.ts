// Which spans that were to be muted the export has no recording of: a mistyped identifier must not go unseen.
import { type AskedSpans, type CallSpan, listItems, type Outcome } from "@call-media/handover";
import type { ExportFolder } from "../folder/export-folder.ts";
import { listJournals, readJournal, readRows, toRecord } from "../journal/journal.ts";
import type { Plan } from "../plan/plan.ts";

/** Undefined where nothing was to be muted, or no recordings are exported. */
export async function findAskedSpans(
  { journals }: ExportFolder,
  plan: Plan,
): Promise<AskedSpans | undefined> {
  const { mute, files } = plan;
  if (mute === undefined || !files.includes("recordings")) return undefined;
  const calls = new Set(mute.map(({ call_id }) => call_id));
  const muted = new Set<string>();
  // What could not be fetched is a fault of its own.
  const unsettled = new Set<string>();
  for (const journal of await listJournals(journals, plan.isOldestFirst)) {
    const { outcomes } = await readJournal(journal.path);
    for await (const rows of readRows(journal.path))
      for (const row of rows) {
        const { call_id } = toRecord(row);
        if (call_id === null || !calls.has(call_id)) continue;
        for (const item of listItems(["recordings"], row)) {
          const outcome = outcomes.get(item);
          if (!isSettled(outcome)) unsettled.add(call_id);
          for (const span of outcome?.muted?.spans ?? []) muted.add(toKey({ call_id, ...span }));
        }
      }
  }
  const missing = mute.filter((span) => !unsettled.has(span.call_id) && !muted.has(toKey(span)));
  return { asked: mute.length, missing: [...new Set(missing.map(toName))] };
}

const isSettled = (outcome: Outcome | undefined): boolean =>
  outcome?.status === "complete" || outcome?.status === "none";

const toKey = ({ call_id, part, from, to, channel = 0 }: CallSpan): string =>
  JSON.stringify([call_id, part, from, to, channel]);

const toName = ({ call_id, part, from, to }: CallSpan): string =>
  `${from}-${to} s in recording ${part} of call ${call_id}`;
