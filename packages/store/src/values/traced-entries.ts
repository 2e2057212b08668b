// The entries of a ledger that are about a call or a recording.
import type { TraceOf } from "../port/trace.ts";
import { type LedgerEntry, type OwnLedger, parseHead, readReadable } from "./ledger.ts";
import { nameCall, toTombstone } from "./tombstones.ts";

/** Reads the whole ledger. `key`: see `toTombstone`. */
export async function traceEntries(
  own: OwnLedger,
  of: TraceOf,
  key: string,
): Promise<readonly LedgerEntry[]> {
  const { entries } = await readReadable(own, parseHead(undefined));
  return entries.filter(createTest(of, key));
}

function createTest(of: TraceOf, key: string): (entry: LedgerEntry) => boolean {
  if ("text" in of) return () => false;
  if ("sha256" in of) return ({ sounds }) => sounds.includes(of.sha256);
  const mark = Buffer.from(toTombstone(key, nameCall(of.callId))).toString("hex");
  return ({ marks }) => marks.some(([one]) => one === mark);
}

export const toTraced = ({ erasure, kind, at, by }: LedgerEntry) => ({ erasure, kind, at, by });
