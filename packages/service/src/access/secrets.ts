// Creates secrets, and the only forms in which they are stored; recognizes secrets by their form.
import { hash, randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { toPrintable } from "../printable.ts";

const SECRET_BYTES = 32;

// A key is 256 random bits, so any hash resists a search. scrypt protects keys that an operator might one day bring from elsewhere.
// 2^12 x 8 costs about 10 ms and 4 MiB: fifty parallel bad sign-ins leave the service its cores.
const SCRYPT = { N: 4096, r: 8, p: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

// The prefixes let scanners find secrets that were published by mistake, and tell a finder what they are.
const PREFIXES = { key: "cmk_", token: "cmt_", session: "cms_" } as const;

/**
 * A prefix and 256 random bits, in the alphabet of a bearer token (RFC 6750, section 2.1). Secrets issued without a
 * prefix stay valid.
 */
export function createSecret(kind: keyof typeof PREFIXES): string {
  return `${PREFIXES[kind]}${randomBytes(SECRET_BYTES).toString("base64url")}`;
}

/** A short public name: of an application, a key, a token or a session. */
export function createName(prefix: "app" | "key" | "token" | "session"): string {
  return `${prefix}_${randomBytes(12).toString("hex")}`;
}

const ANY_PREFIX = Object.values(PREFIXES).join("|");
const RANDOM = `[\\w-]{${Math.ceil((SECRET_BYTES * 4) / 3)}}`;
// A part of a secret reveals something too.
const SECRET_FORM = new RegExp(`${ANY_PREFIX}|${RANDOM}`);
const PREFIXED = new RegExp(`(?:${ANY_PREFIX})[\\w-]+`, "g");
const MAX_SHOWN = 40;

/** The text without those secrets of this service that have a prefix. */
export function hideSecrets(text: string): string {
  return text.replaceAll(PREFIXED, "(withheld: a secret)");
}

/** An attempted secretID, as logs may show it: short, printable, and not a secret that was sent by mistake. */
export function toTriedID(secretID: string): string {
  if (SECRET_FORM.test(secretID)) return "(withheld: it may hold a key)";
  const isShort = secretID.length <= MAX_SHOWN;
  return toPrintable(isShort ? secretID : `${secretID.slice(0, MAX_SHOWN - 1)}…`);
}

/** The form in which a token or an API key is stored and looked up: it is random, so a plain hash suffices. */
export function toBearerHash(secret: string): string {
  return hash("sha256", secret);
}

/** The form in which the key of an application is stored. */
export async function toKeyHash(secretKey: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return `${salt.toString("hex")}.${(await derive(secretKey, salt)).toString("hex")}`;
}

/** Compares `secretKey` with `keyHash`; takes the same time without a hash, so that the time reveals nothing (D14). */
export async function isKeyOf(keyHash: string | undefined, secretKey: string): Promise<boolean> {
  const [salt = "", expected = ""] = (keyHash ?? NO_HASH).split(".");
  const actual = await derive(secretKey, Buffer.from(salt, "hex"));
  return timingSafeEqual(actual, Buffer.from(expected, "hex")) && keyHash !== undefined;
}

const NO_HASH = `${"00".repeat(SALT_BYTES)}.${"00".repeat(HASH_BYTES)}`;

function derive(secretKey: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(secretKey, salt, HASH_BYTES, SCRYPT, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}
