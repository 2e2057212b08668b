// Equivalent values in another form, because services normalise what they store: trimmed, in lower case, in another notation.
import { isDeepStrictEqual } from "node:util";
import { isObject } from "@call-media/contract-diff";
import { parseJson } from "../ask.ts";
import { parseMoment } from "./moments.ts";
import { toIdentity } from "./places.ts";

/** True if a service may have stored the one value and show it as the other. */
export function isSameInOtherForm(sent: unknown, came: unknown): boolean {
  if (toIdentity(sent) === toIdentity(came) || (isEmpty(sent) && isEmpty(came))) return true;
  if (Array.isArray(sent) && Array.isArray(came)) {
    const [given, shown] = [sent, came].map(
      (all) => new Map(all.map((one) => [toIdentity(one), one])),
    );
    return given?.size === shown?.size && isWithin(sent, came);
  }
  // A key may come back as the thing that it is the key of.
  if (isObject(came) && Object.values(came).includes(sent)) return true;
  if (isObject(sent) && isObject(came))
    return Object.entries(sent).every(([name, value]) => isSameInOtherForm(value, came[name]));
  const written = [sent, came].map(fromText);
  if (written.some((value) => value !== undefined))
    return isDeepStrictEqual(written[0] ?? sent, written[1] ?? came);
  const [one, other] = [toMoment(sent), toMoment(came)];
  if (one !== undefined && other !== undefined) return one === other;
  return toPlain(sent) !== undefined && toPlain(sent) === toPlain(came);
}

/** True if a list of keys lost those that nothing has: a body may have keys that the kit made up. */
export const isPruned = (name: string, sent: unknown, came: unknown): boolean =>
  /(?:Id|_id|ID)s$/.test(name) &&
  Array.isArray(sent) &&
  Array.isArray(came) &&
  came.length < sent.length &&
  isWithin(came, sent);

/** True if each item is among the others, maybe in another form. */
export const isWithin = (items: readonly unknown[], others: readonly unknown[]): boolean =>
  items.every((one) => others.some((other) => isSameInOtherForm(one, other)));

/** Forms contain an object as JSON text. */
function fromText(value: unknown): unknown {
  const json = typeof value === "string" && /^\s*[{[]/.test(value) ? parseJson(value) : undefined;
  return typeof json === "object" ? json : undefined;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (Array.isArray(value) && value.length === 0);

const toMoment = (value: unknown): number | undefined =>
  typeof value === "string" && value.includes("T") ? parseMoment(value)?.ms : undefined;

/** The digits of a phone number, other text in lower case, and the shortest form of a number. */
function toPlain(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") return undefined;
  if (/^[-+.\d]+$/.test(value) && Number.isFinite(Number(value))) return String(Number(value));
  if (/^\+?[\d\s()./-]+$/.test(value)) return value.replaceAll(/\D/g, "");
  return value.normalize("NFC").trim().replaceAll(/\s+/g, " ").toLowerCase();
}

/** True if an object shows other members than were sent: `{ data: [] }` of a relationship comes back as `{ links }`. */
export const isOtherPart = (sent: unknown, shown: unknown): boolean =>
  isObject(sent) &&
  isObject(shown) &&
  Object.keys(sent).length > 0 &&
  Object.keys(sent).every((name) => !Object.hasOwn(shown, name));

/** True if a value is the same, maybe in another form, except for objects that show other members. */
export const isSameButParts = (sent: unknown, shown: unknown): boolean =>
  isOtherPart(sent, shown) ||
  isSameInOtherForm(sent, shown) ||
  (isObject(sent) &&
    isObject(shown) &&
    Object.entries(sent).every(([name, value]) => isSameButParts(value, shown[name])));
