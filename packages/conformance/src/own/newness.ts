// Tells a thing that was there from one that a creation made: a queue, for example, answers its next task. Such a thing shows a value that
// the run did not send, and that no service gives to a new thing by itself.
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { isObject, type JsonObject } from "@call-media/contract-diff";
import { type Answer, parseJson } from "../ask.ts";
import type { Place } from "../creations.ts";
import type { Schemas, View } from "../document/schemas.ts";
import { memberOf } from "../values/fields.ts";
import { parseMoment } from "../values/moments.ts";
import { isSameInOtherForm } from "../values/normal.ts";
import { at, show, toBare, toText } from "../values/places.ts";

interface Leaf {
  readonly place: string;
  readonly value: unknown;
  /** What the document says of the value. */
  readonly views: readonly View[];
}

export interface Newness {
  readonly schemas: Schemas;
  /** What the document says of the thing. */
  readonly views: readonly View[];
  readonly place: Place;
  /** Another thing of the same creation, as different responses showed it. */
  readonly peers: readonly unknown[];
  readonly isMarked: (value: unknown) => boolean;
}

/** The first value of a thing that shows that it was there before: `title "real work 1"`. */
export function findForeign(json: unknown, newness: Newness): string | undefined {
  const { schemas, views: known, place, peers, isMarked } = newness;
  const sent = listSent(place.answer);
  const keys = [place.key, ...Object.values(place.path)].map(toText);
  const isOwn = ({ place: where, value, views }: Leaf): boolean =>
    isPlain(value) ||
    isMarked(value) ||
    views.some((view) => isClosed(view, value)) ||
    isOfKey(value, keys) ||
    sent.some((one) => isSameInOtherForm(one.value, value) || isMeasured(one.value, value)) ||
    isMoment(value, place.answer) ||
    peers.some((peer) => isAlike(value, at(peer, where)));
  const root = { place: "", value: json, views: known };
  const found = listLeaves(schemas, root, sent).find((leaf) => !isOwn(leaf));
  return found && `${found.place || "it"} ${show(found.value)}`;
}

const DIGESTS = ["md5", "sha1", "sha256", "sha512"];

/** The length or the digest of a text that was sent: services show those of a file. */
function isMeasured(sent: unknown, value: unknown): boolean {
  if (typeof sent !== "string" || sent === "") return false;
  if (typeof value === "number") return value === Buffer.byteLength(sent);
  const text = toText(value);
  return (
    text.length > LONG_KEY &&
    DIGESTS.some((name) => {
      const digest = createHash(name).update(sent).digest();
      return [digest.toString("hex"), digest.toString("base64")].some((one) => text.includes(one));
    })
  );
}

type Sent = Pick<Leaf, "place" | "value">;

const listSent = ({ ask }: Answer): readonly Sent[] =>
  [ask.body, ask.path, ask.query, ask.text].flatMap((one) => listInner("", one));

const listInner = (place: string, value: unknown): readonly Sent[] =>
  typeof value === "object" && value !== null
    ? [{ place, value }, ...Object.entries(value).flatMap(([name, one]) => listInner(name, one))]
    : value === undefined
      ? []
      : [{ place, value }, ...listWritten(place, value)];

