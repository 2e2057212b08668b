// The journal of one day: its records as they were listed, and after them what became of their files, a line each.
//
// The records are there whole or not at all: the file gets its name when the day was listed to its end. What follows is
// appended. A line that a death cut off, and whatever came after a line that cannot be read, counts as never written.
import { writeSync } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { CallRecord } from "@call-media/client";
import { isMissing } from "./files.ts";
import { splitLines } from "./lines.ts";
import { parseJson } from "./plan.ts";

/** A record as it is exported, that is redacted where it is to be. */
export interface Row {
  readonly record: CallRecord;
  /** How many recordings the service named. */
  readonly parts: number;
}

/** What listing a day came to. */
export interface Listed {
  readonly from: string;
  readonly to: string;
  /** From 0: which round of the plan. */
  readonly round: number;
  /** How many records the service announced; null where it does not. */
  readonly announced: number | null;
  /** How many came, each counted once. */
  readonly came: number;
  /** How many came again and were left out. */
  readonly duplicates: number;
  /** How many of them an earlier round has. */
  readonly known: number;
  /** How many an earlier round has, that did not come any more. */
  readonly gone: number;
  /** How many `--where` left out. */
  readonly excluded: number;
  /** How many are in the journal. */
  readonly rows: number;
  /** As the client tells it. */
  readonly verdict: "complete" | "unproved" | "drifted";
}

export const ITEM_KINDS = ["recording", "transcript"] as const;

/** One file that a record should have. */
export interface Item {
  /** Which record of the journal, from 0. */
  readonly row: number;
  readonly kind: (typeof ITEM_KINDS)[number];
  /** From 1. */
  readonly part: number;
}

/** What became of it. */
export interface Outcome {
  /**
   * `complete`: it is there. `none`: there is no such thing, and none was announced. `missing`: the service names it but
   * has it not. `refused`: it may not be had. `damaged`: its bytes are not those that were announced, and were not kept.
   * `failed`: it did not come, for the time being.
   */
  readonly status: "complete" | "none" | "missing" | "refused" | "damaged" | "failed";
  /** Path within the folder; null where nothing was kept. */
  readonly file: string | null;
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly content_type: string | null;
  /** What the service announced and the bytes were held against. */
  readonly checked: "sha256" | "length" | "nothing" | null;
  /** Requests that it took in the run that ended with this. */
  readonly attempts: number;
  readonly error: string | null;
}

/** A download of which enough came to be worth keeping for the next run. */
export interface Begun {
  /** As the service counts the recordings of the call. */
  readonly part: number;
  readonly sha256: string;
  readonly content_type: string;
  /** Of the name that the service gives it; the name itself may be of a number that is masked. */
  readonly extension: string;
}

export interface Seal {
  readonly rows: number;
  readonly files: number;
  readonly bytes: number;
  readonly failures: number;
}

/** A line has one of these. */
type Line = Partial<{
  readonly row: Row;
  readonly listed: Listed;
  readonly item: Item;
  readonly outcome: Outcome;
  readonly begun: Begun;
  readonly sealed: Seal;
}>;

export const toItemKey = ({ row, kind, part }: Item) => `${row} ${kind} ${part}`;

/** What a journal says of the files of its day: in memory while the day is worked on, some 500 bytes a file. */
export interface DayState {
  readonly listed: Listed;
  readonly outcomes: Map<string, Outcome>;
  readonly begun: ReadonlyMap<string, Begun>;
  /** Up to where the journal can be read. */
  readonly bytes: number;
}

export async function hasJournal(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false;
      throw error;
    },
  );
}

const TAIL_BYTES = 1024;

/** The seal, where it is the last line; nothing else is read. */
export async function readSeal(path: string): Promise<Seal | undefined> {
  await using file = await open(path, "r");
  const { size } = await file.stat();
  const { buffer, bytesRead } = await file.read({
    buffer: Buffer.alloc(TAIL_BYTES),
    position: Math.max(0, size - TAIL_BYTES),
  });
  const tail = buffer.toString("utf8", 0, bytesRead);
  if (!tail.endsWith("\n")) return undefined;
  return (parseJson(tail.trimEnd().split("\n").at(-1) ?? "") as Line | undefined)?.sealed;
}

