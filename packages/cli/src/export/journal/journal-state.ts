// Reading a journal: its records, and what it says of their files.
//
// The records are there whole or not at all: the file gets its name when its days were listed to their end. What follows is
// appended. A line that a death cut off, and whatever came after a line that cannot be read, counts as never written.
import { open } from "node:fs/promises";
import type { Listed } from "@call-media/handover";
import { UsageError } from "../../failures/usage-error.ts";
import { splitLines } from "../folder/lines.ts";
import { parseJson } from "../folder/parse-json.ts";
import {
  type Begun,
  type Line,
  parseRowLine,
  type Row,
  type Sealed,
  toItemKey,
} from "./entries.ts";
import { createOutcomes, type Outcomes } from "./outcomes.ts";

/** What a journal says of the files of its days. */
export interface JournalState {
  readonly listed: Listed;
  readonly outcomes: Outcomes;
  readonly begun: ReadonlyMap<string, Begun>;
  /** Up to where the journal can be read. */
  readonly bytes: number;
}

const TAIL_BYTES = 1024;

/** The seal, where it is the last line; nothing else is read. */
export async function readSeal(path: string): Promise<Sealed | undefined> {
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
  for await (const { rows, lines } of readLines(path)) {
    if (rows.length > 0) yield rows;
    if (lines.length > 0) return; // what follows the records is none
  }
}

/**
 * `visit` is told of the records and waited for, so that one reading serves both.
 *
 * @throws UsageError where the journal has not the records that it has an account of, and so is none.
 */
export async function readState(
  path: string,
  visit: (rows: readonly Row[]) => void | Promise<void> = () => {},
): Promise<JournalState> {
  const outcomes = createOutcomes(path);
  const begun = new Map<string, Begun>();
  let listed: Listed | undefined;
  let [rows, bytes] = [0, 0];
  for await (const read of readLines(path)) {
    rows += read.rows.length;
    await visit(read.rows);
    for (const { line, at } of read.lines) {
      listed ??= line.listed;
      const { item, outcome } = line;
      if (item !== undefined && outcome !== undefined) outcomes.add(item, outcome, at);
      if (item !== undefined && line.begun !== undefined) begun.set(toItemKey(item), line.begun);
    }
    bytes = read.end;
  }
  if (listed?.rows !== rows) throw new UsageError(`${path} is damaged: export into a new folder`);
  return { listed, outcomes, begun, bytes };
}

interface PlacedLine {
  readonly line: Line;
  /** Where it begins. */
  readonly at: number;
}

interface Lines {
  readonly rows: readonly Row[];
  /** Those that are no rows. */
  readonly lines: readonly PlacedLine[];
  /** Where the next one would begin. */
  readonly end: number;
}

/** Up to the first line that is cut off or cannot be read. */
async function* readLines(path: string): AsyncGenerator<Lines> {
  let [index, end] = [0, 0];
  for await (const read of splitLines(path)) {
    const rows: Row[] = [];
    const lines: PlacedLine[] = [];
    for (const one of read) {
      const row = parseRowLine(one.text, index);
      const line = row ?? parseJson(one.text);
      if (typeof line !== "object" || line === null) break;
      if (row === undefined) lines.push({ line, at: end });
      else [rows[rows.length], index] = [row, index + 1];
      end += one.bytes;
    }
    yield { rows, lines, end };
    if (rows.length + lines.length < read.length) return;
  }
}
