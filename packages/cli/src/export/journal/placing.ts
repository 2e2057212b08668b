// Where the files of a record belong: which it should have, what they are called, and which recordings of a call are its own.
import { parse } from "node:path";
import type { CallRecord } from "@call-media/client";
import { TRANSCRIPTS } from "../folder/files.ts";
import type { Days } from "../plan/days.ts";
import { createNames, type Names } from "../../files/distinct-names.ts";
import { toStem } from "../plan/names.ts";
import type { Plan } from "../plan/plan.ts";
import { type Item, type Outcome, type Row, toRecord } from "./entries.ts";

/** A record with all that is known of its place before anything is fetched. */
export interface Placed extends Pick<Row, "day"> {
  readonly record: CallRecord;
  /** Names without extension, by kind, in the order of the parts. */
  readonly stems: Readonly<Record<Item["kind"], readonly string[]>>;
  /** Whether no record of the call came before it on this day. */
  readonly isFirst: boolean;
  /** How many recordings of the call come before its own: those of earlier legs. Undefined where not all of them are known. */
  readonly offset: number | undefined;
}

/** The files that a record should have, in the order of the manifest. */
export function listItems(
  { files }: Plan,
  { index: row, parts }: Pick<Row, "index" | "parts">,
): readonly Item[] {
  const items: Item[] = [];
  if (files.includes("recordings"))
    for (let part = 1; part <= parts; part++) items.push({ row, kind: "recording", part });
  if (files.includes("transcripts")) items.push({ row, kind: "transcript", part: 1 });
  return items;
}

/** Those that should have files. */
export const findWanting = (plan: Plan, rows: readonly Row[]) =>
  rows.filter((row) => listItems(plan, row).length > 0);

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
  const days = new Map<string, DayPlacing>();
  const ofDay = (day: string) => {
    const placing = days.get(day) ?? createDayPlacing(plan, hasAll);
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

/**
 * The day of its datetime as it is written, where that is one of the window; else the nearest. To the service it may be of
 * the day before or after (D03, D06).
 */
export function toFolderDay(
  { datetime }: Pick<CallRecord, "datetime">,
  { from, to }: Days,
): string {
  const [day = from] = /^\d{4}-\d\d-\d\d/.exec(datetime ?? "") ?? [];
  if (day < from) return from;
  return day > to ? to : day;
}

/** A record of a call, which has several where it was transferred. */
interface Leg extends Pick<Row, "parts"> {
  readonly record: CallRecord;
}

const toLeg = (row: Row): Leg => ({ record: toRecord(row), parts: row.parts });

interface DayPlacing {
  readonly names: Readonly<Record<Item["kind"], Names>>;
  readonly count: (leg: Leg) => void;
  readonly takeNames: (leg: Leg) => Placed["stems"];
  readonly place: (leg: Leg) => Pick<Placed, "stems" | "isFirst" | "offset">;
}

/** In memory are names and calls of one day. */
/** `hasAll`: whether it gets all records of its day. */
function createDayPlacing({ name, files, isOldestFirst }: Plan, hasAll: boolean): DayPlacing {
  const hasTranscripts = files.includes("transcripts");
  const names: DayPlacing["names"] = {
    recording: createNames(),
    transcript: createNames(),
  };
  const partsOfCall = new Map<string, number>();
  const placedParts = new Map<string, number>();

  const takeNames = ({ record, parts }: Leg) => {
    const toName = (part: number) => toStem(name, record, part);
    return {
      recording: Array.from({ length: parts }, (_, at) => names.recording.take(toName(at + 1))),
      transcript: hasTranscripts ? [names.transcript.take(toName(1))] : [],
    };
  };

  /** The service counts the recordings of a call by their start (D17), and so its oldest record first. */
  const toOffset = ({ record: { call_id, datetime }, parts }: Leg) => {
    if (call_id === null) return 0;
    if (!hasAll || isEarly(datetime)) return undefined;
    const before = placedParts.get(call_id) ?? 0;
    return isOldestFirst ? before : (partsOfCall.get(call_id) ?? parts) - before - parts;
  };

  return {
    names,
    takeNames,
    count({ record: { call_id }, parts }) {
      if (call_id !== null) partsOfCall.set(call_id, (partsOfCall.get(call_id) ?? 0) + parts);
    },
    place(leg) {
      const { call_id } = leg.record;
      const isFirst = call_id !== null && !placedParts.has(call_id);
      const placed = { stems: takeNames(leg), isFirst, offset: toOffset(leg) };
      if (call_id !== null) placedParts.set(call_id, (placedParts.get(call_id) ?? 0) + leg.parts);
      return placed;
    },
  };
}

/** A call that was transferred by then may have begun on the day before. None lasts longer. */
const EARLY_HOURS = 6;

const isEarly = (datetime: string | null) =>
  Number(/^.{10}[T ](\d\d)/.exec(datetime ?? "")?.[1] ?? 0) < EARLY_HOURS;

/** Complete recordings that earlier rounds have of a window, by both keys: a record that came again with other values keeps them. */
export type EarlierRecordings = Map<string, Outcome>;

/** The same recording, as far as anybody can tell without asking for it. */
export const toRecordingKey = ({ call_id, ref_id, recordings }: CallRecord, part: number) =>
  JSON.stringify([call_id, ref_id, recordings, part]);

/** The same recording, whatever else the record lists. */
export const toDigestKey = ({ call_id, ref_id }: CallRecord, sha256: string) =>
  JSON.stringify([call_id, ref_id, sha256]);
