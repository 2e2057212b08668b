// Compares the search index with its records. Where they differ, searches silently lack calls or count them
// wrongly.
import type { DatabaseSync } from "node:sqlite";
import { CALL_COLUMNS, type CallRow, createRecordForm } from "../../call-row.ts";
import { prepareBig } from "../../files/connection.ts";
import { readAtOnce } from "../../files/transaction.ts";
import { createTermLister, IndexDamaged, readIndex } from "../../segment-index/segment-index.ts";
import type { RowWatch } from "../../row-check.ts";
import { error, type Finding, RESTORE } from "./finding.ts";

/** The calls, their terms, and a sum over both. A different term or call yields the same sum once in 4,000 million. */
interface IndexSum {
  readonly calls: number;
  readonly terms: number;
  readonly sum: number;
}

/** Reads every call once, which takes some minutes for millions of calls. */
export function examineIndex(archive: DatabaseSync, file: string, watch: RowWatch): Finding[] {
  // Compares a single state of the archive, whatever an import writes meanwhile.
  try {
    return readAtOnce(archive, () => compare(sumCalls(archive, watch), sumIndex(archive), file));
  } catch (fault) {
    // A block of the wrong length would need impossible arrays.
    if (!(fault instanceof IndexDamaged || fault instanceof RangeError)) throw fault;
    const what = fault instanceof IndexDamaged ? fault.message : "the search index is damaged";
    return [error(what, file, RESTORE)];
  }
}

function createSum() {
  let [calls, terms, sum] = [0, 0, 0];
  return {
    addCall: () => void (calls += 1),
    add: (id: bigint, term: number) => {
      terms += 1;
      sum = (sum + Math.imul(fold(id), Math.trunc(term % 2 ** 32) | 1)) | 0;
    },
    total: (): IndexSum => ({ calls, terms, sum }),
  };
}

const fold = (id: bigint) => Number(BigInt.asIntN(32, id ^ (id >> 29n)));

function sumCalls(archive: DatabaseSync, watch: RowWatch): IndexSum {
  const { toRecord } = createRecordForm(archive);
  const listTerms = createTermLister(archive);
  const { addCall, add, total } = createSum();
  const calls = prepareBig<CallRow>(archive, `SELECT ${CALL_COLUMNS} FROM call`);
  for (const call of watch("search index", "call", calls.iterate())) {
    addCall();
    for (const term of listTerms(toRecord(call))) add(call.id, term);
  }
  return total();
}

function sumIndex(archive: DatabaseSync): IndexSum {
  const { total, ...visitor } = createSum();
  readIndex(archive, visitor);
  return total();
}

function compare(calls: IndexSum, index: IndexSum, file: string): Finding[] {
  const fault = findFault(calls, index);
  if (fault === undefined) return [];
  return [error(`the search index does not fit the calls: ${fault}`, file, RESTORE)];
}

function findFault(calls: IndexSum, index: IndexSum): string | undefined {
  if (calls.calls !== index.calls) return `it has ${index.calls} calls, the archive ${calls.calls}`;
  if (calls.terms !== index.terms)
    return `it has ${index.terms} terms, the calls have ${calls.terms}`;
  return calls.sum === index.sum
    ? undefined
    : `its ${index.terms} terms are not those of the calls`;
}
