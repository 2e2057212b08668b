// Where the files of a record belong: which it should have, what they are called, and which recordings of a call are its own.
import type { CallRecord } from "@call-media/client";
import type { Days } from "./days.ts";
import type { Item, Outcome, Row } from "./entries.ts";
import { createNames, type Names, toStem } from "./names.ts";
import type { Plan } from "./plan.ts";

/** A record with all that is known of its place before anything is fetched. */
export interface Placed {
  /** In its journal. */
  readonly index: number;
  readonly row: Row;
  /** Whose folder its files are in. */
  readonly day: string;
  /** Names without extension, by kind, in the order of the parts. */
  readonly stems: Readonly<Record<Item["kind"], readonly string[]>>;
  /** Whether no record of the call came before it on this day. */
  readonly isFirst: boolean;
  /** How many recordings of the call come before its own: those of earlier legs. */
  readonly offset: number;
}

/** The files that a record should have, in the order of the manifest. */
export function listItems(
  { files }: Plan,
  { parts }: Pick<Row, "parts">,
  row: number,
): readonly Item[] {
  const count = files.includes("recordings") ? parts : 0;
  const recordings = Array.from({ length: count }, (_, index) => ({
    kind: "recording",
    part: index + 1,
  }));
  const transcripts = files.includes("transcripts") ? [{ kind: "transcript", part: 1 }] : [];
  // The kinds are literals.
  return [...recordings, ...transcripts].map((item) => ({ row, ...item }) as Item);
}

/** Gives the records of a window their places; the same in every run, as the records come in the same order. */
export interface Placing {
  /** A first reading: which calls have several records. */
  readonly count: (rows: readonly Row[]) => void;
  /** A record of an earlier round keeps its names. */
  readonly takeNames: (row: Row) => void;
  readonly place: (row: Row) => Placed;
}

/** Each day for itself, so that it does not matter which days were searched for together. */
export function createPlacing(plan: Plan, window: Days): Placing {
  const days = new Map<string, DayPlacing>();
  let index = 0;
  const ofDay = (day: string) => {
    const placing = days.get(day) ?? createDayPlacing(plan);
    days.set(day, placing);
    return placing;
  };
  return {
    count(rows) {
      for (const row of rows) ofDay(toDay(row, window)).count(row);
    },
    takeNames: (row) => void ofDay(toDay(row, window)).takeNames(row),
    place(row) {
      const day = toDay(row, window);
      return { index: index++, row, day, ...ofDay(day).place(row) };
    },
  };
}

/**
 * The day of its datetime as it is written, where that is one of the window; else the nearest. To the service it may be of
 * the day before or after (D03, D06).
 */
export function toDay({ record }: Row, { from, to }: Days): string {
  const [day = from] = /^\d{4}-\d\d-\d\d/.exec(record.datetime ?? "") ?? [];
  if (day < from) return from;
  return day > to ? to : day;
}

interface DayPlacing {
  readonly count: (row: Row) => void;
  readonly takeNames: (row: Row) => Placed["stems"];
  readonly place: (row: Row) => Pick<Placed, "stems" | "isFirst" | "offset">;
}

/** In memory are names and calls of one day. */
function createDayPlacing({ name, files, isOldestFirst }: Plan): DayPlacing {
  const hasTranscripts = files.includes("transcripts");
  const names: Readonly<Record<Item["kind"], Names>> = {
    recording: createNames(),
    transcript: createNames(),
  };
  const partsOfCall = new Map<string, number>();
  const placedParts = new Map<string, number>();

  const takeNames = ({ record, parts }: Row) => {
    const toName = (part: number) => toStem(name, record, part);
    return {
      recording: Array.from({ length: parts }, (_, at) => names.recording.take(toName(at + 1))),
      transcript: hasTranscripts ? [names.transcript.take(toName(1))] : [],
    };
  };

  /** The service counts the recordings of a call by their start (D17), and so its oldest record first. */
  const toOffset = ({ record: { call_id }, parts }: Row) => {
    if (call_id === null) return 0;
    const before = placedParts.get(call_id) ?? 0;
    return isOldestFirst ? before : (partsOfCall.get(call_id) ?? parts) - before - parts;
  };

  return {
    takeNames,
    count({ record: { call_id }, parts }) {
      if (call_id !== null) partsOfCall.set(call_id, (partsOfCall.get(call_id) ?? 0) + parts);
    },
    place(row) {
      const { call_id } = row.record;
      const isFirst = call_id !== null && !placedParts.has(call_id);
      const placed = { stems: takeNames(row), isFirst, offset: toOffset(row) };
      if (call_id !== null) placedParts.set(call_id, (placedParts.get(call_id) ?? 0) + row.parts);
      return placed;
    },
  };
}

/** Complete recordings that earlier rounds have of a window: a record that came again with other values keeps them. */
export type EarlierRecordings = Map<string, Outcome>;

/** The same recording, as far as anybody can tell without asking for it. */
export const toRecordingKey = ({ call_id, ref_id, recordings }: CallRecord, part: number) =>
  JSON.stringify([call_id, ref_id, recordings, part]);
