// Values of a new thing instead of those that only one row has: a service may take such a value for the key of that row, and overwrite it.
import { createHash } from "node:crypto";
import { isObject } from "@call-media/contract-diff";
import type { Schemas, View } from "../document/schemas.ts";
import { memberOf } from "./fields.ts";
import { isFit, rename } from "./make.ts";
import { toIdentity } from "./places.ts";

export interface Fresh {
  readonly schemas: Schemas;
  /** How many rows have a value at a place. */
  readonly countOf: (place: string, value: unknown) => number;
  /** Values at a place that several rows have. */
  readonly sharedAt: (place: string) => readonly unknown[];
  /** True if the field may refer to other things. */
  readonly isReference: (place: string, value: unknown) => boolean;
  readonly nextName: () => string;
}

interface Spot {
  readonly place: string;
  /** Of the value; undefined if the document does not say. */
  readonly schema: string | undefined;
}

/** The value without any that only one row has, as far as the schema does not prescribe it. Undefined if nothing else fits. */
export function withFresh(fresh: Fresh, { place, schema }: Spot, value: unknown): unknown {
  const view = schema === undefined ? undefined : fresh.schemas.view(schema);
  if (Array.isArray(value))
    return value
      .map((one: unknown) => withFresh(fresh, { place: `${place}/*`, schema: view?.items }, one))
      .filter((one) => one !== undefined);
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, inner]) => {
        const spot = {
          place: place === "" ? name : `${place}/${name}`,
          schema: view && memberOf(view, name),
        };
        const made = withFresh(fresh, spot, inner);
        return made === undefined ? [] : [[name, made]];
      }),
    );
  const isFree = fresh.countOf(place, value) !== 1 || isClosed(view, value);
  if (isFree || fresh.isReference(place, value)) return value;
  const shared = fresh.sharedAt(place);
  const made = toOthers(fresh, schema, value);
  // A code such as `EUR` is one of a list that the schema does not state.
  return (isCode(value) ? [...shared, ...made] : [...made, ...shared]).find(
    (one) =>
      fresh.countOf(place, one) !== 1 &&
      toIdentity(one) !== toIdentity(value) &&
      (schema === undefined || isFit(fresh.schemas, schema, one)),
  );
}

const isCode = (value: unknown): boolean => typeof value === "string" && /^[A-Z]{1,4}$/.test(value);

/** All rows of a service may have a truth value or a fraction. */
const isClosed = (view: View | undefined, value: unknown): boolean =>
  view?.said["enum"] !== undefined ||
  view?.said["const"] !== undefined ||
  (typeof value !== "string" && !Number.isInteger(value)) ||
  value === "";

/** Values of the same form, best first. */
function toOthers({ schemas, nextName }: Fresh, schema: string | undefined, value: unknown) {
  const name = nextName();
  const codes = createHash("sha256").update(name).digest();
  const text = String(value);
  if (typeof value === "number") return [Number(withDigits(text, codes))];
  if (UUID.test(text)) return [toUuid(codes.toString("hex"))];
  if (/^\d{4}-\d\d-\d\d(?:[T ]|$)/.test(text)) return [toOtherWeek(text, codes)];
  // Any digit but the last one of a time or an IP address may be out of range.
  if (/^\d\d?:\d\d|^(?:\d+\.){3}\d+$/.test(text))
    return [text.replace(/\d(?=\D*$)/, (last) => withDigits(last, codes))];
  if (/^[\d\W]+$/.test(text)) return [withDigits(text, codes)];
  if (isCode(text)) return [withLetters(text, codes)];
  const named = schema === undefined ? [] : [rename(schemas, schema, { value, name })];
  return [...named, withDigits(text, codes), withLetters(text, codes)];
}

/** Other digits in the same places. The first of several may not be 0, and may say what the number is. */
function withDigits(text: string, codes: Uint8Array): string {
  const first = text.search(/\d.*\d/s);
  return text.replaceAll(/\d/g, (digit, at: number) =>
    at === first ? digit : String((Number(digit) + 1 + ((codes[at % codes.length] ?? 0) % 9)) % 10),
  );
}

const withLetters = (text: string, codes: Uint8Array): string =>
  text.replaceAll(/[A-Z]/g, (_, at: number) =>
    String.fromCodePoint(65 + ((codes[at % codes.length] ?? 0) % 26)),
  );

/** The same day of the week and the same time, on the same side of today. */
function toOtherWeek(text: string, codes: Uint8Array): string {
  const dayMs = Date.parse(text.slice(0, 10));
  if (Number.isNaN(dayMs)) return text;
  const weeks = 1 + ((codes[0] ?? 0) % 50);
  const movedMs = dayMs + (dayMs < Date.now() ? -weeks : weeks) * 7 * 86_400_000;
  return new Date(movedMs).toISOString().slice(0, 10) + text.slice(10);
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The first digits of a digest as a UUID of version 4. */
export const toUuid = (digits: string): string =>
  digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5");
