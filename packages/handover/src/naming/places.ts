// The files that each record of an export should have, and the places of these: every day is a folder, with names of its own.
import { RECORDINGS, TRANSCRIPTS, type FileKind } from "../export/layout.ts";
import { type Item, ITEM_KINDS, listItems } from "../export/manifest.ts";
import type { CallRecord } from "@call-media/client";
import { createNames, type Names } from "./distinct-names.ts";
import { toStem } from "./template.ts";

/** A record of a call, which has several where it was transferred. */
export interface Leg {
  readonly record: CallRecord;
  /** Number of recordings that it names. */
  readonly parts: number;
  /** The folder: YYYY-MM-DD. */
  readonly day: string;
}

export interface NamingOptions {
  /** Template of the names. */
  readonly name: string;
  readonly files: readonly FileKind[];
}

/** The files of a record. */
export interface Place {
  readonly items: readonly Item[];
  /** True for the first record of the call on its day: the chat goes with that one. */
  readonly isFirst: boolean;
  /** Path within the export without an extension. */
  readonly toPath: (item: Item) => string;
}

/** Remembers every name. The same order of records gives the same places. */
export interface Places {
  /** `index`: of the record, as its items have it. */
  readonly place: (leg: Leg, index: number) => Place;
  /** Takes the names that the files of a record have already. */
  readonly take: (leg: Leg) => Stems;
  /** A path that a file has already. */
  readonly reserve: (path: string) => void;
}

/** Names without extension, in the order of the parts. */
type Stems = Readonly<Record<Item["kind"], readonly string[]>>;

const FOLDERS = { recording: RECORDINGS, transcript: TRANSCRIPTS } as const;

interface Day {
  readonly names: Readonly<Record<Item["kind"], Names>>;
  readonly calls: Set<string>;
}

export function createPlaces({ name, files }: NamingOptions): Places {
  const days = new Map<string, Day>();
  const ofDay = (day: string): Day => {
    const known = days.get(day) ?? {
      names: { recording: createNames(), transcript: createNames() },
      calls: new Set(),
    };
    days.set(day, known);
    return known;
  };
  const take = ({ record, parts, day }: Leg): Stems => {
    const { names } = ofDay(day);
    const toName = (part: number) => toStem(name, record, part);
    return {
      recording: Array.from({ length: parts }, (_, at) => names.recording.take(toName(at + 1))),
      transcript: files.includes("transcripts") ? [names.transcript.take(toName(1))] : [],
    };
  };
  return {
    take,
    reserve(path) {
      const [folder, day = "", file = ""] = path.split("/");
      const kind = ITEM_KINDS.find((one) => FOLDERS[one] === folder);
      if (kind !== undefined) ofDay(day).names[kind].reserve(file.replace(/(?<=.)\.[^.]*$/, ""));
    },
    place(leg, index) {
      const items = listItems(files, { index, parts: leg.parts });
      if (items.length === 0) return { items, isFirst: false, toPath: () => "" };
      const { call_id } = leg.record;
      const { calls } = ofDay(leg.day);
      const isFirst = call_id !== null && !calls.has(call_id);
      if (call_id !== null) calls.add(call_id);
      const stems = take(leg);
      const toPath = ({ kind, part }: Item) =>
        `${FOLDERS[kind]}/${leg.day}/${stems[kind][part - 1] ?? ""}`;
      return { items, isFirst, toPath };
    },
  };
}
