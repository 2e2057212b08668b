// Schema 8: every call is written anew, in the form of today. Before, a record was a JSON object, and the index a table of
// FTS5; schema 16 makes that of today.
import type { DatabaseSync } from "node:sqlite";
import { prepareBig } from "../files/connection.ts";
import { createRecordingReader } from "../recording-rows.ts";
import { toStoredDigest } from "../writing/call-digest.ts";
import { createRecordForm, parseStored, type RecordRow, settleFields } from "../call-row.ts";
import type { OnUpgrade } from "./migrate.ts";
import { createRestrictedWriter } from "../restricted-values.ts";

const BATCH_CALLS = 5_000;

interface OldCall extends RecordRow {
  readonly id: bigint;
  readonly session_id: string | null;
  readonly master_id: string | null;
  readonly identity: Uint8Array | null;
  readonly digest: Uint8Array;
}

/** Copies `call` to `compact_call`, within the transaction of the upgrade. */
export function compactCalls(database: DatabaseSync, onUpgrade: OnUpgrade): void {
  settleFields(database);
  const compact = createCompactor(database);
  const total = Number(database.prepare("SELECT count(*) AS n FROM call").get()?.["n"]);
  const next = prepareBig<OldCall>(
    database,
    `SELECT id, call_id, ref_id, session_id, master_id, identity, digest, record FROM call
     WHERE id > ? ORDER BY id LIMIT ${BATCH_CALLS}`,
  );
  let [done, after] = [0, -(2n ** 63n)];
  for (;;) {
    const calls = next.all(after);
    for (const call of calls) compact(call);
    done += calls.length;
    if (calls.length > 0) onUpgrade(done, total);
    const last = calls.at(-1);
    if (last === undefined || calls.length < BATCH_CALLS) break;
    after = last.id;
  }
}

/** Writes a call anew. */
function createCompactor(database: DatabaseSync): (call: OldCall) => void {
  const form = createRecordForm(database);
  const restricted = createRestrictedWriter(database);
  const readRecordings = createRecordingReader(database);
  const insert = database.prepare(
    `INSERT INTO compact_call (id, call_id, ref_id, session_id, master_id, identity, digest, restricted, record)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return (call) => {
    const { id, call_id, ref_id, session_id, master_id, identity, digest } = call;
    const record = {
      ...form.toRecord({ call_id, ref_id, record: "[]" }),
      ...parseStored(call.record),
    };
    const stored = form.toStored(record);
    const files = readRecordings(id);
    // A call that had been damaged keeps a digest that does not fit, so that the doctor still finds it.
    const isWhole = Buffer.compare(digest, toStoredDigest(call, files)) === 0;
    const newDigest = isWhole ? toStoredDigest({ ...call, record: stored }, files) : digest;
    const names = [call_id, ref_id, session_id, master_id];
    insert.run(id, ...names, identity, newDigest, restricted.toNumbers(record), stored);
  };
}
