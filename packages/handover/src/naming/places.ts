// The files that each record of an export should have, and their paths. Every day is a directory with its own names.
import { RECORDINGS, TRANSCRIPTS, type FileKind } from "../export/layout.ts";
import { type Item, ITEM_KINDS, listItems } from "../export/manifest.ts";
import type { CallRecord } from "@call-media/client";
import { createToMs } from "../fetching/by-time.ts";
import { createNames, type Names } from "./distinct-names.ts";
import { toStem } from "./template.ts";

/** A record of a call; a transferred call has several. */
export interface Leg {
  readonly record: CallRecord;
  /** The number of recordings that it names. */
  readonly parts: number;
  /** The directory: YYYY-MM-DD. */
  readonly day: string;
}

export interface NamingOptions {
  /** The template of the names. */
  readonly name: string;
  readonly files: readonly FileKind[];
  /** The time zone of datetimes without an offset (D03). Default: UTC. */
  readonly archiveTimeZone?: string | null | undefined;
}

/** The files of a record. */
export interface Place {
  readonly items: readonly Item[];
  /** True for the record of the call that is named first on its day; the chat goes with that record. */
  readonly isFirst: boolean;
  /** The path within the export without an extension. */
  readonly toPath: (item: Item) => string;
}

/** Remembers every name. The same legs yield the same paths. */
export interface Places {
  /**
   * Registers a leg, so that legs are named by time, whatever the order of the search. Must be called for each leg before the first
   * is placed. Otherwise they are named in the order in which they are placed.
   */
  readonly foresee: (leg: Leg) => void;
  /** Starts a pass over all legs, in the order in which they were registered. `index`: of the record, as in its items. */
  readonly open: () => (leg: Leg, index: number) => Place;
  /** Reserves the names that the files of a record already have. */
  readonly take: (leg: Leg) => void;
  /** A path that a file already has. */
  readonly reserve: (path: string) => void;
}

/** The files of a leg: first with the names that they would have on their own, and then with their final names. */
interface Naming extends Pick<Leg, "day"> {
  readonly callId: string | null;
  readonly ms: number;
  isFirst: boolean;
  /** Without an extension, in the order of the parts. */
  readonly stems: Record<Item["kind"], readonly string[]>;
}

const FOLDERS = { recording: RECORDINGS, transcript: TRANSCRIPTS } as const;

interface Day {
  readonly names: Readonly<Record<Item["kind"], Names>>;
  readonly calls: Set<string>;
}

export function createPlaces({ name, files, archiveTimeZone }: NamingOptions): Places {
  const days = createDays();
  const toMs = createToMs(archiveTimeZone ?? undefined);
  // A day may have many calls, so each is a single object.
  const foreseen: Naming[] = [];
  let isNamed = false;
  const toNaming = ({ record, parts, day }: Leg): Naming => {
    const toName = (part: number) => toStem(name, record, part);
    const recording = Array.from({ length: parts }, (_, at) => toName(at + 1));
    const transcript = files.includes("transcripts") ? [toName(1)] : [];
    const stems = { recording, transcript };
    return { day, callId: record.call_id, ms: toMs(record), isFirst: false, stems };
  };
  const nameForeseen = () => {
    for (const leg of foreseen.toSorted((one, other) => one.ms - other.ms)) days.name(leg);
    isNamed = true;
  };
  return {
    foresee(leg) {
      if (listItems(files, { index: 0, parts: leg.parts }).length > 0) foreseen.push(toNaming(leg));
    },
    open() {
      if (!isNamed) nameForeseen();
      let next = 0;
      return (leg, index) => {
        const items = listItems(files, { index, parts: leg.parts });
        if (items.length === 0) return { items, isFirst: false, toPath: () => "" };
        const { isFirst, stems } = foreseen[next++] ?? days.name(toNaming(leg));
        const toPath = ({ kind, part }: Item) =>
          `${FOLDERS[kind]}/${leg.day}/${stems[kind][part - 1] ?? ""}`;
        return { items, isFirst, toPath };
      };
    },
    take: (leg) => days.take(toNaming(leg)),
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
  const take = ({ day, stems }: Naming): void => {
    const { names } = ofDay(day);
    for (const kind of ITEM_KINDS) stems[kind] = stems[kind].map((stem) => names[kind].take(stem));
  };
  return {
    take,
    name(leg: Naming): Naming {
      const { calls } = ofDay(leg.day);
      leg.isFirst = leg.callId !== null && !calls.has(leg.callId);
      if (leg.callId !== null) calls.add(leg.callId);
      take(leg);
      return leg;
    },
    reserve(path: string) {
      const [folder, day = "", file = ""] = path.split("/");
      const kind = ITEM_KINDS.find((one) => FOLDERS[one] === folder);
      if (kind !== undefined) ofDay(day).names[kind].reserve(file.replace(/(?<=.)\.[^.]*$/, ""));
    },
  };
}
