// The texts of a search: its calls from the oldest on, the text of each, and the hits in them.
import type { CallMediaClient, CallRecord } from "@call-media/client";
import { byTime } from "@call-media/handover";
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { findHits, type Hit, type Line, type Party, toTextLines } from "../call/lines.ts";
import type { Search } from "../search/search.ts";
import { readSaid } from "../search/passages.ts";
import { archiveZone } from "../time.ts";

/** The legs of a call that are among the results, in the order of time. */
export interface Entry {
  readonly key: string;
  readonly legs: readonly CallRecord[];
}

export interface Place extends Hit {
  readonly record: CallRecord;
  readonly entry: number;
}

export interface Texts {
  readonly entries: ReadonlySignal<readonly Entry[]>;
  /** The text of the record; once its chat is read, the messages with their times. */
  readonly linesOf: (record: CallRecord) => readonly Line[];
  /** Reads times and chat of a record, once. */
  readonly read: (record: CallRecord) => void;
  /** Finds the hits in the shown lines, in the order of the page. */
  readonly find: (wanted: Wanted) => readonly Place[];
  readonly dispose: () => void;
}

export interface Reader {
  /** The index of the current call. */
  readonly entry: number;
  readonly hit: Place | undefined;
  /** The index of the hit, from 0. */
  readonly place: number;
  /** How many hits there are. */
  readonly count: number;
  readonly goToEntry: (entry: number) => void;
  /** Moves to the next hit, or to the one before. */
  readonly step: (by: number) => void;
}

export interface Wanted {
  readonly find: string;
  readonly words: string;
  /** The side whose lines are shown; undefined shows both. */
  readonly side: Side | undefined;
}

export type Side = Exclude<Party, "other">;

/** True for lines shown unfolded. Lines without a speaker count as either side. */
export const isShown = ({ party }: Line, side: Side | undefined): boolean =>
  side === undefined || party === side || party === "other";

export function createTexts(client: CallMediaClient, search: Search): Texts {
  const said = signal<ReadonlyMap<CallRecord, readonly Line[]>>(new Map());
  const asked = new Set<CallRecord>();
  const aborter = new AbortController();
  const linesOf = (record: CallRecord) =>
    said.value.get(record) ?? toTextLines(record.transcript ?? "");
  const entries = computed(() => {
    // Subscribes this computation to changes.
    void search.results.revision.value;
    return toEntries([...search.results.found()].map(([, record]) => record));
  });

  async function read(record: CallRecord): Promise<void> {
    if (asked.has(record)) return;
    asked.add(record);
    // If the chat cannot be read, the text of the record stays.
    const lines = await readSaid(client, record, aborter.signal).catch(() => "");
    if (typeof lines !== "string") said.value = new Map([...said.value, [record, lines]]);
  }

  return {
    entries,
    linesOf,
    read: (record) => void read(record),
    find: ({ side, ...wanted }) =>
      entries.value.flatMap(({ legs }, entry) =>
        legs.flatMap((record) => {
          const lines = linesOf(record);
          return findHits(lines, wanted)
            .filter(({ line }) => lines[line] !== undefined && isShown(lines[line], side))
            .map((hit) => ({ ...hit, record, entry }));
        }),
      ),
    dispose: () => aborter.abort(),
  };
}

/** Groups records by call, the oldest first; a record without a call_id is an entry of its own. */
export function toEntries(records: readonly CallRecord[]): readonly Entry[] {
  const sorted = records.toSorted(byTime(archiveZone.value));
  const byCall = Map.groupBy(sorted, (record) => record.call_id ?? record);
  return [...byCall.values()].map((legs, index) => ({
    key: legs[0]?.call_id ?? `no call_id ${index}`,
    legs,
  }));
}

/** Shown lines, or folded lines of the other side between them. */
export type Run = {
  readonly isFolded: boolean;
  readonly lines: readonly (readonly [number, Line])[];
};

export function toRuns(lines: readonly Line[], side: Side | undefined): readonly Run[] {
  const runs: { isFolded: boolean; lines: [number, Line][] }[] = [];
  for (const [index, line] of lines.entries()) {
    const isFolded = !isShown(line, side);
    const last = runs.at(-1);
    if (last?.isFolded === isFolded) last.lines.push([index, line]);
    else runs.push({ isFolded, lines: [[index, line]] });
  }
  return runs;
}
