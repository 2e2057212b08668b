// Any table: each record becomes an entry of the archive's own format, by a mapping.
import { ImportError, type ImportOptions } from "../../import-options.ts";
import type { Reader, SourceRow } from "../../source-row.ts";
import type { ImportFormat } from "../format.ts";
import { type Mapping, readMapping } from "./mapping.ts";
import { type CsvRecord, readRecords } from "./records.ts";
import { bindTemplate, type KeyedTemplate } from "./template.ts";

type ToRow = (record: CsvRecord) => SourceRow;

export const csv: ImportFormat = {
  title: "any table",
  hint: "--map names a JSON file that says which column becomes which field",
  extensions: [".csv", ".tsv"],
  recognise: () => undefined, // what its columns mean only its mapping can tell
  createReader: createCsvReader,
};

async function createCsvReader({ mappingFile, timeZone, store }: ImportOptions): Promise<Reader> {
  if (mappingFile === undefined)
    throw new ImportError("csv needs a mapping file that says which column is which field");
  const mapping = await readMapping(mappingFile, timeZone ?? store.timeZone);
  return async function* (file) {
    let toRow = mapping.columns && bindMapping(mapping, mapping.columns);
    for await (const record of readRecords(file.chunks(), mapping.delimiter)) {
      if (toRow !== undefined) yield "reason" in record ? record : toRow(record);
      else if ("reason" in record)
        throw new ImportError(`${file.name}: the header cannot be read: ${record.reason}`);
      else
        toRow = bindMapping(
          mapping,
          record.values.map((name) => name.trim()),
        );
    }
  };
}

function bindMapping({ kind, nulls, fields, media }: Mapping, columns: readonly string[]): ToRow {
  const bind = (template: KeyedTemplate) => bindTemplate(template, columns, nulls);
  const bound = fields.map((rule) => ({ ...rule, toText: bind(rule) }));
  const files = media.map(bind);
  // A call's own media field, beside the list of recordings that the same name stands for.
  const toName = (field: string) => (kind === "call" && field === "media" ? "media_field" : field);

  const toEntry = (values: readonly string[]): Record<string, unknown> | string => {
    const entry: Record<string, unknown> = { kind };
    for (const { field, toText, convert } of bound) {
      const text = toText(values);
      if (text === null) continue;
      const converted = convert(text);
      if ("fault" in converted) return `${field}: ${converted.fault}`;
      entry[toName(field)] = converted.value;
    }
    const named = files.map((toText) => toText(values)).filter((file) => file !== null);
    return named.length === 0 ? entry : { ...entry, media: named.map((file) => ({ file })) };
  };

  return ({ line, raw, values }) => {
    if (values.length !== columns.length) {
      return {
        line,
        raw,
        reason: `the row has ${values.length} columns, the file has ${columns.length}`,
      };
    }
    const entry = toEntry(values);
    return typeof entry === "string"
      ? { line, raw, reason: entry }
      : { line, raw, entries: [entry] };
  };
}
