// What identifiers are kept and looked up by: a digest, of one length whatever the identifier, and of any text at all.
import { toNameDigest } from "../values/row-digest.ts";

/** As PostgreSQL has it, a uuid. */
export const toName = toNameDigest;

/** Of 16 bytes, or the first of more. */
export function toUuid(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex", 0, 16);
}

/** Of a uuid as PostgreSQL gives it. */
export function toDigest(uuid: string): Uint8Array {
  return Buffer.from(uuid.replaceAll("-", ""), "hex");
}

/** The first 8 bytes of a name, to lock what has it. */
export function toLockKey(name: string): bigint {
  return BigInt.asIntN(64, BigInt(`0x${name.slice(0, 16)}`));
}

/** What a name in `call_name` is: a call_id; a reference, session or master id; the digest of a call without a call_id. */
export type NameKind = "c" | "r" | "d";
