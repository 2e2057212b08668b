// Which clauses a recorded response can show to hold or not. Recorders decode, re-encode, and leave parts out.
import type { Judgement } from "../laws/law.ts";

/** About bytes on the wire, or the address that a proxy sees. */
const OF_TRANSFER: ReadonlySet<string> = new Set(["answer.length", "base.https"]);
const OF_BODY: ReadonlySet<string> = new Set([
  "answer.json",
  "answer.names",
  "answer.no-body",
  "answer.problem",
  "answer.schema",
]);
const OF_HEADERS: ReadonlySet<string> = new Set([
  "answer.content-type",
  "answer.headers",
  "auth.challenge",
]);

export function isEvident({ clause, answer: { lacks } }: Judgement): boolean {
  if (OF_TRANSFER.has(clause)) return false;
  if (lacks?.body === true && OF_BODY.has(clause)) return false;
  return lacks?.headers !== true || !OF_HEADERS.has(clause);
}
