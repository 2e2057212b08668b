// Any table and any JSON: each record becomes an entry of the archive's own format, by a mapping.
import { ImportError } from "../../import-error.ts";
import type { ReadOptions, ImportFormat } from "../format.ts";
import type { Reader } from "../../source-row.ts";
import { readTable } from "../table.ts";
import { readJsonRecords } from "../json-format.ts";
import { bindWhole, findInColumns, findInRecord } from "./bind-mapping.ts";
import { readMapping } from "./mapping.ts";

export const csv: ImportFormat = {
  title: "any table",
  hint: "--map names a JSON file that says which column becomes which field",
  extensions: [".csv", ".tsv"],
  takes: ["mappingFile"],
  recognise: () => undefined, // what its columns mean only its mapping can tell
  createReader: createCsvReader,
};

async function createCsvReader({ mappingFile, timeZone }: ReadOptions): Promise<Reader> {
  if (mappingFile === undefined)
    throw new ImportError(
      "csv needs a mapping file (--map) that says which column becomes which field",
    );
  const mapping = await readMapping(mappingFile, timeZone);
  const { delimiter = ",", columns, nulls } = mapping;
  if (mapping.records !== undefined)
    throw new ImportError(`the mapping ${mappingFile}: records: a table has no path to its rows`);
  return (file) =>
    readTable(file.chunks(), { file: file.name, delimiter, columns }, (names) =>
      bindWhole(mapping, findInColumns(names, nulls)),
    );
}

export const json: ImportFormat = {
  title: "any JSON",
  hint: "--map names a JSON file that says which member becomes which field",
  extensions: [".json", ".jsonl", ".ndjson"],
  takes: ["mappingFile"],
  recognise: () => undefined, // what its members mean only its mapping can tell
  createReader: createJsonReader,
};

async function createJsonReader({ mappingFile, timeZone }: ReadOptions): Promise<Reader> {
  if (mappingFile === undefined)
    throw new ImportError(
      "json needs a mapping file (--map) that says which member becomes which field",
    );
  const mapping = await readMapping(mappingFile, timeZone);
  if (mapping.columns !== undefined || mapping.delimiter !== undefined)
    throw new ImportError(`the mapping ${mappingFile}: columns and delimiter belong to a table`);
  const toEntry = bindWhole(mapping, findInRecord(mapping.nulls));
  return (file) =>
    readJsonRecords(
      file,
      ({ json: value }) => mapping.records ?? (Array.isArray(value) ? "*" : ""),
      (record) => [toEntry(record)],
    );
}
