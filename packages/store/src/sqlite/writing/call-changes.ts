// Collects the changes of the search index for written calls. Writes them in large groups: the index takes calls in
// the order of their ids, and larger groups leave fewer segments to merge.
import type { DatabaseSync } from "node:sqlite";
import type { MetadataRecord } from "../../port/index.ts";
import { readWhole } from "../../values/damaged-records.ts";
import { CALL_COLUMNS, type CallRow, createRecordForm } from "../call-row.ts";
import { prepareBig } from "../files/connection.ts";
import { HAS_CALL_ID } from "../identifiers.ts";
import { noteUnswept } from "../swept.ts";
import {
  createTermLister,
  createWordList,
  type IndexedCall,
  openSegmentIndex,
} from "../segment-index/segment-index.ts";

/** The number of calls that make a final segment of the index, which is not merged again. */
const CALLS_OF_A_FLUSH = 40_000;

/** This number of terms takes 64 MB: long transcripts have thousands. */
const TERMS_OF_A_FLUSH = 8_000_000;

export function createCallChanges(database: DatabaseSync) {
  const index = openSegmentIndex(database);
  const listTerms = createTermLister(database);
  const { toRecord } = createRecordForm(database);
  const selectCalls = prepareBig<CallRow>(
    database,
    `SELECT ${CALL_COLUMNS} FROM call WHERE ${HAS_CALL_ID}`,
  );
  const selectCall = prepareBig<CallRow>(database, `SELECT ${CALL_COLUMNS} FROM call WHERE id = ?`);
  const words = createWordList();
  /** The words of removed calls: some may not occur in any other call. */
  let left = createWordList();
  const changes: Change[] = [];
  let terms = 0;
  const add = (id: bigint, record: MetadataRecord, hasChat = true): IndexedCall => {
    const call = { id, terms: listTerms(record, words, hasChat) };
    terms += call.terms.length;
    return call;
  };
  /** If the chat of a new call is damaged, the call is searchable without it. */
  const addNew = (id: bigint, record: MetadataRecord): IndexedCall =>
    readWhole(() => add(id, record)) ?? add(id, record, false);
  /** Undefined if the call or its chat cannot be read: it then keeps its terms until it is replaced or erased. */
  const tryAdd = (row: CallRow): IndexedCall | undefined =>
    readWhole(() => add(row.id, toRecord(row)));
  const leave = (row: CallRow | undefined): void => {
    const record = row && readWhole(() => toRecord(row));
    const isListed = record !== undefined && readWhole(() => listTerms(record, left)) !== undefined;
    // The words of an unreadable call are unknown.
    if (!isListed) noteUnswept(database);
  };
  const flush = (merges = true): void => {
    const { removed, added, touched } = settle(changes.splice(0));
    for (const callId of touched)
      for (const row of selectCalls.all(callId)) {
        const call = tryAdd(row);
        if (call === undefined) continue;
        if (!added.has(row.id)) removed.add(row.id);
        added.set(row.id, call);
      }
    terms = 0;
    const sorted = [...added.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
    index.change([...removed], sorted, words.take());
    index.forget(left.take());
    left = createWordList();
    if (merges && removed.size + added.size > 0) index.merge();
  };

  return {
    // The terms take a tenth of the record's memory.
    add: (id: bigint, record: MetadataRecord) => void changes.push(addNew(id, record)),
    /** Must be called while the call exists. */
    remove: (id: bigint): void => {
      leave(selectCall.get(id));
      changes.push({ id });
    },
    /** Must be called before messages of a call are deleted. */
    removeChat: (callId: string): void => {
      for (const row of selectCalls.all(callId)) leave(row);
      changes.push({ callId });
    },
    /** The chat of a call has changed, and with it the words of all its records. */
    touch: (callId: string) => void changes.push({ callId }),
    /** Without `merges` it writes only what is necessary. */
    flush,
    flushWhenFull: (): void => {
      if (changes.length >= CALLS_OF_A_FLUSH || terms >= TERMS_OF_A_FLUSH) flush();
    },
  };
}

/** An added call, the id of a removed call, or the call_id of a changed chat. */
type Change = IndexedCall | { readonly id: bigint } | { readonly callId: string };

// The index needs only two facts: whether it had the id, which the first change shows, and the last state.
function settle(changes: readonly Change[]) {
  const removed = new Set<bigint>();
  const added = new Map<bigint, IndexedCall>();
  const touched = new Set<string>();
  for (const change of changes) {
    if ("callId" in change) touched.add(change.callId);
    else if ("terms" in change) added.set(change.id, change);
    else if (!added.delete(change.id)) removed.add(change.id);
  }
  return { removed, added, touched };
}
