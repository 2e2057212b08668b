// Checks before the work that a command can write its file.
import { accessSync, constants, lstatSync, statSync } from "node:fs";
import { dirname, extname, sep } from "node:path";
import { UsageError } from "@call-media/terminal";

/** The value of --out for standard output. */
export const STDOUT = "-";

/** @throws UsageError if the file could not be written after the run. */
export function checkWritable(option: string, file: string | undefined): void {
  if (file === undefined) return;
  if (file === STDOUT)
    throw new UsageError(`${option}: - is not standard output here: name a file, such as ./-`);
  try {
    // `/.` fails if the path leads through a file.
    accessSync(`${dirname(file)}/.`, constants.W_OK);
  } catch (error) {
    throw new UsageError(`${option}: nothing can be written in ${dirname(file)}`, { cause: error });
  }
  // A path that ends with a separator names a folder, even a missing one.
  const isFolder =
    file.endsWith("/") ||
    file.endsWith(sep) ||
    statSync(file, { throwIfNoEntry: false })?.isDirectory();
  if (isFolder) throw new UsageError(`${option}: ${file} is a folder: name a file`);
}

/**
 * For files that are written under a temporary name first.
 *
 * @throws UsageError as `checkWritable`, and if the path is not a regular file, such as /dev/stdout.
 */
export function checkReplaceable(option: string, file: string | undefined): void {
  checkWritable(option, file);
  if (file === undefined || (lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? true)) return;
  throw new UsageError(`${option}: ${file} is not a regular file: name another file`);
}

/** File extensions, such as .csv, in the order in which they are tested. */
export type Endings<Format extends string> = Readonly<
  Record<Format, { readonly endings: readonly string[] }>
>;

/**
 * The format of `file` by its extension; `fallback` for standard output and for names without one.
 *
 * @throws UsageError if no format has that extension.
 */
export function chooseFormat<Format extends string>(
  file: string | undefined,
  known: Endings<Format>,
  fallback: Format,
): Format {
  if (file === undefined) return fallback;
  const name = file.toLowerCase();
  const formats = Object.keys(known) as Format[]; // a record has no others
  const found = formats.find((format) => known[format].endings.some((end) => name.endsWith(end)));
  const ending = extname(file);
  if (found !== undefined || ending === "") return found ?? fallback;
  const ends = formats.flatMap((format) => known[format].endings).join(", ");
  throw new UsageError(
    `--out: no format has files that end in ${ending}, only in ${ends}: give --format`,
  );
}
