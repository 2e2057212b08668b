// Rows of the access log whose request parameters can be removed later without breaking the chain. Instead of these, a row's hash covers
// a seal, which is a salted hash of them.
import { hash, randomBytes } from "node:crypto";

const SALT_BYTES = 16;

/** Rows that prove something later stay complete: where copies went, what was erased and by which policy, decisions about the log. */
const STAYS = /^(?:audit |backup$|export$|migrate$|purge$|restore$|retention )/;

/** Adds a salt and the seal to the entry, JSON, unless it has no parameters or has to stay complete. */
export function sealEntry(entry: string): string {
  const given = parseObject(entry);
  if (given === undefined || !hasAsked(given) || STAYS.test(String(given["operation"])))
    return entry;
  const salt = randomBytes(SALT_BYTES).toString("hex");
  return JSON.stringify({ ...given, salt, seal: toSeal(salt, given["asked"]) });
}

/** The part of a row that its hash covers. This is the whole entry if it has no seal, or if the seal does not match the parameters. */
export function toCovered(entry: string): string {
  const given = entry.includes('"seal":') ? parseObject(entry) : undefined;
  if (typeof given?.["seal"] !== "string") return entry;
  const { asked, salt, ...covered } = given;
  const isForgotten = asked === undefined && salt === undefined;
  if (!isForgotten && toSeal(salt, asked) !== given["seal"]) return entry;
  return JSON.stringify(covered);
}

/** The entry without its request parameters; undefined if there is nothing to remove. */
export function forgetAsked(entry: string): string | undefined {
  const given = parseObject(entry);
  if (given?.["asked"] === undefined || typeof given["seal"] !== "string") return undefined;
  return toCovered(entry);
}

/** True for an entry that has request parameters and would not match its hash without them. */
export function isWholeForEver(entry: string): boolean {
  const given = parseObject(entry);
  return given !== undefined && hasAsked(given) && typeof given["seal"] !== "string";
}

/** The entry for display: without salt and seal, and with a note in place of removed parameters. */
export function toShown(
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { salt: _salt, seal, ...shown } = given;
  return typeof seal === "string" && shown["asked"] === undefined
    ? { ...shown, asked: { forgotten: true } }
    : shown;
}

const toSeal = (salt: unknown, asked: unknown) =>
  hash("sha256", `${String(salt)} ${JSON.stringify(asked)}`);

function hasAsked({ asked }: Readonly<Record<string, unknown>>): boolean {
  return typeof asked === "object" && asked !== null && Object.keys(asked).length > 0;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const given: unknown = JSON.parse(text);
    return typeof given === "object" && given !== null && !Array.isArray(given)
      ? Object.fromEntries(Object.entries(given))
      : undefined;
  } catch {
    return undefined;
  }
}
