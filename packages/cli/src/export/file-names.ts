// The files that each record should have, and their names.
import { parse } from "node:path";
import type { CallRecord } from "@call-media/client";
import {
  createDayNames,
  type DayNames,
  type FileNames,
  type Item,
  type Leg,
  listItems,
  RECORDINGS,
  TRANSCRIPTS,
} from "@call-media/handover";
import { type Row, toRecord } from "./journal/journal.ts";
import type { Plan } from "./plan/plan.ts";

/** One file to export: its record, its number, and its paths. The journal has its state. */
export interface FileTask extends Pick<FileNames, "isFirst"> {
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
  const days = new Map<string, DayNames>();
  const ofDay = (day: string) => {
    const names = days.get(day) ?? createDayNames(plan);
    days.set(day, names);
    return names;
  };
  return {
    takeNames: (row) => void ofDay(row.day).takeNames(toLeg(row)),
    reserve(files) {
      for (const file of files) {
        const [folder, day = "", name = ""] = file.split("/");
        const kind = folder === TRANSCRIPTS ? "transcript" : "recording";
        ofDay(day).names[kind].reserve(parse(name).name);
      }
    },
    toTasks(row) {
      const leg = toLeg(row);
      const { stems, ...names } = ofDay(row.day).place(leg);
      return listItems(plan.files, row).map((item) => ({
        ...names,
        item,
        record: leg.record,
        stem: `${FOLDERS[item.kind]}/${row.day}/${stems[item.kind][item.part - 1]}`,
        partPath: `${partPrefix}.${item.row}.${item.kind}.${item.part}`,
      }));
    },
  };
}

const FOLDERS = { recording: RECORDINGS, transcript: TRANSCRIPTS } as const;

const toLeg = (row: Row): Leg => ({ record: toRecord(row), parts: row.parts });
