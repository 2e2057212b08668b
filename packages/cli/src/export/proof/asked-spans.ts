// Which spans that were to be muted the export has no recording of: a mistyped identifier must not go unseen.
import { type CallSpan, listItems, type Outcome } from "@call-media/handover";
import type { ExportFolder } from "../folder/export-folder.ts";
import { listJournals, readJournal, readRows, toRecord } from "../journal/journal.ts";
import type { Plan } from "../plan/plan.ts";

/** Of the spans that were to be muted. Undefined where no recordings are exported. */
export async function listUnmuted(
  { journals }: ExportFolder,
  { files, isOldestFirst }: Plan,
  mute: readonly CallSpan[],
): Promise<readonly CallSpan[] | undefined> {
  if (!files.includes("recordings")) return undefined;
  const calls = new Set(mute.map(({ call_id }) => call_id));
  const muted = new Set<string>();
  // What could not be fetched is a fault of its own.
  const unsettled = new Set<string>();
  for (const journal of await listJournals(journals, isOldestFirst)) {
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
  return mute.filter((span) => !unsettled.has(span.call_id) && !muted.has(toKey(span)));
}

const isSettled = (outcome: Outcome | undefined): boolean =>
  outcome?.status === "complete" || outcome?.status === "none";

const toKey = ({ call_id, part, from, to, channel = 0 }: CallSpan): string =>
  JSON.stringify([call_id, part, from, to, channel]);

/** As the report names them. */
export const toSpanNames = (spans: readonly CallSpan[]): readonly string[] => [
  ...new Set(
    spans.map(
      ({ call_id, part, from, to }) => `${from}-${to} s in recording ${part} of call ${call_id}`,
    ),
  ),
];
