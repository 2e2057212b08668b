// Whether a file that a command is to write can be written: found out before the work, and not after it.
import { accessSync, constants, lstatSync, statSync } from "node:fs";
import { dirname, sep } from "node:path";
import { UsageError } from "../failures/usage-error.ts";

/** What a command with --out may be given for standard output. */
export const STDOUT = "-";

/** @throws UsageError now, where writing the file would fail after a whole run. */
export function checkWritable(option: string, file: string | undefined): void {
  if (file === undefined) return;
  if (file === STDOUT)
    throw new UsageError(`${option}: - is not standard output here: name a file, such as ./-`);
  try {
    // Of a path that ends so a file is no part.
    accessSync(`${dirname(file)}/.`, constants.W_OK);
  } catch (error) {
    throw new UsageError(`${option}: nothing can be written in ${dirname(file)}`, { cause: error });
  }
  // What ends so is no file, whether it is there or not.
  const isFolder =
    file.endsWith("/") ||
    file.endsWith(sep) ||
    statSync(file, { throwIfNoEntry: false })?.isDirectory();
  if (isFolder) throw new UsageError(`${option}: ${file} is a folder: name a file`);
}

/**
 * For what is written under another name first.
 *
 * @throws UsageError as `checkWritable` does, and where anything but a file would be replaced, such as /dev/stdout.
 */
export function checkReplaceable(option: string, file: string | undefined): void {
  checkWritable(option, file);
  if (file === undefined || (lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? true)) return;
  throw new UsageError(`${option}: ${file} is there and no regular file: name another file`);
}

/** The format that the name of a file ends with, where it is one of these: { vcon: [".vcon", ".vcon.json"], json: [".json"] }. */
export function findFormat<Format extends string>(
  file: string | undefined,
  endings: Readonly<Record<Format, readonly string[]>>,
): Format | undefined {
  const name = file?.toLowerCase() ?? "";
  const formats = Object.keys(endings) as Format[]; // a record has no others
  return formats.find((format) => endings[format].some((ending) => name.endsWith(ending)));
}
