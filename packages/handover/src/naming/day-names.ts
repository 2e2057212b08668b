// The records of one day that should have files: the names of these, and the recordings of each record.
import type { CallRecord } from "@call-media/client";
import type { FileKind } from "../export/layout.ts";
import type { Item } from "../export/manifest.ts";
import { createNames, type Names } from "./distinct-names.ts";
import { toStem } from "./template.ts";

/** A record of a call, which has several where it was transferred. */
export interface Leg {
  readonly record: CallRecord;
  /** Number of recordings that it names. */
  readonly parts: number;
}

/** The file names of a record, and its place among the records of its day. */
export interface FileNames {
  /** Names without extension, by kind, in the order of the parts. */
  readonly stems: Readonly<Record<Item["kind"], readonly string[]>>;
  /** True for the first record of the call on this day. */
  readonly isFirst: boolean;
  /** How many recordings of the call come before its own: those of earlier legs. Undefined where not all of them are known. */
  readonly offset: number | undefined;
}

export interface NamingOptions {
  /** Template of the names. */
  readonly name: string;
  readonly files: readonly FileKind[];
  /** Order in which the service gives records. */
  readonly isOldestFirst: boolean;
}

export interface DayNames {
  readonly names: Readonly<Record<Item["kind"], Names>>;
  readonly count: (leg: Leg) => void;
  readonly takeNames: (leg: Leg) => FileNames["stems"];
  readonly place: (leg: Leg) => FileNames;
}

/** In memory are names and calls of the day. `hasAll`: whether it gets all of its records. */
export function createDayNames(
  { name, files, isOldestFirst }: NamingOptions,
  hasAll: boolean,
): DayNames {
  const hasTranscripts = files.includes("transcripts");
  const names: DayNames["names"] = {
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
