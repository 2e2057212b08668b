// Reading a journal: its records, and what it says of their files.
//
// The records are there whole or not at all: the file gets its name when its days were listed to their end. What follows is
// appended. A line that a death cut off, and whatever came after a line that cannot be read, counts as never written.
import { open } from "node:fs/promises";
import { UsageError } from "../../failures/usage-error.ts";
import { splitLines } from "../folder/lines.ts";
import { parseJson } from "../folder/parse-json.ts";
import {
  type Begun,
  type Line,
  type Listed,
  type Outcome,
  parseRowLine,
  type Row,
  type Sealed,
  toItemKey,
} from "./entries.ts";

/** What a journal says of the files of its days: in memory while they are worked on, some 500 bytes a file. */
export interface JournalState {
  readonly listed: Listed;
  readonly outcomes: Map<string, Outcome>;
  readonly begun: ReadonlyMap<string, Begun>;
  /** Up to where the journal can be read. */
  readonly bytes: number;
}

/** By their names in the manifest. */
export const toFiles = ({ outcomes }: Pick<JournalState, "outcomes">): ReadonlySet<string> =>
  new Set([...outcomes.values()].flatMap(({ file }) => file ?? []));

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
  const outcomes = new Map<string, Outcome>();
  const begun = new Map<string, Begun>();
  let listed: Listed | undefined;
  let [rows, bytes] = [0, 0];
  for await (const read of readLines(path)) {
    rows += read.rows.length;
    bytes += read.bytes;
    await visit(read.rows);
    for (const line of read.lines) {
      listed ??= line.listed;
      if (line.item === undefined) continue;
      const key = toItemKey(line.item);
      if (line.outcome !== undefined) outcomes.set(key, line.outcome);
      if (line.begun !== undefined) begun.set(key, line.begun);
    }
  }
  if (listed?.rows !== rows) throw new UsageError(`${path} is damaged: export into a new folder`);
  return { listed, outcomes, begun, bytes };
}

interface Lines {
  readonly rows: readonly Row[];
  /** Those that are no rows. */
  readonly lines: readonly Line[];
  /** Of all of them. */
  readonly bytes: number;
}

/** Up to the first line that is cut off or cannot be read. */
async function* readLines(path: string): AsyncGenerator<Lines> {
  let index = 0;
  for await (const read of splitLines(path)) {
    const rows: Row[] = [];
    const lines: Line[] = [];
    let bytes = 0;
    for (const one of read) {
      const row = parseRowLine(one.text, index);
      const line = row ?? parseJson(one.text);
      if (typeof line !== "object" || line === null) break;
      if (row === undefined) lines.push(line);
      else [rows[rows.length], index] = [row, index + 1];
      bytes += one.bytes;
    }
    yield { rows, lines, bytes };
    if (rows.length + lines.length < read.length) return;
  }
}
