// The journal of a window: its records, the counts of its search, and the outcomes of its files, a line each.
//
// The records are there completely or not at all, because the file gets its name when the search has ended. All else is
// appended. A kill may truncate the last line. From the first line that cannot be read, the rest counts as never written.
import { closeSync, openSync, readSync } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fieldsOf } from "@call-media/api";
import type { CallRecord } from "@call-media/client";
import type { Days, Item, Listed, Outcome } from "@call-media/handover";
import { UsageError } from "@call-media/terminal";
import { parseJson, readLines } from "../folder/read.ts";

/** Where the journal of a window is, or will be. */
export interface JournalFile extends Days {
  /** Index of the round of the plan that searched for these days, from 0. */
  readonly round: number;
  readonly path: string;
}

const NAME = /^(\d{4}-\d\d-\d\d)(?:_(\d{4}-\d\d-\d\d))?\.(\d{5})\.jsonl$/;

/** The journals of a folder in the order of the search. Those of the same days are sorted by round. */
export async function listJournals(
  folder: string,
  isOldestFirst: boolean,
): Promise<readonly JournalFile[]> {
  const files = (await readdir(folder)).toSorted().flatMap((name) => {
    const [, from, to = from, round] = NAME.exec(name) ?? [];
    if (from === undefined || to === undefined) return [];
    return [{ from, to, round: Number(round), path: join(folder, name) }];
  });
  const groups = [...Map.groupBy(files, ({ from }) => from).values()];
  return (isOldestFirst ? groups : groups.toReversed()).flat();
}

export function toJournalFile(folder: string, { from, to }: Days, round: number): JournalFile {
  const days = from === to ? from : `${from}_${to}`;
  const path = join(folder, `${days}.${String(round).padStart(5, "0")}.jsonl`);
  return { from, to, round, path };
}

/** A record, and the folder of its files. Its text is parsed only if needed: most records have no files. */
export interface Row {
  /** Index of the record in the journal, from 0. */
  readonly index: number;
  /** Number of recordings that the record names. */
  readonly parts: number;
  readonly day: string;
  /** JSON of the exported record, with its masks. */
  readonly json: string;
}

const NOTHING = Object.fromEntries(fieldsOf("MetadataRecord").map((field) => [field, null]));

/** Adds the fields that a service leaves out because they are null. */
export const toRecord = ({ json }: Pick<Row, "json">) =>
  ({ ...NOTHING, ...JSON.parse(json) }) as CallRecord;

/** A partial download that is large enough to be resumed. */
export interface PartialDownload {
  /** Number of the recording within the identifier, as counted by the service. */
  readonly part: number;
  readonly by: "call_id" | "ref_id";
  readonly sha256: string;
  readonly content_type: string;
  /** The file name itself may contain a masked telephone number. */
  readonly extension: string;
}

/** The totals of a finished journal. Other windows need nothing else of it. */
export interface Seal extends Pick<Listed, "rows" | "came" | "verdict"> {
  readonly files: number;
  readonly bytes: number;
  readonly failures: number;
}

/** A line that is not a row. It has `superseded`, `asked` and `hidden`, `listed`, `seal`, or `item` with one of the others. */
export type Line = Partial<{
  /** Keys of rows of other rounds that this search replaced. */
  readonly superseded: readonly string[];
  /** Indexes of the requested calls that the search found. Their identifiers may be masked in the rows. */
  readonly asked: readonly number[];
  /** Indexes of the texts of the plan's search that contain a value masked in a row. */
  readonly hidden: readonly number[];
  readonly listed: Listed;
  readonly item: Item;
  readonly outcome: Outcome;
  readonly partial: PartialDownload;
  readonly seal: Seal;
}>;

export const toLine = (line: Line) => `${JSON.stringify(line)}\n`;

/** A line of JSON with the text of the record unchanged. */
export const toRowLine = ({ parts, day, json }: Row) =>
  `{"parts":${parts},"day":"${day}","record":${json}}\n`;

