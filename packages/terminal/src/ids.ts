// A list of identifiers, as both programs read it.
import { readFile } from "node:fs/promises";
import { text as readText } from "node:stream/consumers";
import { io } from "./io.ts";
import { UsageError } from "./usage-error.ts";

/** The first line of `search --columns call_id --format csv`. */
const HEADING = "call_id";

export interface IdsOption {
  /** The option that names the file; default `--ids`. */
  readonly option?: string;
  readonly most?: number;
}

/**
 * Identifiers, one a line, below a heading or not, or in the first column of a CSV that is headed `call_id`; "-" is standard input.
 * Leaves out blank lines and duplicates.
 *
 * @throws UsageError for none, and for more than `most`.
 */
export async function readIds(
  file: string,
  { option = "--ids", most = Infinity }: IdsOption = {},
): Promise<readonly string[]> {
  const text = file === "-" ? await readText(io().stdin) : await readFile(file, "utf8");
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  const [head = "", ...rows] = lines;
  const values =
    head === HEADING ? rows : head.startsWith(`${HEADING},`) ? rows.map(toCell) : lines;
  const ids = [...new Set(values)].filter((line) => line !== "");
  if (ids.length === 0) throw new UsageError(`${option}: ${file} has no identifiers, one a line`);
  if (ids.length > most)
    throw new UsageError(
      `${option}: ${file} has ${ids.length.toLocaleString("en")} identifiers, and ${most.toLocaleString("en")} are the most: split it`,
    );
  return ids;
}

/** The first of a line of CSV. */
function toCell(line: string): string {
  const [, quoted, plain = ""] = /^(?:"((?:[^"]|"")*)"|([^,]*))/.exec(line) ?? [];
  const cell = quoted?.replaceAll('""', '"') ?? plain;
  // As formulas are escaped.
  return cell.replace(/^'(?=[=+\-@])/, "");
}
