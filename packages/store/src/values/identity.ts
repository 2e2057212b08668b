// The identity of records with one call_id (D32): declared by their source, else their start. Agent, reference and the notation of the
// datetime are not part of it: they may change while the record stays the same.
import type { CallItem } from "../port/index.ts";
import { parseDatetime } from "./instant.ts";
import { parseStored } from "./record-form.ts";
import { isEqual, ROW_DIGEST_BYTES, toRowDigest } from "./row-digest.ts";
import { RowRejected } from "./row-rejected.ts";

export interface Identity {
  readonly callId: string;
  /** The form that is stored now. */
  readonly current: Uint8Array;
  /** The form that earlier versions stored: as the source writes it. If undeclared, a digest of reference, datetime and agent. */
  readonly written: Uint8Array;
  readonly isDeclared: boolean;
  /** The start of the record, in ms since 1970. */
  readonly instantMs: number | undefined;
}

export type Identify = (
  item: Pick<CallItem, "identity"> & { readonly record: Partial<CallItem["record"]> },
  instantMs: number | undefined,
) => Identity | undefined;

/** Makes a function that returns the identity of a call; undefined without a call_id. `timeZone`: for datetimes without an offset. */
export function createIdentifier(timeZone: string): Identify {
  const toMoment = (value: string | null): string | null => {
    const parsed = value === null || !HAS_TIME.test(value) ? "" : parseDatetime(value, timeZone);
    return typeof parsed === "string" ? value : new Date(parsed.instantMs).toISOString();
  };
  return ({ record, identity }, instantMs) => {
    const { call_id: callId = null, ref_id: refId, datetime, agent } = record;
    if (callId === null) return undefined;
    const known = { callId, isDeclared: identity !== undefined, instantMs };
    if (identity === undefined) {
      const written = toRowDigest([refId, datetime, agent]);
      return { ...known, written, current: toRowDigest(["moment", instantMs]) };
    }
    return { ...known, written: toJson(identity), current: toJson(identity.map(toMoment)) };
  };
}

const HAS_TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:/;

const SPACE = Buffer.from(" ");

/** Stores a declared identity so that an export can return it. It never has the length of a digest. */
export function toJson(identity: readonly (string | null)[]): Uint8Array {
  const declared = Buffer.from(JSON.stringify(identity));
  return declared.length === ROW_DIGEST_BYTES ? Buffer.concat([declared, SPACE]) : declared;
}

/** The identity that the source of a stored call declared, if any. Throws `StoreFault`. */
export function toDeclaredIdentity(stored: Uint8Array | null): CallItem["identity"] {
  if (stored === null || isUndeclared(stored)) return undefined;
  return parseStored(Buffer.from(stored));
}

/** True for the digest that stands for an undeclared identity. */
export const isUndeclared = (stored: Uint8Array) => stored.length === ROW_DIGEST_BYTES;

interface Stored {
  readonly marks: { readonly identity: Uint8Array | null };
}

/** Finds records, newest first: a call may have thousands. */
export interface Records<Known> {
  readonly ofIdentity: (callId: string, stored: Uint8Array) => readonly Known[];
  /** Records whose source does not declare an identity. */
  readonly ofMoment: (callId: string, instantMs: number | undefined) => readonly Known[];
  readonly ofDigest: (digest: Uint8Array) => readonly Known[];
}

/** The stored record that is the same one. `digest`: of the record, if known. Throws `RowRejected`. */
export function findSame<Known extends Stored>(
  { ofIdentity, ofMoment, ofDigest }: Records<Known>,
  { callId, written, current, isDeclared, instantMs }: Identity,
  digest?: Uint8Array,
): Known | undefined {
  const exact = ofIdentity(callId, written)[0] ?? ofIdentity(callId, current)[0];
  if (exact !== undefined) return exact;
  if (!isDeclared) return takeOnly(ofMoment(callId, instantMs), callId);
  const equal = digest === undefined ? [] : ofDigest(digest);
  return equal.find(({ marks }) => marks.identity !== null && isUndeclared(marks.identity));
}

/** Earlier versions distinguished records of one instant by their agents. Throws `RowRejected` if there are several. */
function takeOnly<Known>(found: readonly Known[], callId: string): Known | undefined {
  if (found.length < 2) return found[0];
  throw new RowRejected(
    `call_id: the archive has ${found.length} records of the call ${callId} that began at this moment: say what tells them apart (identity), or purge the call first`,
  );
}

/** The stored form of the identity of a record that replaces `same`: records that earlier versions distinguished stay distinct. */
export function toStoredIdentity(
  { written, current }: Identity,
  same: Uint8Array | null | undefined,
): Uint8Array {
  return same && isEqual(same, written) ? written : current;
}
