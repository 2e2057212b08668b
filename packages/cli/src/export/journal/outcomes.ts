// The outcomes of a journal's files. Memory holds the position of each in the journal; the outcome is read there again.
import { closeSync, openSync, readSync } from "node:fs";
import type { Item, Outcome } from "@call-media/handover";
import type { Line, Seal } from "./entries.ts";

export interface Outcomes {
  /** Records that the line at byte `at` has the outcome; it replaces an earlier one of the file. */
  readonly add: (item: Item, outcome: Outcome, at: number) => void;
  readonly get: (item: Item) => Outcome | undefined;
  /** The manifest names of all complete files. */
  readonly files: () => Iterable<string>;
  readonly count: Omit<Seal, "rows">;
}

export function createOutcomes(path: string): Outcomes {
  const places = new Map<number, number>();
  const count = { files: 0, bytes: 0, failures: 0 };
  let readLine = createLineReader(path);
  const read = (at: number) => (JSON.parse(readLine(at)) as Line).outcome;
  const get = (item: Item) => {
    const at = places.get(toKey(item));
    return at === undefined ? undefined : read(at);
  };
  const tally = ({ status, bytes }: Outcome, by: 1 | -1) => {
    if (status === "complete") {
      count.files += by;
      count.bytes += by * (bytes ?? 0);
    } else if (status !== "none") count.failures += by;
  };
  return {
    get,
    count,
    add(item, outcome, at) {
      const before = get(item);
      if (before !== undefined) tally(before, -1);
      tally(outcome, 1);
      places.set(toKey(item), at);
      // The block read ahead may hold an interrupted line that this one replaces.
      readLine = createLineReader(path);
    },
    *files() {
      for (const at of places.values()) {
        const file = read(at)?.file ?? null;
        if (file !== null) yield file;
      }
    },
  };
}

/** A record has fewer recordings. */
const MAX_PARTS = 2 ** 20;

const toKey = ({ row, kind, part }: Item) => row * MAX_PARTS + (kind === "transcript" ? 0 : part);

const LINE_FEED = 0x0a;
const PIECE_BYTES = 16_384;

/** What is told one after the other is mostly asked for so, and comes with one reading. */
function createLineReader(path: string): (at: number) => string {
  let piece: Buffer = Buffer.alloc(0);
  let start = 0;
  return (at) => {
    const isIn = at >= start && at < start + piece.length;
    if (!isIn || piece.indexOf(LINE_FEED, at - start) === -1)
      [piece, start] = [readLines(path, at, PIECE_BYTES), at];
    return piece.toString("utf8", at - start, piece.indexOf(LINE_FEED, at - start));
  };
}

/** From `at` on, as much as has a whole line. */
function readLines(path: string, at: number, bytes: number): Buffer {
  const file = openSync(path, "r");
  try {
    const piece = Buffer.alloc(bytes);
    const read = piece.subarray(0, readSync(file, piece, { position: at }));
    return read.includes(LINE_FEED) || read.length < bytes ? read : readLines(path, at, bytes * 2);
  } finally {
    closeSync(file);
  }
}
