// Keeps the failures of all packages' runs in one file, to list them once more after the last run.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";

const REPOSITORY = join(import.meta.dirname, "../..");

/** The variable that names the file. Without it nothing is kept: a run of one package ends with what failed in it. */
export const FAILURES = "CALL_MEDIA_FAILURES";

/** Lines of a message that are kept. Between the output of the other packages stand all of them. */
const LINES = 12;

/** @param place the test or other step that failed, in the package whose folder is the working directory */
export function keepFailure(place: string, message: string): void {
  const file = process.env[FAILURES];
  if (file === undefined) return;
  const lines = stripVTControlCharacters(message).trim().split("\n").slice(0, LINES);
  const folder = relative(REPOSITORY, process.cwd());
  appendFileSync(
    file,
    [`FAILED ${folder}: ${place}`, ...lines.map((line) => `  ${line}`), ""].join("\n"),
  );
}

/** Nothing if nothing failed. */
export const readFailures = (file: string): string =>
  existsSync(file) ? readFileSync(file, "utf8") : "";
