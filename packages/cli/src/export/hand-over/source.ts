// The calls of a finished export for the writer of hand-overs, read from its journals and its folder.
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import type { CallRecord } from "@call-media/client";
import {
  createPlaces,
  type Exporter,
  type HandedCall,
  type HandedFile,
  type HandOverSource,
  type Item,
  type Listed,
  type Outcome,
  toFolderDay,
  type ViewerMessage,
} from "@call-media/handover";
import type { ExportFolder } from "../folder/export-folder.ts";
import { parseJson } from "../folder/read.ts";
import { listJournals, readJournal, readRows, type Row, toRecord } from "../journal/journal.ts";
import { createSupersededFilter } from "../journal/superseded.ts";
import type { Plan } from "../plan/plan.ts";
import { toSpan } from "../plan/search-days.ts";
import { NOT_TRIED } from "../proof/outputs.ts";
import { readSearched } from "../proof/searched.ts";

/** An export in which every file was tried. */
export interface Fetched {
  readonly plan: Plan;
  readonly exportedBy: Exporter;
}

export async function openSource(
  folder: ExportFolder,
  { plan, exportedBy }: Fetched,
): Promise<HandOverSource> {
  const journals = await listJournals(folder.journals, plan.isOldestFirst);
  const spans: Listed[] = [];
  for (const { path } of journals) spans.push((await readJournal(path)).listed);

  const days = toSpan(plan.rounds);
  const places = createPlaces(plan);
  const toLeg = ({ parts, ...row }: Row) => {
    const record = toRecord(row);
    return { record, parts, day: toFolderDay(record, days) };
  };
  for (const { path } of journals)
    for await (const rows of readRows(path)) rows.map(toLeg).forEach(places.foresee);

  async function* readPlaced(): AsyncGenerator<Placed> {
    const place = places.open();
    const isSuperseded = await createSupersededFilter(plan, journals);
    for (const [span, journal] of journals.entries()) {
      const { outcomes } = await readJournal(journal.path);
      for await (const rows of readRows(journal.path))
        for (const row of rows) {
          const { items, toPath } = place(toLeg(row), row.index);
          const files = items.map((item) => toPlacedFile(item, toPath(item), outcomes.get(item)));
          yield { row, span, files, isSuperseded: isSuperseded(journal, row) };
        }
    }
  }

  return {
    search: await readSearched(folder, plan),
    exportedBy,
    beganAt: plan.rounds.at(-1)?.beganAt ?? "",
    now: () => new Date(),
    spans,
    timeZone: plan.timeZone ?? undefined,
    async *files() {
      for await (const { files } of readPlaced())
        for (const { stored, outcome } of files)
          if (stored !== null && outcome.file !== null && outcome.sha256 !== null)
            yield {
              file: outcome.file,
              sha256: outcome.sha256,
              content: createReadStream(folder.toPath(stored)),
            };
    },
    async *calls() {
      for await (const { row, files, ...rest } of readPlaced()) {
        const transcript = files.find(({ item }) => item.kind === "transcript")?.stored ?? null;
        const readMessages = async () =>
          transcript === null ? [] : await readTranscript(folder.toPath(transcript));
        // The journal has the record unchanged.
        const record = JSON.parse(row.json) as CallRecord;
        yield { ...rest, record, files, readMessages };
      }
    },
  };
}

interface Placed extends Pick<HandedCall, "span" | "isSuperseded"> {
  readonly row: Row;
  readonly files: readonly PlacedFile[];
}

interface PlacedFile extends HandedFile {
  /** Its path in the folder. */
  readonly stored: string | null;
}

function toPlacedFile(item: Item, path: string, outcome: Outcome = NOT_TRIED): PlacedFile {
  const { file: stored } = outcome;
  const file = stored === null ? null : `${path}${extname(stored)}`;
  return { item, stored, outcome: { ...outcome, file } };
}

/** This program has written the file. */
async function readTranscript(path: string): Promise<readonly ViewerMessage[]> {
  const { messages } = parseJson(await readFile(path, "utf8")) as {
    readonly messages: readonly ViewerMessage[];
  };
  return messages;
}
