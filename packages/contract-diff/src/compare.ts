// The comparison: splits two documents into parts, applies the rules to each part, and reports each place once.
import { below, lookUp, toObject, type JsonObject, type Place } from "./json.ts";
import { findMeetings } from "./meetings.ts";
import { CHOICES, LISTS_OF_MEMBERS, nameMember, pairMembers } from "./members.ts";
import type { Pair } from "./pairs.ts";
import type { Meeting, Part } from "./parts.ts";
import { list } from "./places.ts";
import { isGreater, type Finding, type Rating } from "./rating.ts";
import { isNever, never } from "./rules/never.ts";
import { rateAdded, rateGone, rateInClosed } from "./rules/presence.ts";
import { rules } from "./rules/rules.ts";
import { followReferences } from "./same.ts";
import { tellLists, tellOthers, tellValues } from "./rules/words.ts";
import { applySeverity, type Severities, type Side } from "./severity.ts";

const REST: Finding = {
  rating: "prose",
  rule: "rest",
  pointer: "#",
  message: "the document is written differently, without a change that concerns a client",
  operations: [],
};

export interface CompareOptions {
  /** Severities by rule id; default: each rule as it rates, and the `OPTIONAL_RULES` off. */
  readonly rules?: Severities;
}

/**
 * Compares two self-contained OpenAPI documents (3.0, 3.1 or 3.2). Returns every change that concerns a client, once per place. If there is
 * none, returns `prose` at `#`; if the documents are equal except for `info.version`, nothing. A change that no rule can judge is breaking.
 * Throws an Error that names the place if a document is not one, or refers to something that it lacks.
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
  const counted = found.flatMap((each) => applySeverity(each, severities, sideOf(each.meeting)));
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

/** A part that only one of the documents has. */
function toLone({ before, after }: Meeting): readonly Part[] {
  if (before === undefined) return after === undefined ? [] : [after];
  return after === undefined ? [before] : [];
}

/** A finding of one part, before all its operations are known. */
type Judged = Omit<Finding, "operations">;

/** A finding with its meeting: another meeting may have the same finding. */
interface Found extends Judged {
  readonly meeting: Meeting;
}

function judge(meeting: Meeting): Found[] {
  return judgeParts(meeting).map((finding) => ({ ...finding, meeting }));
}

const sideOf = ({ before, after }: Meeting): Side =>
  (before ?? after)?.direction === "response" ? "answer" : "request";

function judgeParts(meeting: Meeting): Judged[] {
  const { before, after, owners, isOthers = false } = meeting;
  if (before !== undefined && after !== undefined) return comparePart(before, after);
  if (before !== undefined) return toFinding(before, "gone", [rateGone(before), isOthers]);
  if (after === undefined) return [];
  return [
    ...toFinding(after, "new", [rateAdded(after), isOthers]),
    ...toFinding(after, "closed-answer", [rateInClosed(after, owners[0]?.before), false]),
  ];
}

