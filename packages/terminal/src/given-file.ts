// Reads a text file that the caller names, for both programs.
import { readFile } from "node:fs/promises";
import { text as readText } from "node:stream/consumers";
import { io } from "./io.ts";
import { UsageError } from "./usage-error.ts";

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  ENOTDIR: "does not exist",
  EISDIR: "is a directory, not a file",
  EACCES: "cannot be read: this user may not",
};

/**
 * `option`: of the file, for the error. "-" is standard input.
 *
 * @throws UsageError that names the option, the file and the reason.
 */
export async function readGivenFile(option: string, file: string): Promise<string> {
  if (file === "-") return await readText(io().stdin);
  return await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    const reason = REASONS[error.code ?? ""] ?? `cannot be read (${error.message})`;
    throw new UsageError(`${option}: ${file} ${reason}`, { cause: error });
  });
}