/** A form has objects as JSON text. */
function listWritten(place: string, value: unknown): readonly Sent[] {
  const json = typeof value === "string" && /^\s*[{[]/.test(value) ? parseJson(value) : undefined;
  return json === undefined ? [] : listInner(place, json);
}

function listLeaves(schemas: Schemas, leaf: Leaf, sent: readonly Sent[]): readonly Leaf[] {
  const { place, value } = leaf;
  if (typeof value !== "object" || value === null) return [leaf];
  if (isReferred(leaf, sent)) return [];
  const views = leaf.views.flatMap((one) => [one, ...one.choices.map(schemas.view)]);
  const isPart = place !== "" && isObject(value) && isSentPart(value, sent);
  return Object.entries(value).flatMap(([name, inner]) => {
    // `lines: [{ title }]` comes back as `lines: [{ id: 7, title }]`.
    if (isPart && /^(?:id|uuid|guid)$/.test(toBare(name))) return [];
    const found = views.flatMap((one) =>
      Array.isArray(value) ? (one.items ?? []) : (memberOf(one, name) ?? []),
    );
    const step = { place: place === "" ? name : `${place}/${name}`, value: inner };
    return listLeaves(schemas, { ...step, views: found.map(schemas.view) }, sent);
  });
}

/** True if an object that was sent shows in this one, with all its values. */
const isSentPart = (part: JsonObject, sent: readonly Sent[]): boolean =>
  sent.some(
    ({ value }) =>
      isObject(value) &&
      Object.keys(value).length > 0 &&
      Object.entries(value).every(([name, one]) => isSameInOtherForm(one, part[name])),
  );

/** True for `customer: { id: 7, name }`, where `customerId: 7` or `customer: 7` was sent. */
function isReferred({ place, value }: Leaf, sent: readonly Sent[]): boolean {
  const name = toBare(place.split("/").at(-1) ?? "");
  const isName = (one: string): boolean => [name, `${name}id`, `${name}key`].includes(toBare(one));
  return (
    name !== "" &&
    isObject(value) &&
    sent.some((one) => isName(one.place) && Object.values(value).includes(one.value))
  );
}

/** Values of any new thing. */
const isPlain = (value: unknown): boolean =>
  value === null || value === "" || value === 0 || typeof value === "boolean";

const isClosed = ({ said }: View, value: unknown): boolean =>
  [said["enum"], said["const"], said["default"]].flat().includes(value);

/** A long key is found in any text, a short one only in a link. */
function isOfKey(value: unknown, keys: readonly string[]): boolean {
  const text = toText(value);
  return keys.some(
    (key) =>
      text === key ||
      (key.length >= LONG_KEY && text.includes(key)) ||
      (/^(?:https?:\/)?\//.test(text) && text.split(/[/?#&=]/).includes(encodeURIComponent(key))),
  );
}

const LONG_KEY = 8;

/** The same for both, or moments of one clock, which may be wrong. */
function isAlike(value: unknown, other: unknown): boolean {
  const [one, two] = [value, other].map((moment) => parseMoment(moment)?.ms ?? toUnixMs(moment));
  return (
    isDeepStrictEqual(value, other) ||
    (one !== undefined && two !== undefined && Math.abs(one - two) < MINUTE_MS)
  );
}

/** Of seconds or milliseconds of this century. */
const toUnixMs = (value: unknown): number | undefined =>
  typeof value !== "number" || value < 1e9 ? undefined : value < 5e9 ? value * 1000 : value;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A text without an offset may be the time of any zone, and a day may begin in any. */
const ANY_ZONE_MS = 26 * HOUR_MS;

/** True for a moment, unless it is before the creation. */
function isMoment(value: unknown, { headers, receivedMs }: Answer): boolean {
  const nowMs = [receivedMs, Date.parse(headers.get("Date") ?? "")].filter(Number.isFinite);
  const isSince = (ms: number, leastMs: number): boolean =>
    nowMs.some((now) => ms >= now - leastMs);
  const unixMs = toUnixMs(value);
  if (unixMs !== undefined) return nowMs.some((now) => Math.abs(unixMs - now) < HOUR_MS);
  const text = toText(value);
  const { ms, hasOffset } = parseMoment(text) ?? {};
  if (ms !== undefined) return isSince(ms, hasOffset === true ? HOUR_MS : ANY_ZONE_MS);
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return isSince(Date.parse(text), 2 * ANY_ZONE_MS);
  // Such as that of HTTP.
  return /\d\d:\d\d/.test(text) && nowMs.some((now) => Math.abs(Date.parse(text) - now) < HOUR_MS);
}
