// What tells calls apart: which came before, and whether anything of them has changed since.
import type { MetadataRecord } from "../../call-store.ts";
import type { CallItem, RecordRow } from "../call-row.ts";
import type { StoredRecording } from "../recording-rows.ts";
import { toRowDigest } from "../row-digest.ts";

/** What a call is recognised by when it comes again. */
export interface Marks {
  readonly callId: string | null;
  /** Null without a call_id. */
  readonly identity: Uint8Array | null;
  /** That of the call before it had a reference, where that may have come later. */
  readonly earlierIdentity?: Uint8Array | undefined;
  /** What tells a changed call from an unchanged one. */
  readonly digest: Uint8Array;
}

/** `stored`: the record in the form in which it is stored. */
export function toMarks(call: CallItem, stored: string): Marks {
  const { record } = call;
  const { call_id: callId } = record;
  const digest = toDigest(call, stored);
  if (callId === null) return { callId, identity: null, digest };
  const [identity, earlierIdentity] = [toIdentity(record), toEarlierIdentity(call)];
  return { callId, identity, earlierIdentity, digest };
}

function toDigest(call: CallItem, stored: string): Uint8Array {
  const { record, sessionId, masterId, recordings } = call;
  const files = recordings.map(({ filename, startMs, media }) => [filename, startMs, media.sha256]);
  return toRowDigest([record.call_id, record.ref_id, sessionId, masterId, files], stored);
}

/** The same digest, taken from what is in the archive. */
export function toStoredDigest(
  row: RecordRow & { readonly session_id: string | null; readonly master_id: string | null },
  recordings: readonly StoredRecording[],
): Uint8Array {
  const files = recordings.map(({ filename, start_ms, sha256 }) => [filename, start_ms, sha256]);
  return toRowDigest([row.call_id, row.ref_id, row.session_id, row.master_id, files], row.record);
}

/** The identity of the call before its source gave its reference; undefined where that came with the call, or is none. */
export function toEarlierIdentity({ record, hasLateReference }: CallItem): Uint8Array | undefined {
  const isLate = hasLateReference === true && record.ref_id !== null;
  return isLate ? toIdentity({ ...record, ref_id: null }) : undefined;
}

/** What calls with one call_id share when they are the same call: see "Importing twice". */
export function toIdentity({ ref_id, datetime, agent }: MetadataRecord): Uint8Array {
  return toRowDigest([ref_id, datetime, agent]);
}
