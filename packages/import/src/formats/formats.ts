// The formats of an import: mapping files, and the readers of other formats.
//
// Adding a format: a mapping file in maps/ with samples, if its files are tables or JSON with records in it; the language is in
// FORMATS.md. Else a module in platforms/ that makes an `ImportFormat` (format.ts), and a line below.
// - Records in JSON, a line each or in an array of a document of any length: `createJsonFormat` (json-format.ts) needs where
//   the records lie, the keys that show the format, and a function from a record to entries of the archive's own format.
// - A table with a header: `createTableFormat` (table-format.ts) needs the columns that show the format and a mapping.
// - Anything else: a reader over `file.chunks()`, which are UTF-8 whatever the file was; `readLines` and `readTable`
//   cut them. A reader gives rows, each with its line, its text as it came, and its entries or the reason why not.
// Entries are checked behind the reader (entry/parse-entry.ts), so a reader only translates.
import { ImportError } from "../import-error.ts";
import { asterisk } from "./platforms/asterisk.ts";
import { createFormat, type FormatFile } from "./mapping/format-of-mapping.ts";
import { csv, json } from "./mapping/mapped-formats.ts";
import { naming } from "./mapping/read-mapping.ts";
import { listFaults } from "./mapping/samples.ts";
import { readFormatFiles, shipped } from "./mapping/shipped.ts";
import { five9Additions } from "./five9/five9-format.ts";
import type { ImportFormat } from "./format.ts";
import { freepbx } from "./platforms/freepbx.ts";
import { genesys } from "./genesys/genesys.ts";
import { jsonl } from "./jsonl.ts";
import { withDownloads } from "./platforms/nice-report.ts";
import { transcript } from "./transcript/transcript-format.ts";
import { vcon } from "./vcon/vcon-format.ts";

const toEntry = (file: FormatFile): [string, ImportFormat] => {
  const format = createFormat(file, file.name === "five9" ? { additions: five9Additions } : {});
  return [file.name, file.name === "nice-report" ? withDownloads(format) : format];
};

/** By their names, in the order in which they are offered. */
export type Formats = ReadonlyMap<string, ImportFormat>;

const known: Formats = new Map<string, ImportFormat>([
  ["jsonl", jsonl],
  ["vcon", vcon],
  ["asterisk", asterisk],
  ["freepbx", freepbx],
  ["genesys", genesys],
  ...shipped.map(toEntry),
  ["transcript", transcript],
  ["csv", csv],
  ["json", json],
]);

/**
 * Those of the package and of the mapping files in a folder. Throws `ImportError`, naming the file, for one whose samples are not
 * what it reads, and for a name that exists twice.
 */
export async function openFormats(directory?: string): Promise<Formats> {
  const formats = new Map(known);
  for (const { path, file } of directory === undefined ? [] : await readFormatFiles(directory))
    await naming(path, async () => {
      if (formats.has(file.name))
        throw new ImportError(`name: a format is called "${file.name}" already`);
      const [fault] = await listFaults(file);
      if (fault !== undefined) throw new ImportError(fault);
      formats.set(...toEntry(file));
    });
  return formats;
}

/** Throws `ImportError` for a name that no format has. */
export function getFormat(formats: Formats, name: string): ImportFormat {
  const format = formats.get(name);
  if (format !== undefined) return format;
  throw new ImportError(`"${name}" is not a format; known are ${[...formats.keys()].join(", ")}`);
}

export interface FormatInfo {
  readonly name: string;
  /** For people: "Five9 call log". */
  readonly title: string;
  readonly hint: string | undefined;
}

export const listFormats = (formats: Formats): readonly FormatInfo[] =>
  [...formats].map(([name, { title, hint }]) => ({ name, title, hint }));

/** The formats of the package, in the order of messages. */
export const FORMATS: readonly FormatInfo[] = listFormats(known);
