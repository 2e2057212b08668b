// Any JSON: each record becomes an entry of the archive's own format, by a mapping.
import { ImportError, type ReadOptions } from "../../import-options.ts";
import type { Reader } from "../../source-row.ts";
import type { ImportFormat } from "../format.ts";
import { readJsonRecords } from "../json-format.ts";
import { bindWhole, findInRecord } from "../mapping/bind-mapping.ts";
import { readMapping } from "../mapping/mapping.ts";

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
