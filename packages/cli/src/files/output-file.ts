// Checks before the work whether a command can write its file.
import { accessSync, constants, lstatSync, statSync } from "node:fs";
import { dirname, sep } from "node:path";
import { UsageError } from "../failures/usage-error.ts";

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

/** Finds the format of a file by its name. `endings`: { vcon: [".vcon", ".vcon.json"], json: [".json"] }. */
export function findFormat<Format extends string>(
  file: string | undefined,
  endings: Readonly<Record<Format, readonly string[]>>,
): Format | undefined {
  const name = file?.toLowerCase() ?? "";
  const formats = Object.keys(endings) as Format[]; // a record has no others
  return formats.find((format) => endings[format].some((ending) => name.endsWith(ending)));
}
