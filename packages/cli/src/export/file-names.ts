// The files that each record should have, and their names.
import type { CallRecord } from "@call-media/client";
import { createPlaces, type Item, listItems, type Place } from "@call-media/handover";
import { type Row, toRecord } from "./journal/journal.ts";
import type { Plan } from "./plan/plan.ts";

/** One file to export: its record, its number, and its paths. The journal has its state. */
export interface FileTask extends Pick<Place, "isFirst"> {
  readonly item: Item;
  readonly record: CallRecord;
  /** Path without extension, as the manifest has it. */
  readonly stem: string;
  /** Path of the file while it is incomplete. */
  readonly partPath: string;
}

export const findRowsWithFiles = (plan: Plan, rows: readonly Row[]) =>
  rows.filter((row) => listItems(plan.files, row).length > 0);

/** Names the files of a window. Every run gives the same names, because the records come in the same order. */
export interface FileNaming {
  /** Takes the names that a record of an earlier round got. */
  readonly takeNames: (row: Row) => void;
  /** Reserves the names of existing files of other rounds. */
  readonly reserve: (files: Iterable<string>) => void;
  readonly toTasks: (row: Row) => readonly FileTask[];
}

/** Names each day by itself, so that the windows of a search do not matter. `partPrefix`: path of incomplete files without their suffix. */
export function createFileNaming(plan: Plan, partPrefix: string): FileNaming {
  const places = createPlaces(plan);
  return {
    takeNames: (row) => void places.take(toLeg(row)),
    reserve(files) {
      for (const file of files) places.reserve(file);
    },
    toTasks(row) {
      const leg = toLeg(row);
      const { items, isFirst, toPath } = places.place(leg, row.index);
      return items.map((item) => ({
        item,
        isFirst,
        record: leg.record,
        stem: toPath(item),
        partPath: `${partPrefix}.${item.row}.${item.kind}.${item.part}`,
      }));
    },
  };
}

const toLeg = ({ parts, day, ...row }: Row) => ({ record: toRecord(row), parts, day });
