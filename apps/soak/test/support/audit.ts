// The access log as an operator reads it.
import { runProgram } from "./program.ts";

export interface LoggedRead {
  readonly requestId: string;
  readonly operation: string;
  readonly status: number;
}

/** All rows; throws when the chain of their hashes is broken. */
export async function readAccessLog(directory: string): Promise<readonly LoggedRead[]> {
  await runProgram(["audit", "verify", "--data", directory]);
  const { stdout } = await runProgram(["audit", "--data", directory, "--format", "jsonl"]);
  const lines = stdout.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as LoggedRead); // the fields that "audit" documents
}
