// Where the files of a record belong: which it should have, in the folder of which day, and as what.
import { parse } from "node:path";
import type { CallRecord } from "@call-media/client";
import {
  createDayNames,
  type DayNames,
  type FileNames,
  type Leg,
  listItems,
  type Outcome,
  TRANSCRIPTS,
} from "@call-media/handover";
import type { Plan } from "../plan/plan.ts";
import { type Row, toRecord } from "./entries.ts";

/** A record with all that is known of its place before anything is fetched. */
export interface Placed extends FileNames, Pick<Row, "day"> {
  readonly record: CallRecord;
}

/** Those that should have files. */
export const findWanting = (plan: Plan, rows: readonly Row[]) =>
  rows.filter((row) => listItems(plan.files, row).length > 0);

/**
 * Gives the records of a window that should have files their places; the same in every run, as the records come in the
 * same order.
 */
export interface Placing {
  /** A first reading: which calls have several records. */
  readonly count: (rows: readonly Row[]) => void;
  /** A record of an earlier round keeps its names. */
  readonly takeNames: (row: Row) => void;
  /** Files of other rounds keep theirs. */
  readonly reserve: (files: Iterable<string>) => void;
  readonly place: (row: Row) => Placed;
}

/**
 * Each day for itself, so that it does not matter which days were searched for together. `hasOthers`: whether other rounds
 * have records of these days.
 */
export function createPlacing(plan: Plan, hasOthers: boolean): Placing {
  const hasAll = !hasOthers && plan.where === null && Object.keys(plan.filter).length === 0;
  const days = new Map<string, DayNames>();
  const ofDay = (day: string) => {
    const placing = days.get(day) ?? createDayNames(plan, hasAll);
    days.set(day, placing);
    return placing;
  };
  return {
    count(rows) {
      for (const row of findWanting(plan, rows)) ofDay(row.day).count(toLeg(row));
    },
    takeNames: (row) => void ofDay(row.day).takeNames(toLeg(row)),
    reserve(files) {
      for (const file of files) {
        const [folder, day = "", name = ""] = file.split("/");
        const kind = folder === TRANSCRIPTS ? "transcript" : "recording";
        ofDay(day).names[kind].reserve(parse(name).name);
      }
    },
    place(row) {
      const { day } = row;
      const leg = toLeg(row);
      return { day, record: leg.record, ...ofDay(day).place(leg) };
    },
  };
}

const toLeg = (row: Row): Leg => ({ record: toRecord(row), parts: row.parts });

/** Complete recordings that earlier rounds have of a window, by both keys: a record that came again with other values keeps them. */
export type EarlierRecordings = Map<string, Outcome>;

/** The same recording, as far as anybody can tell without asking for it. */
export const toRecordingKey = ({ call_id, ref_id, recordings }: CallRecord, part: number) =>
  JSON.stringify([call_id, ref_id, recordings, part]);

/** The same recording, whatever else the record lists. */
export const toDigestKey = ({ call_id, ref_id }: CallRecord, sha256: string) =>
  JSON.stringify([call_id, ref_id, sha256]);
