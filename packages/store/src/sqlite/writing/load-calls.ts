// Loads the calls that the rows of a batch may be equal to, or may replace.
import type { DatabaseSync } from "node:sqlite";
import type { CallItem, Recording } from "../../port/index.ts";
import { readWhole } from "../../values/damaged-records.ts";
import { toDeclaredIdentity } from "../../values/identity.ts";
import { parseDatetime } from "../../values/instant.ts";
import { toInstantMs, toOrder } from "../../values/order-key.ts";
import { listForms } from "../../values/recording-names.ts";
import type { StoredCall } from "../../writing/slice.ts";
import { CALL_COLUMNS, type CallRow, type RecordForm } from "../call-row.ts";
import { createListReader, prepareBig } from "../files/connection.ts";
import { checkRecording, createMediaReader, toRecording } from "../recording-rows.ts";

export type Form = Pick<RecordForm, "toRecord" | "toStored">;

interface CallColumns extends Omit<CallRow, "ref_id" | "record" | "number" | "digest"> {
  readonly identity: Uint8Array | null;
  readonly digest: Uint8Array;
  readonly act: bigint | null;
}

/** Without recordings, their order does not depend on a time. */
const NO_TIME = { datetime: null };

type ToDigest = (call: CallItem) => Uint8Array;

interface CallMeans {
  readonly timeZone: string;
  readonly form: Form;
  readonly toDigest: ToDigest;
}

export function createCallLoader(database: DatabaseSync, { timeZone, form, toDigest }: CallMeans) {
  const columns = "id, call_id, session_id, master_id, identity, digest, act";
  const readNamed = createListReader<CallColumns>(
    database,
    (list) => `SELECT ${columns} FROM call WHERE call_id IN ${list}`,
  );
  const readAnonymous = createListReader<CallColumns>(
    database,
    (list) => `SELECT ${columns} FROM call WHERE call_id IS NULL AND digest IN ${list}`,
  );
  const readRecord = prepareBig<CallRow>(database, `SELECT ${CALL_COLUMNS} FROM call WHERE id = ?`);
  const readRecordings = createMediaReader(database);
  const toOwnDigests = (given: CallItem) => {
    const { datetime } = given.recordings.length === 0 ? NO_TIME : given.record;
    const parsed = datetime === null ? undefined : parseDatetime(datetime, timeZone);
    const instantMs = typeof parsed === "object" ? parsed.instantMs : undefined;
    return listForms(given, instantMs).map(toDigest);
  };
  const toCall = (row: CallColumns, callId: string | null): StoredCall => {
    const { id } = row;
    let recordings: readonly Recording[] | undefined;
    return {
      kind: "call",
      // Read on demand: most calls are imported again unchanged, and damaged ones are replaced.
      get record() {
        const stored = readRecord.get(id);
        if (stored === undefined) throw new Error("a call is read after it was replaced");
        return form.toRecord(stored, readRecordings(id).map(checkRecording));
      },
      get recordings() {
        return (recordings ??= readRecordings(id).map(toRecording));
      },
      get hasWholeRecordings() {
        return readWhole(() => readRecordings(id).map(checkRecording)) !== undefined;
      },
      get identity() {
        return toDeclaredIdentity(row.identity);
      },
      sessionId: row.session_id ?? undefined,
      masterId: row.master_id ?? undefined,
      marks: { callId, identity: row.identity, digest: row.digest },
      act: row.act === null ? null : Number(row.act),
      instantMs: toInstantMs(id),
      order: toOrder(id),
    };
  };
  return (calls: readonly CallItem[]): StoredCall[] => {
    // A lone surrogate is stored as U+FFFD.
    const names = new Map(
      calls.flatMap(({ record: { call_id } }) =>
        call_id === null ? [] : [[call_id.toWellFormed(), call_id]],
      ),
    );
    const anonymous = calls.filter(({ record }) => record.call_id === null);
    return [
      ...readNamed([...names.keys()]).map((row) =>
        toCall(row, names.get(row.call_id ?? "") ?? null),
      ),
      ...readAnonymous(anonymous.flatMap(toOwnDigests)).map((row) => toCall(row, null)),
    ];
  };
}
