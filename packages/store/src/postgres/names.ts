// Converts identifiers to the digests that they are stored and looked up by. A digest has a fixed length and can stand for any text.
import { toNameDigest } from "../values/row-digest.ts";

/** A uuid, as PostgreSQL stores it. */
export const toName = toNameDigest;

/** Converts 16 bytes, or the first 16 of more. */
export function toUuid(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex", 0, 16);
}

/** Converts a uuid as PostgreSQL returns it. */
export function toDigest(uuid: string): Uint8Array {
  return Buffer.from(uuid.replaceAll("-", ""), "hex");
}

/** The first 8 bytes of a name, to lock its rows. */
export function toLockKey(name: string): bigint {
  return BigInt.asIntN(64, BigInt(`0x${name.slice(0, 16)}`));
}

/** The kind of a name in `call_name`: a call_id; a reference, session or master id; the digest of a call without a call_id. */
export type NameKind = "c" | "r" | "d";
