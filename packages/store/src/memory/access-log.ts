// The access log in memory, with the chain of hashes that every adapter has.
import type { AccessLog, ChainHead } from "../port/access-log.ts";
import { StoreFault } from "../port/index.ts";
import { sealEntry } from "../values/asked-seal.ts";
import {
  followChain,
  isAsked,
  toLogRow,
  toOperatorEntry,
  toRowHash,
} from "../values/access-chain.ts";
import { collectLists, NEWEST, toRowsOfCall } from "../values/access-calls.ts";
import type { ChainedRow, Tables } from "./tables.ts";

export function createAccessLog(tables: Tables, isClosed: () => boolean): AccessLog {
  const check = () => {
    if (isClosed()) throw new StoreFault("unavailable", "the archive is closed");
  };
  const append = (entry: string) => {
    check();
    appendRow(tables, entry);
  };
  return {
    id: async () => tables.archiveId,
    find: async (seq = tables.access.length) => toHead(tables.access[seq - 1]),
    append: async (entry) => append(JSON.stringify(entry)),
    record: async (act) => append(toOperatorEntry(act)),
    check: async () => check(),
    async *read(query) {
      yield* [...tables.access].map(toLogRow).filter((row) => isAsked(row, query));
    },
    ofCall: async ({ callId, limit, beforeSeq = NEWEST }) =>
      toRowsOfCall(tables.access.filter(({ seq }) => seq < beforeSeq).toReversed(), callId).slice(
        0,
        limit,
      ),
    listsOf: (query) =>
      collectLists(async (beforeSeq) => {
        const rows = tables.access.filter(
          (row) => row.seq < beforeSeq && toLogRow(row).timeMs >= query.sinceMs,
        );
        const [first] = rows.map(toLogRow);
        const firstMs = first?.timeMs ?? Number.NaN;
        return { firstSeq: 1, firstMs, isSince: rows.length > 0, rows: rows.toReversed() };
      }, query),
    witness: async () => toHead(tables.access.at(-1)),
    verify: async (knownHash) => {
      const rows = [...tables.access];
      const chain = {
        expectedRows: rows.length,
        isDamaged: () => false,
        [Symbol.iterator]: () => rows.values(),
      };
      return followChain(chain, knownHash);
    },
  };
}

/** Returns the number of the row. */
export function appendRow({ access }: Tables, given: string): number {
  const entry = sealEntry(given);
  const seq = access.length + 1;
  access.push({ seq, entry, hash: toRowHash(access.at(-1)?.hash ?? "", seq, entry) });
  return seq;
}

function toHead(row: ChainedRow | undefined): ChainHead | undefined {
  return row && { seq: row.seq, hash: row.hash, timeMs: toLogRow(row).timeMs };
}
