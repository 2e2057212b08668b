// The digest of a call, which shows whether it has changed, on a disk or since an earlier import.
import type { CallItem, Media } from "../port/index.ts";
import { toDeclaredIdentity } from "./identity.ts";
import { toRowDigest, toRowHex } from "./row-digest.ts";

/** The digests by which a call is recognised when it is imported again. */
export interface Marks {
  readonly callId: string | null;
  /** See identity.ts. Without a call_id: the number of the record among equal ones; null for the first. */
  readonly identity: Uint8Array | null;
  readonly digest: Uint8Array;
}

/** `stored`: the record in stored form. */
export function toCallDigest(call: CallItem, stored: string): Uint8Array {
  const { record, sessionId, masterId, recordings, identity } = call;
  const files = recordings.map(({ filename, startMs, media }) => [filename, startMs, media.sha256]);
  const names = [record.call_id, record.ref_id, sessionId, masterId, files];
  return toRowDigest([...names, ...toNumber(record.call_id, identity)], stored);
}

/** The number that distinguishes equal records without a call_id. */
const toNumber = (callId: string | null, identity: CallItem["identity"]) =>
  callId === null && identity !== undefined ? [identity] : [];

/** The same digest, hexadecimal, computed from the archive's row. `number`: the identity of a call without a call_id. */
export function toStoredHex(
  row: Readonly<Record<"record", string> & Record<NameColumn, string | null>> & {
    readonly number: Uint8Array | null;
  },
  recordings: readonly StoredFile[],
): string {
  const files = recordings.map(({ filename, start_ms, sha256 }) => [filename, start_ms, sha256]);
  const names = [row.call_id, row.ref_id, row.session_id, row.master_id, files];
  const number = toNumber(row.call_id, toDeclaredIdentity(row.number));
  return toRowHex([...names, ...number], row.record);
}

/**
 * A digest, hexadecimal, of what the digest of its call does not cover of a recording. Calls are recognised by their digest, and neither
 * of these values distinguishes calls. `part`: from 1.
 */
export const toRecordingHex = (
  part: number,
  { sha256, type, modifiedMs }: Pick<Media, "sha256" | "type" | "modifiedMs">,
): string => toRowHex([part, sha256, type, modifiedMs], "");

type NameColumn = "call_id" | "ref_id" | "session_id" | "master_id";

interface StoredFile {
  readonly filename: string;
  readonly start_ms: number | null;
  readonly sha256: string;
}
