// The digests that identify calls: if a call came before, and if it has changed since.
import type { CallItem } from "../port/index.ts";
import { parseStored } from "./record-form.ts";
import { ROW_DIGEST_BYTES, toRowDigest } from "./row-digest.ts";

/** The digests by which a call is recognised when it is imported again. */
export interface Marks {
  readonly callId: string | null;
  /** Without a call_id the number of the record among equal ones; null for the first. */
  readonly identity: Uint8Array | null;
  /** The digest of the call without a reference, if its source may add that later. */
  readonly earlierIdentity?: Uint8Array | undefined;
  /** The digest that shows if a call has changed. */
  readonly digest: Uint8Array;
}

/** `stored`: the record in the form in which it is stored. */
export function toMarks(call: CallItem, stored: string): Marks {
  const { record } = call;
  const { call_id: callId } = record;
  const digest = toCallDigest(call, stored);
  if (callId === null)
    return { callId, identity: call.identity === undefined ? null : toIdentity(call), digest };
  const [identity, earlierIdentity] = [toIdentity(call), toEarlierIdentity(call)];
  return { callId, identity, earlierIdentity, digest };
}

/** The digest that is stored with a call. */
export function toCallDigest(call: CallItem, stored: string): Uint8Array {
  const { record, sessionId, masterId, recordings, identity } = call;
  const files = recordings.map(({ filename, startMs, media }) => [filename, startMs, media.sha256]);
  const names = [record.call_id, record.ref_id, sessionId, masterId, files];
  return toRowDigest([...names, ...toNumber(record.call_id, identity)], stored);
}

/** What an equal record without a call_id differs in. */
const toNumber = (callId: string | null, identity: CallItem["identity"]) =>
  callId === null && identity !== undefined ? [identity] : [];

/** The same digest, taken from what is in the archive. */
export function toStoredDigest(
  row: Readonly<Record<"record", string> & Record<NameColumn, string | null>> &
    Pick<Marks, "identity">,
  recordings: readonly StoredFile[],
): Uint8Array {
  const files = recordings.map(({ filename, start_ms, sha256 }) => [filename, start_ms, sha256]);
  const names = [row.call_id, row.ref_id, row.session_id, row.master_id, files];
  const number = toNumber(row.call_id, toDeclaredIdentity(row.identity));
  return toRowDigest([...names, ...number], row.record);
}

type NameColumn = "call_id" | "ref_id" | "session_id" | "master_id";

interface StoredFile {
  readonly filename: string;
  readonly start_ms: number | null;
  readonly sha256: string;
}

/** The identity of the call before its source gave its reference; undefined where that came with the call, or is none. */
export function toEarlierIdentity({ record, hasLateReference }: CallItem): Uint8Array | undefined {
  const isLate = hasLateReference === true && record.ref_id !== null;
  return isLate ? toIdentity({ record: { ...record, ref_id: null } }) : undefined;
}

/**
 * The value that records with one call_id share if they are the same (D32). One that the source declares is stored as
 * JSON, so that an export can return it, and never has the length of a digest.
 */
export function toIdentity({
  record,
  identity,
}: Pick<CallItem, "record" | "identity">): Uint8Array {
  if (identity !== undefined) {
    const declared = Buffer.from(JSON.stringify(identity));
    return declared.length === ROW_DIGEST_BYTES ? Buffer.concat([declared, SPACE]) : declared;
  }
  return toRowDigest([record.ref_id, record.datetime, record.agent]);
}

const SPACE = Buffer.from(" ");

/** The identity that the source of a stored call has declared, if it has. Throws `StoreFault`. */
export function toDeclaredIdentity(stored: Uint8Array | null): CallItem["identity"] {
  if (stored === null || stored.length === ROW_DIGEST_BYTES) return undefined;
  return parseStored(Buffer.from(stored));
}
