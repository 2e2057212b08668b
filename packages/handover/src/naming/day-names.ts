// The records of one day that should have files, and the names of these.
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
}

export interface NamingOptions {
  /** Template of the names. */
  readonly name: string;
  readonly files: readonly FileKind[];
}

export interface DayNames {
  readonly names: Readonly<Record<Item["kind"], Names>>;
  readonly takeNames: (leg: Leg) => FileNames["stems"];
  readonly place: (leg: Leg) => FileNames;
}

/** In memory are names and calls of the day. */
export function createDayNames({ name, files }: NamingOptions): DayNames {
  const hasTranscripts = files.includes("transcripts");
  const names: DayNames["names"] = {
    recording: createNames(),
    transcript: createNames(),
  };
  const placed = new Set<string>();

  const takeNames = ({ record, parts }: Leg) => {
    const toName = (part: number) => toStem(name, record, part);
    return {
      recording: Array.from({ length: parts }, (_, at) => names.recording.take(toName(at + 1))),
      transcript: hasTranscripts ? [names.transcript.take(toName(1))] : [],
    };
  };

  return {
    names,
    takeNames,
    place(leg) {
      const { call_id } = leg.record;
      const isFirst = call_id !== null && !placed.has(call_id);
      if (call_id !== null) placed.add(call_id);
      return { stems: takeNames(leg), isFirst };
    },
  };
}
