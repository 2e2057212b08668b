// Imports as the operator runs them, and the account they print.
import type { Ended, Program } from "./process.ts";
import { startProgram } from "./program.ts";
import type { Source } from "./source.ts";

export type Account = Source["expected"];

/** The exit code of an import of which some rows were rejected. */
export const SOME_REJECTED = 2;

let runs = 0;

/** Rejected rows go beside the archive, to a file of this run. */
export function importInto(directory: string, { path }: Source): Program {
  const rejected = `${directory}-rejected-${(runs += 1)}.jsonl`;
  const options = ["--format", "jsonl", "--rejects", rejected];
  return startProgram(["import", "--data", directory, ...options, path]);
}

/** The account that an import printed: "read 9,000 = imported 8,800 + ...". Throws when it printed none. */
export function toAccount({ code, stdout, stderr }: Ended): Account {
  const [line = ""] = stdout.split("\n");
  const numbers = [...line.matchAll(/[\d,]+/g)].map(([digits]) =>
    Number(digits.replaceAll(",", "")),
  );
  const [read, imported, , unchanged, rejected] = numbers;
  if (
    read === undefined ||
    imported === undefined ||
    unchanged === undefined ||
    rejected === undefined
  )
    throw new Error(`the import ended with ${code}: ${stderr}`);
  return { read, imported, unchanged, rejected };
}
