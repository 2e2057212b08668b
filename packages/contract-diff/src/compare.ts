// The comparison: two documents taken apart, every part held to its rules, each place told once.
import { below, lookUp, toObject, type JsonObject } from "./json.ts";
import type { Part, Surface } from "./parts.ts";
import { isGreater, type Finding, type Rating } from "./rating.ts";
import { hasNoItems } from "./rules/listed-values.ts";
import { isNever, never } from "./rules/never.ts";
import { rateAdded, rateGone, rateInClosed } from "./rules/presence.ts";
import { rules } from "./rules/rules.ts";
import { applySeverities, type Severities } from "./severity.ts";
import { toSurface } from "./surface.ts";

const REST: Finding = {
  rating: "prose",
  rule: "rest",
  pointer: "#",
  message: "the document is written differently, without a change that concerns a client",
};

export interface CompareOptions {
  /** Severities by rule id; default: each rule as it rates, and the `OPTIONAL_RULES` off. */
  readonly rules?: Severities;
}

/**
 * Compares two OpenAPI 3.0, 3.1 or 3.2 documents, each in one piece: every change that concerns a client, each place once, and
 * `prose` at `#` when there is no other. Nothing where the documents are equal but for `info.version`. What no rule can
 * judge is breaking. Throws an Error that names the place when a document is none, or refers to what is not in it.
 */
export function compareDocuments(
  before: JsonObject,
  after: JsonObject,
  { rules: severities = {} }: CompareOptions = {},
): Finding[] {
  const first = toSurface(before); // two that are equal may be no documents
  if (withoutVersion(before) === withoutVersion(after)) return [];
  const { old, now } = takeApart(before, after, first);
  const found = [
    ...[...old.values()].flatMap((part) => compareOrMiss(part, now)),
    ...[...now.values()].flatMap((part) => findAdded(part, old)),
  ];
  const findings = joinFindings(applySeverities(found, severities));
  return findings.length > 0 ? findings : applySeverities([REST], severities);
}

/** Which schemas stand beside each other is known once a further look at the earlier document shows nothing else. */
function takeApart(before: JsonObject, after: JsonObject, earlier: Surface): Surfaces {
  const old = toSurface(before, { other: toSurface(after, { earlier }) });
  if (!isSameWalk(old, earlier)) return takeApart(before, after, old);
  return { old, now: toSurface(after, { earlier: old }) };
}

const isSameWalk = (one: Surface, other: Surface): boolean =>
  one.size === other.size &&
  [...one.values()].every(({ name, pointer }) => other.get(name)?.pointer === pointer);

interface Surfaces {
  readonly old: Surface;
  readonly now: Surface;
}

function withoutVersion(document: JsonObject): string {
  return JSON.stringify({
    ...document,
    info: { ...toObject(toObject(document)["info"]), version: "" },
  });
}

function compareOrMiss(part: Part, now: Surface): Finding[] {
  const next = now.get(part.name);
  if (next !== undefined) return comparePart(part, next);
  return isMissed(part, now) ? toFinding(part, rateGone(part), "gone") : [];
}

function findAdded(part: Part, old: Surface): Finding[] {
  if (old.has(part.name) || !isMissed(part, old)) return [];
  const owner = old.get(part.owner ?? "");
  return [
    ...toFinding(part, rateAdded(part), "new"),
    ...toFinding(part, rateInClosed(part, owner), "closed-answer"),
  ];
}

/** Of all that comes or goes together, the outermost is told alone; what is in a place that has none is not told. */
function isMissed({ owner, name }: Part, surface: Surface): boolean {
  if (owner === undefined) return true;
  const place = surface.get(owner);
  if (place === undefined || isNever(place.node)) return false;
  if (name === `${owner}.*`) return place.node["additionalProperties"] !== false;
  return name !== `${owner}[]` || !hasNoItems(place.node);
}

function toFinding({ name, usedAt }: Part, rating: Rating, rule: AboutPresence): Finding[] {
  return rating === "none"
    ? []
    : [{ rating, rule, pointer: usedAt, message: `${name.trim()} is ${PRESENCE[rule]}` }];
}

type AboutPresence = keyof typeof PRESENCE;

const PRESENCE = {
  gone: "gone",
  new: "new",
  "closed-answer": "new, where the answer allowed no other field",
} as const;

function comparePart(before: Part, after: Part): Finding[] {
  const isTurned = isNever(before.node) !== isNever(after.node);
  return Object.entries(isTurned ? { never } : rules).flatMap(
    ([rule, { kinds, keys, message, rate }]) => {
      const rating = kinds.includes(before.kind) ? rate(before, after) : "none";
      if (rating === "none") return [];
      const place = { before, after, keys: keys(before, after) };
      const said = typeof message === "string" ? message : message(before, after);
      const text = `${after.name.trim()}: ${said}${toValues(place)}`;
      return [{ rating, rule, pointer: pointerOf(place), message: text }];
    },
  );
}

interface ChangedPlace {
  readonly before: Part;
  readonly after: Part;
  readonly keys: readonly string[];
}

/** A key that is gone has its place in the earlier document. */
function pointerOf({ before, after, keys }: ChangedPlace): string {
  for (const part of [after, before]) {
    const key = keys.find((name) => Object.hasOwn(part.node, name));
    if (key !== undefined) return placeOf(part, key);
  }
  return after.pointer;
}

/** A key may stand beside the reference, and not in what that leads to. */
function placeOf({ document, pointer, usedAt }: Part, key: string): string {
  const [there, beside] = [below(pointer, key), below(usedAt, key)];
  const isBeside = lookUp(document, there) === undefined && lookUp(document, beside) !== undefined;
  return isBeside ? beside : there;
}

// What is longer is looked up at its place.
const SHOWN_CHARACTERS = 60;

function toValues({ before, after, keys }: ChangedPlace): string {
  const [old, now] = [before, after].map(({ node }) => {
    const key = keys.find((name) => Object.hasOwn(node, name));
    return key === undefined ? "nothing" : JSON.stringify(node[key]);
  });
  if (old === undefined || now === undefined || old === now) return "";
  const text = ` (${old} -> ${now})`;
  return text.length <= SHOWN_CHARACTERS ? text : "";
}

/** One finding a place: the first one with the greatest rating. What is gone had its place in the earlier document. */
function joinFindings(findings: readonly Finding[]): Finding[] {
  const byPlace = new Map<string, Finding>();
  for (const finding of findings) {
    const place = finding.rule === "gone" ? `gone ${finding.pointer}` : finding.pointer;
    const known = byPlace.get(place);
    if (known === undefined || isGreater(finding.rating, known.rating)) byPlace.set(place, finding);
  }
  return [...byPlace.values()];
}