const ROW_HEAD = /^\{"parts":(?<parts>\d+),"day":"(?<day>[\d-]+)","record":(?=\{)/;

/** Undefined if the line is not a row. */
function parseRowLine(text: string, index: number): Row | undefined {
  const head = ROW_HEAD.exec(text);
  const { parts, day } = head?.groups ?? {};
  if (head === null || day === undefined || !text.endsWith("}}")) return undefined;
  return { index, parts: Number(parts), day, json: text.slice(head[0].length, -1) };
}

const TAIL_BYTES = 1024;

/** Reads only the end of the file. Undefined if the last line is not a seal. */
export async function readSeal(path: string): Promise<Seal | undefined> {
  await using file = await open(path, "r");
  const { size } = await file.stat();
  const { buffer, bytesRead } = await file.read({
    buffer: Buffer.alloc(TAIL_BYTES),
    position: Math.max(0, size - TAIL_BYTES),
  });
  const tail = buffer.toString("utf8", 0, bytesRead);
  if (!tail.endsWith("\n")) return undefined;
  return (parseJson(tail.trimEnd().split("\n").at(-1) ?? "") as Line | undefined)?.seal;
}

/** Yields the records in the order of the service, those of each read together. */
export async function* readRows(path: string): AsyncGenerator<readonly Row[]> {
  for await (const { rows, lines } of parseLines(path)) {
    if (rows.length > 0) yield rows;
    if (lines.length > 0) return; // only outcomes follow
  }
}

/** The rows of other rounds that this search replaced, the calls of the list that it found, and the masked texts of the plan's search. */
export async function readMatched(
  path: string,
): Promise<Required<Pick<Line, "superseded" | "asked" | "hidden">>> {
  const none = { superseded: [], asked: [], hidden: [] };
  for await (const { lines } of parseLines(path))
    for (const { line } of lines) return { ...none, ...line };
  return none;
}

/** The outcomes in a journal, and where they end. */
export interface Journal {
  readonly listed: Listed;
  readonly outcomes: Outcomes;
  readonly partials: ReadonlyMap<string, PartialDownload>;
  /** Length of the readable part. */
  readonly bytes: number;
}

/**
 * Awaits `visit` with the records of each read, so that one pass serves both.
 *
 * @throws UsageError if the number of records differs from the listed one.
 */
export async function readJournal(
  path: string,
  visit: (rows: readonly Row[]) => void | Promise<void> = () => {},
): Promise<Journal> {
  const outcomes = createOutcomes(path);
  const partials = new Map<string, PartialDownload>();
  let listed: Listed | undefined;
  let [rows, bytes] = [0, 0];
  for await (const read of parseLines(path)) {
    rows += read.rows.length;
    await visit(read.rows);
    for (const { line, at } of read.lines) {
      listed ??= line.listed;
      const { item, outcome, partial } = line;
      if (item !== undefined && outcome !== undefined) outcomes.add(item, outcome, at);
      if (item !== undefined && partial !== undefined) partials.set(toItemKey(item), partial);
    }
    bytes = read.end;
  }
  if (listed?.rows !== rows) throw new UsageError(`${path} is damaged: export into a new folder`);
  return { listed, outcomes, partials, bytes };
}

export const toItemKey = ({ row, kind, part }: Item) => `${row} ${kind} ${part}`;

interface ParsedLines {
  readonly rows: readonly Row[];
  /** The other lines, each with the offset of its first byte. */
  readonly lines: readonly { readonly line: Line; readonly at: number }[];
  /** Offset of the next line. */
  readonly end: number;
}

/** Stops before the first truncated or unreadable line. */
async function* parseLines(path: string): AsyncGenerator<ParsedLines> {
  let [index, end] = [0, 0];
  for await (const read of readLines(path)) {
    const rows: Row[] = [];
    const lines: { line: Line; at: number }[] = [];
    for (const { text, bytes } of read) {
      const row = parseRowLine(text, index);
      const line = row ?? parseJson(text);
      if (typeof line !== "object" || line === null) break;
      if (row === undefined) lines.push({ line, at: end });
      else {
        rows.push(row);
        index++;
      }
      end += bytes;
    }
    yield { rows, lines, end };
    if (rows.length + lines.length < read.length) return;
  }
}

/** The outcomes of the files of a journal. Only their offsets are in memory, because a day may have 100,000 files. */
export interface Outcomes {
  /** Records the outcome on the line at byte `at`. It replaces an earlier one of the file. */
  readonly add: (item: Item, outcome: Outcome, at: number) => void;
  readonly get: (item: Item) => Outcome | undefined;
  /** Paths of all complete files, as in the manifest. */
  readonly files: () => Iterable<string>;
  readonly count: Pick<Seal, "files" | "bytes" | "failures">;
}

function createOutcomes(path: string): Outcomes {
  const positions = new Map<string, number>();
  const count = { files: 0, bytes: 0, failures: 0 };
  const read = (at: number) => (JSON.parse(readLineAt(path, at)) as Line).outcome;
  const get = (item: Item) => {
    const at = positions.get(toItemKey(item));
    return at === undefined ? undefined : read(at);
  };
  const addToCount = ({ status, bytes }: Outcome, by: 1 | -1) => {
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
      if (before !== undefined) addToCount(before, -1);
      addToCount(outcome, 1);
      positions.set(toItemKey(item), at);
    },
    *files() {
      for (const at of positions.values()) {
        const file = read(at)?.file ?? null;
        if (file !== null) yield file;
      }
    },
  };
}

const LINE_FEED = 0x0a;
const LINE_BYTES = 2_048;

/** The line that begins at byte `at`. */
function readLineAt(path: string, at: number): string {
  const file = openSync(path, "r");
  try {
    for (let bytes = LINE_BYTES; ; bytes *= 2) {
      const block = Buffer.alloc(bytes);
      const length = readSync(file, block, { position: at });
      const end = block.indexOf(LINE_FEED);
      if (end !== -1 || length < bytes) return block.toString("utf8", 0, end);
    }
  } finally {
    closeSync(file);
  }
}
