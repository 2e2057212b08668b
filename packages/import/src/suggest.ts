// Begins a mapping for a file that no format reads: by its first rows, its names and the names that other mappings know.
import { document } from "@call-media/api";
import { toExtensions } from "./choose-readers.ts";
import { openFormats } from "./formats/formats.ts";
import { createRateName, rateAll, USUAL } from "./formats/mapping/field-names.ts";
import { createSampleColumns, type SampleColumns } from "./formats/mapping/sample-columns.ts";
import { listKnownNames } from "./formats/mapping/shipped.ts";
import { suggestFields, type Suggestion } from "./formats/mapping/suggest.ts";
import { readFirstRecord, readTable } from "./formats/table.ts";
import { type Head, HEAD_BYTES, pick } from "./head.ts";
import { ImportError } from "./import-error.ts";
import { isObject, parseJson } from "./json.ts";
import { findSourceFiles } from "./source-files.ts";

export type { Suggestion } from "./formats/mapping/suggest.ts";

const BESIDES = ["session_id", "master_id", "recordings"];
// Most exports have these, so a person reads them first.
const FIRST = ["call_id", "ref_id", "datetime", "ani", "dnis", "call_type", "agent", "agent_name"];

/** Reads the beginning of a file. Throws `ImportError` if no field is found in it. */
export async function suggestMapping(path: string): Promise<Suggestion> {
  const formats = await openFormats();
  using sources = await findSourceFiles([path], toExtensions({ formats }));
  const [file, ...others] = sources.files;
  const head = await file?.peek();
  if (file === undefined || head === undefined || others.length > 0)
    throw new ImportError(`${path}: a mapping is suggested for one file, and not for a pipe`);
  checkText(file.name, head);
  const sample = createSampleColumns(new Set([""]));
  const layout =
    head.json === undefined ? await readRows(file.name, head, sample) : readRecords(head, sample);
  const schema = document.components.schemas["MetadataRecord"]?.properties ?? {};
  const fields = [...new Set([...FIRST, ...Object.keys(schema), ...BESIDES])];
  const suggested = suggestFields(sample, createRateName(listKnownNames()), fields);
  if (Object.keys(suggested.fields).length === 0)
    throw new ImportError(
      `${file.name}: none of its names is known to be that of a field: ${sample
        .list()
        .map(({ name }) => name)
        .join(", ")}`,
    );
  const { guess, ...rest } = suggested;
  return { mapping: 2, guess, ...layout, ...rest };
}

/** An import rejects what is not UTF-8, and finds no column by its name. Throws `ImportError`. */
function checkText(file: string, { text, isUtf8 }: Head): void {
  if (text.includes("\0"))
    throw new ImportError(`${file} is not text, or it is UTF-16 without a byte order mark`);
  if (isUtf8) return;
  const line = text.slice(0, text.indexOf("\ufffd")).split("\n").length;
  throw new ImportError(
    `${file}:${line}: is not text in UTF-8; it may be Latin-1 or Windows-1252: save the file as UTF-8, such as by iconv -f WINDOWS-1252 -t UTF-8`,
  );
}

const LONGEST_CHARACTER = 4;

async function readRows(file: string, head: Head, sample: SampleColumns) {
  const { delimiter } = readFirstRecord(head);
  const isCut = Buffer.byteLength(head.text) > HEAD_BYTES - LONGEST_CHARACTER;
  const whole = isCut ? head.text.replace(/\n[^\n]*$/, "\n") : head.text;
  const chunks = async function* () {
    yield Buffer.from(whole);
  };
  const rows = readTable(chunks(), { file, delimiter, columns: undefined }, (columns) => ({
    toEntries: (records) => {
      for (const values of records) sample.seeRow(columns, values);
      return [];
    },
  }));
  let fault: string | undefined;
  for await (const row of rows) if ("reason" in row) fault ??= `${row.line}: ${row.reason}`;
  if (sample.countRows() === 0)
    throw new ImportError(`${file}${fault === undefined ? " has no rows" : `:${fault}`}`);
  return {};
}

function readRecords({ json, text }: Head, sample: SampleColumns): { readonly records?: string } {
  const lines = text.split(/\r?\n/).slice(0, -1);
  const parsed = lines.map(parseJson).flatMap((one) => ("value" in one ? [one.value] : []));
  if (parsed.length === lines.length && parsed.length > 1 && parsed.every(isObject)) {
    parsed.forEach(sample.seeRecord);
    return {};
  }
  const inside = findArray(json) ?? "";
  // A call has lists of its own; a list of calls has its page and its total.
  const path = countNames(json) > countNames(pick(json, inside)) ? "" : inside;
  const found = path === "" ? json : pick(json, path.replace(/\.?\*$/, ""));
  for (const record of [found].flat()) if (isObject(record)) sample.seeRecord(record);
  return path === "*" || path === "" ? {} : { records: path };
}

const TELLING = ["call_id", "datetime", "ani", "dnis", "agent"];

/** The number of members with a name that belongs to calls. */
const countNames = (value: unknown): number =>
  !isObject(value)
    ? 0
    : Object.keys(value).filter((key) =>
        TELLING.some((field) => (rateAll(key).get(field) ?? 0) >= USUAL),
      ).length;

/** The path of the first array of objects, such as `result.calls.*`. */
function findArray(value: unknown, depth = 0): string | undefined {
  if (Array.isArray(value)) return value.some(isObject) ? "*" : undefined;
  if (!isObject(value) || depth > 2) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const path = findArray(inner, depth + 1);
    if (path !== undefined) return `${key}.${path}`;
  }
  return undefined;
}
