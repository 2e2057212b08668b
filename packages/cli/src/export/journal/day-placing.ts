// The records of one day that should have files: what these are called, and which recordings of a call are whose.
import type { CallRecord } from "@call-media/client";
import { createNames, type Names } from "../../files/distinct-names.ts";
import { toStem } from "../plan/names.ts";
import type { Plan } from "../plan/plan.ts";
import type { Item, Row } from "./entries.ts";

/** A record of a call, which has several where it was transferred. */
export interface Leg extends Pick<Row, "parts"> {
  readonly record: CallRecord;
}

/** The place of a record among those of its day. */
export interface Place {
  /** Names without extension, by kind, in the order of the parts. */
  readonly stems: Readonly<Record<Item["kind"], readonly string[]>>;
  /** Whether no record of the call came before it on this day. */
  readonly isFirst: boolean;
  /** How many recordings of the call come before its own: those of earlier legs. Undefined where not all of them are known. */
  readonly offset: number | undefined;
}

export interface DayPlacing {
  readonly names: Readonly<Record<Item["kind"], Names>>;
  readonly count: (leg: Leg) => void;
  readonly takeNames: (leg: Leg) => Place["stems"];
  readonly place: (leg: Leg) => Place;
}

/** In memory are names and calls of the day. `hasAll`: whether it gets all of its records. */
export function createDayPlacing(
  { name, files, isOldestFirst }: Plan,
  hasAll: boolean,
): DayPlacing {
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