/** Journals of a folder as its exports read them: by day, and of one day by round. */
export async function listJournals(
  folder: string,
  isOldestFirst: boolean,
): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name)).toSorted();
  const days = Map.groupBy(names, (name) => name.split(".")[0]);
  const groups = [...days.values()];
  return (isOldestFirst ? groups : groups.toReversed()).flat().map((name) => join(folder, name));
}

const NAME = /^\d{4}-\d\d-\d\d\.\d{5}\.jsonl$/;

/** Rounds in five digits, so that they sort. */
export function toJournalPath(folder: string, from: string, round: number): string {
  return join(folder, `${from}.${String(round).padStart(5, "0")}.jsonl`);
}

/** The records, in the order in which the service gave them; as many at once as are read at once. */
export async function* readRows(path: string): AsyncGenerator<readonly Row[]> {
  for await (const { lines } of readLines(path)) {
    const rows = toRows(lines);
    if (rows.length > 0) yield rows;
    if (rows.length < lines.length) return; // what follows the records is none
  }
}

const toRows = (lines: readonly Line[]) => lines.flatMap(({ row }) => row ?? []);

/**
 * `visit` is told of the records and waited for, so that one reading serves both.
 *
 * @throws Error where the journal has no account of the listing, and so is none.
 */
export async function readState(
  path: string,
  visit: (rows: readonly Row[]) => void | Promise<void> = () => {},
): Promise<DayState> {
  const outcomes = new Map<string, Outcome>();
  const begun = new Map<string, Begun>();
  let listed: Listed | undefined;
  let bytes = 0;
  for await (const read of readLines(path)) {
    bytes += read.bytes;
    await visit(toRows(read.lines));
    for (const line of read.lines) {
      listed ??= line.listed;
      if (line.item === undefined) continue;
      const key = toItemKey(line.item);
      if (line.outcome !== undefined) outcomes.set(key, line.outcome);
      if (line.begun !== undefined) begun.set(key, line.begun);
    }
  }
  if (listed === undefined) throw new Error(`${path} is damaged`);
  return { listed, outcomes, begun, bytes };
}

/** Lines up to the first that is cut off or cannot be read, and how many bytes they have. */
async function* readLines(
  path: string,
): AsyncGenerator<{ readonly lines: readonly Line[]; readonly bytes: number }> {
  for await (const read of splitLines(path)) {
    const lines: Line[] = [];
    let bytes = 0;
    for (const one of read) {
      const line = parseJson(one.text);
      if (typeof line !== "object" || line === null) break;
      lines.push(line);
      bytes += one.bytes;
    }
    yield { lines, bytes };
    if (lines.length < read.length) return;
  }
}

/** As it stands in the journal. */
export const toLine = (line: Line) => `${JSON.stringify(line)}\n`;

/** A journal that is appended to. */
export interface Journal {
  readonly tellBegun: (item: Item, begun: Begun) => Promise<void>;
  readonly tell: (item: Item, outcome: Outcome) => Promise<void>;
  /** On the disk when it resolves, with all before it; nothing may follow but what a later run finds out. */
  readonly seal: (seal: Seal) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Puts what was told on the disk so often, so that a loss of power costs no more. */
const CHECKPOINT_MS = 1000;

/**
 * Cuts away what cannot be read. Lines are written on this thread: to hand a few hundred bytes to another one and back
 * takes several times as long.
 */
export async function openJournal(path: string, { bytes }: DayState): Promise<Journal> {
  const file = await open(path, "r+");
  await file.truncate(bytes);
  let end = bytes;
  let checkedAtMs = Date.now();
  function append(line: Line): void {
    const content = Buffer.from(toLine(line));
    writeAll(file.fd, content, end);
    end += content.length; // not before: what follows a line that was cut off goes in its place
  }
  async function check(): Promise<void> {
    checkedAtMs = Date.now();
    await file.datasync();
  }
  async function tell(line: Line): Promise<void> {
    append(line);
    if (Date.now() - checkedAtMs >= CHECKPOINT_MS) await check();
  }
  return {
    tellBegun: (item, begun) => tell({ item, begun }),
    tell: (item, outcome) => tell({ item, outcome }),
    async seal(sealed) {
      append({ sealed });
      await check();
    },
    close: () => file.close(),
  };
}

/** A disk may take less than it is given. */
function writeAll(fd: number, content: Buffer, from: number): void {
  for (let at = 0; at < content.length;)
    at += writeSync(fd, content, at, content.length - at, from + at);
}
