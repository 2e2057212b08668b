// The files that each record of an export should have, and the places of these: every day is a folder, with names of its own.
import { RECORDINGS, TRANSCRIPTS, type FileKind } from "../export/layout.ts";
import { type Item, ITEM_KINDS, listItems } from "../export/manifest.ts";
import type { CallRecord } from "@call-media/client";
import { createToMs } from "../fetching/by-time.ts";
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
  /** Zone of datetimes without an offset (D03). Default: UTC. */
  readonly archiveTimeZone?: string | null | undefined;
}

/** The files of a record. */
export interface Place {
  readonly items: readonly Item[];
  /** True for the record of the call that is named first on its day: the chat goes with that one. */
  readonly isFirst: boolean;
  /** Path within the export without an extension. */
  readonly toPath: (item: Item) => string;
}

/** Remembers every name. The same legs give the same places. */
export interface Places {
  /**
   * Has legs named in the order of time, whatever the order of the search. To be called for each, before the first is placed;
   * without it they are named in the order in which they are placed.
   */
  readonly foresee: (leg: Leg) => void;
  /** Begins a reading of all legs, in the order in which they were foreseen. `index`: of the record, as its items have it. */
  readonly open: () => (leg: Leg, index: number) => Place;
  /** Takes the names that the files of a record have already. */
  readonly take: (leg: Leg) => void;
  /** A path that a file has already. */
  readonly reserve: (path: string) => void;
}

/** Names without extension, in the order of the parts. */
type Stems = Readonly<Record<Item["kind"], readonly string[]>>;

/** A leg with the names that it would have alone. */
interface Wanting extends Pick<Leg, "day"> {
  readonly callId: string | null;
  readonly stems: Stems;
}

interface Named extends Pick<Place, "isFirst"> {
  readonly stems: Stems;
}

const FOLDERS = { recording: RECORDINGS, transcript: TRANSCRIPTS } as const;

interface Day {
  readonly names: Readonly<Record<Item["kind"], Names>>;
  readonly calls: Set<string>;
}

export function createPlaces({ name, files, archiveTimeZone }: NamingOptions): Places {
  const days = createDays();
  const toMs = createToMs(archiveTimeZone ?? undefined);
  const foreseen: (Wanting & { readonly ms: number })[] = [];
  const hasFiles = ({ parts }: Leg) => listItems(files, { index: 0, parts }).length > 0;
  const toWanting = ({ record, parts, day }: Leg): Wanting => {
    const toName = (part: number) => toStem(name, record, part);
    const recording = Array.from({ length: parts }, (_, at) => toName(at + 1));
    const transcript = files.includes("transcripts") ? [toName(1)] : [];
    return { day, callId: record.call_id, stems: { recording, transcript } };
  };
  let inTime: ReadonlyMap<Wanting, Named> | undefined;
  const nameForeseen = () => {
    const named = foreseen
      .toSorted((one, other) => one.ms - other.ms)
      .map((one) => [one, days.name(one)] as const);
    return new Map<Wanting, Named>(named);
  };
  return {
    foresee(leg) {
      if (hasFiles(leg)) foreseen.push({ ...toWanting(leg), ms: toMs(leg.record) });
    },
    open() {
      let next = 0;
      return (leg, index) => {
        const items = listItems(files, { index, parts: leg.parts });
        if (items.length === 0) return { items, isFirst: false, toPath: () => "" };
        const known = foreseen[next++];
        const named = known && (inTime ??= nameForeseen()).get(known);
        const { isFirst, stems } = named ?? days.name(toWanting(leg));
        const toPath = ({ kind, part }: Item) =>
          `${FOLDERS[kind]}/${leg.day}/${stems[kind][part - 1] ?? ""}`;
        return { items, isFirst, toPath };
      };
    },
    take: (leg) => void days.take(toWanting(leg)),
    reserve: (path) => days.reserve(path),
  };
}

/** The names of each day. */
function createDays() {
  const days = new Map<string, Day>();
  const ofDay = (day: string): Day => {
    const known = days.get(day) ?? {
      names: { recording: createNames(), transcript: createNames() },
      calls: new Set(),
    };
    days.set(day, known);
    return known;
  };
  const take = ({ day, stems }: Wanting): Stems => {
    const { names } = ofDay(day);
    return {
      recording: stems.recording.map((stem) => names.recording.take(stem)),
      transcript: stems.transcript.map((stem) => names.transcript.take(stem)),
    };
  };
  return {
    take,
    name(wanting: Wanting): Named {
      const { calls } = ofDay(wanting.day);
      const { callId } = wanting;
      const isFirst = callId !== null && !calls.has(callId);
      if (callId !== null) calls.add(callId);
      return { isFirst, stems: take(wanting) };
    },
    reserve(path: string) {
      const [folder, day = "", file = ""] = path.split("/");
      const kind = ITEM_KINDS.find((one) => FOLDERS[one] === folder);
      if (kind !== undefined) ofDay(day).names[kind].reserve(file.replace(/(?<=.)\.[^.]*$/, ""));
    },
  };
}
