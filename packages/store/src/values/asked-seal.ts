// Rows of the access log whose request parameters can be removed later without breaking the chain. Instead of these, a row's hash covers
// a seal, which is a salted hash of them.
import { hash, randomBytes } from "node:crypto";

const SALT_BYTES = 16;

/** Commands of operators that only look a call up, as users do. All others say what was done, and why: that has to stay. */
const LOOK_UPS: ReadonlySet<unknown> = new Set(["history", "trace"]);

/** Adds a salt and the seal to the entry, JSON, unless it has no parameters or has to stay complete. */
export function sealEntry(entry: string): string {
  const given = parseObject(entry);
  if (given === undefined || !hasAsked(given) || !isLookUp(given)) return entry;
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
  return isLookUp(given) ? toCovered(entry) : undefined;
}

/** True for an entry that has request parameters and keeps them. */
export function isWholeForEver(entry: string): boolean {
  const given = parseObject(entry);
  return given !== undefined && hasAsked(given) && forgetAsked(entry) === undefined;
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

function isLookUp({ operator, operation }: Readonly<Record<string, unknown>>): boolean {
  return operator === undefined || LOOK_UPS.has(operation);
}

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
