// Reads a list of identifiers, for both programs.
import { readGivenFile } from "./given-file.ts";
import { UsageError } from "./usage-error.ts";

/** The CSV column with the identifiers, as `search --columns call_id --format csv` writes it. */
const HEADING = "call_id";

export interface IdsOption {
  /** The option that names the file; default `--ids`. */
  readonly option?: string;
  readonly most?: number;
}

/**
 * Reads identifiers, one a line, or from the `call_id` column of a CSV separated by commas, semicolons or tabs. "-" is standard
 * input. Skips blank lines and duplicates.
 *
 * @throws UsageError if the file cannot be read, or has none, or more than `most`.
 */
export async function readIds(
  file: string,
  { option = "--ids", most = Infinity }: IdsOption = {},
): Promise<readonly string[]> {
  const text = await readGivenFile(option, file);
  const values = readColumn(text.replace(/^\uFEFF/, "")) ?? text.split(/\r\n|\r|\n/);
  const ids = [...new Set(values.map((value) => value.trim()))].filter((value) => value !== "");
  if (ids.length === 0) throw new UsageError(`${option}: ${file} has no identifiers, one a line`);
  if (ids.length > most)
    throw new UsageError(
      `${option}: ${file} has ${ids.length.toLocaleString("en")} identifiers, and ${most.toLocaleString("en")} are the most: split it`,
    );
  return ids;
}

/** The cells below `call_id`; undefined if the first line has no such cell. */
function readColumn(text: string): readonly string[] | undefined {
  for (const separator of ["", ",", ";", "\t"]) {
    const [head = [], ...rows] = readCsv(text, separator);
    const place = head.findIndex((cell) => cell.trim() === HEADING);
    // Undoes the escaping of formulas.
    if (place >= 0) return rows.map((row) => (row[place] ?? "").replace(/^'(?=[=+\-@])/, ""));
  }
  return undefined;
}

/** Rows of cells, which may be quoted. Without a separator, each row is one cell. */
function* readCsv(text: string, separator: string): Generator<readonly string[]> {
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^${separator}\\r\\n]*))(${separator === "" ? "" : `${separator}|`}\\r\\n|\\r|\\n|$)`,
    "gy",
  );
  let row: string[] = [];
  for (const [, quoted, plain = "", end] of text.matchAll(cell)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === separator && separator !== "") continue;
    yield row;
    row = [];
  }
}
