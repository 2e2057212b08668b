// A table of calls with a line below each that shows the matching words.
import type { CallRecord } from "@call-media/client";
import { listSources, type Query, type Snippet, toSnippets } from "@call-media/words";
import { type Paint, toPrintable } from "@call-media/terminal";
import type { RecordFormat } from "./record-format.ts";

const INDENT = "    ";
/** For outputs other than a terminal. */
const USUAL_CHARACTERS = 160;
const MIN_CHARACTERS = 40;

interface Options {
  readonly query: Query;
  readonly paint: Paint;
  /** Columns of the terminal; Infinity for other outputs. */
  readonly width: number;
}

/** `table` must have one line per record. */
export function createSnippetTable(table: RecordFormat, options: Options): RecordFormat {
  const { query, paint, width } = options;
  const room = Number.isFinite(width) ? width - INDENT.length - 30 : USUAL_CHARACTERS;
  const characters = Math.max(MIN_CHARACTERS, room);
  const toLine = (record: CallRecord) => {
    const [snippet] = toSnippets(listSources(record), query, { characters, snippets: 1 });
    const text = snippet === undefined ? "in the chat" : toText(snippet, paint);
    return `${INDENT}${text}\n`;
  };
  return {
    ...table,
    add(records) {
      const lines = String(table.add(records)).split(/(?<=\n)/);
      const headings = lines.splice(0, lines.length - records.length);
      const rows = records.map((record, index) => `${lines[index] ?? ""}${toLine(record)}`);
      // As bytes, because text for a terminal loses its colours. Each part was already made printable.
      return Buffer.from([...headings, ...rows].join(""));
    },
  };
}

function toText({ from, text, marks, cut }: Snippet, paint: Paint): string {
  const show = (part: string) => toPrintable(part.replaceAll(/\s+/g, " "));
  let end = 0;
  const parts = marks.map(([start, until]) => {
    const before = show(text.slice(end, start));
    end = until;
    return `${before}${paint("bold", show(text.slice(start, until)))}`;
  });
  const [before, after] = [cut.before ? "... " : "", cut.after ? " ..." : ""];
  return `${from}: ${before}${parts.join("")}${show(text.slice(end))}${after}`;
}
