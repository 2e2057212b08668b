// The comparison: two documents taken apart, every part held to its rules, each place told once.
import { below, lookUp, toObject, type JsonObject, type Place } from "./json.ts";
import { findMeetings } from "./meetings.ts";
import type { Meeting, Part } from "./parts.ts";
import { isGreater, type Finding, type Rating } from "./rating.ts";
import { isNever, never } from "./rules/never.ts";
import { rateAdded, rateGone, rateInClosed } from "./rules/presence.ts";
import { rules } from "./rules/rules.ts";
import { followReferences } from "./same.ts";
import { tellValues } from "./rules/words.ts";
import { applySeverity, type Severities } from "./severity.ts";

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
  const meetings = [...findMeetings(toRoot(before), toRoot(after))];
  followReferences(meetings.flatMap(toLone));
  const found = meetings.flatMap(judge);
  if (withoutVersion(before) === withoutVersion(after)) return [];
  const counted = found.flatMap((each) => applySeverity(each, severities));
  const findings = joinFindings(counted);
  return findings.length > 0 ? findings : applySeverity(REST, severities);
}

function toRoot(document: JsonObject): Place {
  if (!/^3\.[012]\./.test(String(toObject(document)["openapi"])))
    throw new Error("no OpenAPI document: openapi must be 3.0.x, 3.1.x or 3.2.x");
  return { document, pointer: "#", usedAt: "#", node: document };
}

function withoutVersion(document: JsonObject): string {
  return JSON.stringify({
    ...document,
    info: { ...toObject(toObject(document)["info"]), version: "" },
  });
}

/** What only one of the documents has. */
function toLone({ before, after }: Meeting): readonly Part[] {
  if (before === undefined) return after === undefined ? [] : [after];
  return after === undefined ? [before] : [];
}

/** A finding, and where it was made: elsewhere, the same may be found again. */
interface Found extends Finding {
  readonly meeting: Meeting;
}

function judge(meeting: Meeting): Found[] {
  return judgeParts(meeting).map((finding) => ({ ...finding, meeting }));
}

function judgeParts(meeting: Meeting): Finding[] {
  const { before, after, owners, isOthers = false } = meeting;
  if (before !== undefined && after !== undefined) return comparePart(before, after);
  if (before !== undefined) return toFinding(before, "gone", [rateGone(before), isOthers]);
  if (after === undefined) return [];
  return [
    ...toFinding(after, "new", [rateAdded(after), isOthers]),
    ...toFinding(after, "closed-answer", [rateInClosed(after, owners[0]?.before), false]),
  ];
}

/** `isOthers`: whether it is still in the schema, as a field that only the other side writes. */
function toFinding(
  { name, usedAt, direction, document, pointer: at }: Part,
  rule: keyof typeof PRESENCE,
  [rating, isOthers]: readonly [Rating, boolean],
): Finding[] {
  if (rating === "none") return [];
  // Where two schemas were made one, nothing is written at the reference.
  const pointer = lookUp(document, usedAt) === undefined ? at : usedAt;
  const told = isOthers ? OTHERS[direction][rule] : PRESENCE[rule];
  return [{ rating, rule, pointer, message: `${name.trim()} is ${told}` }];
}

const PRESENCE = {
  gone: "gone",
  new: "new",
  "closed-answer": "new, where the answer allowed no other field",
} as const;

const OTHERS = {
  request: { ...PRESENCE, gone: "only read now, and not sent", new: "sent now, and not only read" },
  response: {
    ...PRESENCE,
    gone: "only sent now, and not read",
    new: "read now, and not only sent",
  },
} as const;

function comparePart(before: Part, after: Part): Finding[] {
  const isTurned = isNever(before.node) !== isNever(after.node);
  return Object.entries(isTurned ? { never } : rules).flatMap(
    ([rule, { kinds, keys, message, rate }]) => {
      const rating = kinds.includes(before.kind) ? rate(before, after) : "none";
      if (rating === "none") return [];
      const place = { before, after, keys: keys(before, after) };
      const said = typeof message === "string" ? message : message(before, after);
      const text = [`${after.name.trim()}: ${said}`, toValues(place)].join(" ").trim();
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

function toValues({ before, after, keys }: ChangedPlace): string {
  const [old, now] = [before, after].map(({ node }) => {
    const key = keys.find((name) => Object.hasOwn(node, name));
    return key === undefined ? undefined : node[key];
  });
  return tellValues(old, now);
}

/** One finding a place: the first one with the greatest rating. What is gone had its place in the earlier document. */
function joinFindings(found: readonly Found[]): Finding[] {
  const byPlace = Map.groupBy(found, ({ rule, pointer }) =>
    rule === "gone" ? `gone ${pointer}` : pointer,
  );
  return [...byPlace.values()].map((all) => {
    const greatest = all.reduce((one, other) =>
      isGreater(other.rating, one.rating) ? other : one,
    );
    const { meeting: _, ...finding } = greatest;
    const same = all.filter(
      ({ rule, rating }) => rule === finding.rule && rating === finding.rating,
    );
    const operations = findOperations(same.map(({ meeting }) => meeting));
    const others = operations.size - 1;
    if (others < 1) return finding;
    return {
      ...finding,
      message: `${finding.message}; also in ${others} other operation${others > 1 ? "s" : ""}`,
    };
  });
}

/** The operations in which any of the meetings is. */
function findOperations(meetings: readonly Meeting[]): ReadonlySet<Meeting> {
  const reached = new Set(meetings);
  // It grows on the way.
  for (const { owners } of reached) for (const owner of owners) reached.add(owner);
  return new Set(
    [...reached].filter(({ before, after }) => (before ?? after)?.kind === "operation"),
  );
}