/** `isOthers`: true if it is still in the schema, as a field that only the other side writes. */
function toFinding(
  { name, usedAt, direction, document, pointer: at }: Part,
  rule: keyof typeof PRESENCE,
  [rating, isOthers]: readonly [Rating, boolean],
): Judged[] {
  if (rating === "none") return [];
  // For a merged schema, nothing may be written at the place of the reference.
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

function comparePart(before: Part, after: Part): Judged[] {
  const isTurned = isNever(before.node) !== isNever(after.node);
  const judged = Object.entries(isTurned ? { never } : rules).flatMap(
    ([rule, { kinds, keys, message, rate }]) => {
      const rating = kinds.includes(before.kind) ? rate(before, after) : "none";
      if (rating === "none") return [];
      const place = { before, after, keys: keys(before, after) };
      const said = typeof message === "string" ? message : message(before, after);
      const { from, to } = valuesAt(place);
      const text = [`${after.name.trim()}: ${said}`, tellChange(place)].join(" ").trim();
      const values = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
      return [{ rating, rule, pointer: pointerOf(place), message: text, ...values }];
    },
  );
  return isChoiceTurned(before, after) ? withoutParts(judged) : judged;
}

/** True if only one of the schemas is a choice, so that its members have the constraints. */
const isChoiceTurned = (before: Part, after: Part): boolean =>
  CHOICES.some((key) => (before.node[key] === undefined) !== (after.node[key] === undefined));

const OF_CHOICE: ReadonlySet<string> = new Set([...CHOICES, "type", "enum"]);

/** Keywords that moved into or out of the members did not change on their own. One finding with the greatest rating represents them all. */
function withoutParts(judged: readonly Judged[]): Judged[] {
  const parts = judged.filter(({ rule }) => OF_CHOICE.has(rule));
  const greatest = parts.length > 0 && findGreatest(parts);
  return judged.filter((each) => !OF_CHOICE.has(each.rule) || each === greatest);
}

interface ChangedPlace {
  readonly before: Part;
  readonly after: Part;
  readonly keys: readonly string[];
}

/** The place of a removed key is in the earlier document. */
function pointerOf({ before, after, keys }: ChangedPlace): string {
  for (const part of [after, before]) {
    const key = keys.find((name) => Object.hasOwn(part.node, name));
    if (key !== undefined) return placeOf(part, key);
  }
  return after.pointer;
}

/** A key may be a sibling of the reference instead of part of its target. */
function placeOf({ document, pointer, usedAt }: Part, key: string): string {
  const [there, beside] = [below(pointer, key), below(usedAt, key)];
  const isBeside = lookUp(document, there) === undefined && lookUp(document, beside) !== undefined;
  return isBeside ? beside : there;
}

function valuesAt({ before, after, keys }: ChangedPlace) {
  const [from, to] = [before, after].map(({ node }) => {
    const key = keys.find((name) => Object.hasOwn(node, name));
    return key === undefined ? undefined : node[key];
  });
  return { from, to };
}

/** Both values, or the members that only one of two lists has. */
function tellChange(place: ChangedPlace): string {
  const { from, to } = valuesAt(place);
  const { before, after, keys } = place;
  const keyword = LISTS_OF_MEMBERS.find((key) => keys.includes(key));
  if (keyword === undefined || from === undefined || to === undefined) return tellValues(from, to);
  const pairs = pairMembers(list(before, keyword), list(after, keyword), (member) => member);
  const isLone = (other: "before" | "after") => (pair: Pair<Place>) => pair[other] === undefined;
  return tellLists({
    gone: pairs.filter(isLone("after")).flatMap(({ before: old }) => (old ? nameMember(old) : [])),
    gained: pairs
      .filter(isLone("before"))
      .flatMap(({ after: now }) => (now ? nameMember(now) : [])),
  });
}

/** One finding per place: the first with the greatest rating. The place of a removed part is in the earlier document. */
function joinFindings(found: readonly Found[]): Finding[] {
  const byPlace = Map.groupBy(found, ({ rule, pointer }) =>
    rule === "gone" ? `gone ${pointer}` : pointer,
  );
  return [...byPlace.values()].map((all) => {
    const { meeting: _, ...finding } = findGreatest(all);
    const same = all.filter(
      ({ rule, rating }) => rule === finding.rule && rating === finding.rating,
    );
    const names = findOperations(same.map(({ meeting }) => meeting));
    // An operation further up may be found before the one that the message names.
    const own = names.find((name) => finding.message.startsWith(`${name} `)) ?? names[0];
    const others = names.filter((name) => name !== own);
    const message = [finding.message, ...tellOthers(others)].join("; also in ");
    return { ...finding, message, operations: [own ?? [], others].flat() };
  });
}

/** The first finding with the greatest rating. */
const findGreatest = <Each extends Judged>(all: readonly Each[]): Each =>
  all.reduce((one, other) => (isGreater(other.rating, one.rating) ? other : one));

/** The names of the operations that contain any of the meetings. */
function findOperations(meetings: readonly Meeting[]): readonly string[] {
  const reached = new Set(meetings);
  // The set grows during the loop.
  for (const { owners } of reached) for (const owner of owners) reached.add(owner);
  const names = [...reached].flatMap(({ before, after }) => {
    const part = before ?? after;
    return part?.kind === "operation" ? [part.name] : [];
  });
  return [...new Set(names)];
}
