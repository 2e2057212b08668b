// Reading a journal: its records, and what it says of their files.
//
// The records are there whole or not at all: the file gets its name when its days were listed to their end. What follows is
// appended. A line that a death cut off, and whatever came after a line that cannot be read, counts as never written.
import { open } from "node:fs/promises";
import {
  type Begun,
  type Line,
  type Listed,
  type Outcome,
  type Row,
  type Seal,
  toItemKey,
} from "./entries.ts";
import { splitLines } from "./lines.ts";
import { parseJson } from "./parse-json.ts";

/** What a journal says of the files of its days: in memory while they are worked on, some 500 bytes a file. */
export interface JournalState {
  readonly listed: Listed;
  readonly outcomes: Map<string, Outcome>;
  readonly begun: ReadonlyMap<string, Begun>;
  /** Up to where the journal can be read. */
  readonly bytes: number;
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
): Promise<JournalState> {
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
