// Any table: each record becomes an entry of the archive's own format, by a mapping.
import { ImportError, type ReadOptions } from "../../import-options.ts";
import type { Reader } from "../../source-row.ts";
import type { ImportFormat } from "../format.ts";
import { bindWhole, findInColumns } from "../mapping/bind-mapping.ts";
import { readMapping } from "../mapping/mapping.ts";
import { readTable } from "../table.ts";

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
