// Whether a file that a command is to write can be written, found out before the work and not after it.
import { accessSync, constants } from "node:fs";
import { dirname } from "node:path";
import { UsageError } from "./usage-error.ts";

/** @throws UsageError now, where writing the file would fail after a whole run. */
export function checkFolder(option: string, file: string | undefined): void {
  if (file === undefined) return;
  try {
    accessSync(dirname(file), constants.W_OK);
  } catch (error) {
    throw new UsageError(`${option}: nothing can be written in ${dirname(file)}`, { cause: error });
  }
}
