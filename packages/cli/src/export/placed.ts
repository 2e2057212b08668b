// Where the files of a record belong: which it should have, what they are called, and which recordings of a call are its own.
import type { CallRecord } from "@call-media/client";
import type { Item, Outcome, Row } from "./journal.ts";
import { createNames, type Names, toStem } from "./names.ts";
import type { Plan } from "./plan.ts";

/** A record with all that is known of its place before anything is fetched. */
export interface Placed {
  /** In its journal. */
  readonly index: number;
  readonly row: Row;
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

/** Gives the records of one day their places; the same in every run, as the records come in the same order. */
export interface Placing {
  /** A first reading: which calls have several records. */
  readonly count: (rows: readonly Row[]) => void;
  /** A record of an earlier round keeps its names. */
  readonly takeNames: (row: Row) => Placed["stems"];
  readonly place: (row: Row) => Placed;
}

/** In memory are names and calls of one day. */
export function createPlacing({ name, isOldestFirst }: Plan): Placing {
  const names: Readonly<Record<Item["kind"], Names>> = {
    recording: createNames(),
    transcript: createNames(),
  };
  const partsOfCall = new Map<string, number>();
  const placedParts = new Map<string, number>();
  let index = 0;

  const takeNames = ({ record, parts }: Row) => {
    const toName = (part: number) => toStem(name, record, part);
    return {
      recording: Array.from({ length: parts }, (_, at) => names.recording.take(toName(at + 1))),
      transcript: [names.transcript.take(toName(1))],
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
    count(rows) {
      for (const { record, parts } of rows)
        if (record.call_id !== null)
          partsOfCall.set(record.call_id, (partsOfCall.get(record.call_id) ?? 0) + parts);
    },
    place(row) {
      const { call_id } = row.record;
      const isFirst = call_id !== null && !placedParts.has(call_id);
      const placed = { index, row, stems: takeNames(row), isFirst, offset: toOffset(row) };
      if (call_id !== null) placedParts.set(call_id, (placedParts.get(call_id) ?? 0) + row.parts);
      index++;
      return placed;
    },
  };
}

/** Complete recordings that earlier rounds have of a day: a record that came again with other values keeps them. */
export type EarlierRecordings = Map<string, Outcome>;

/** The same recording, as far as anybody can tell without asking for it. */
export const toRecordingKey = ({ call_id, ref_id, recordings }: CallRecord, part: number) =>
  JSON.stringify([call_id, ref_id, recordings, part]);
