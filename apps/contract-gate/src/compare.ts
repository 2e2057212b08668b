// Both engines together: every change between two documents, each place once, with the rating that holds.
import { toObject, type JsonObject } from "./json.ts";
import { isGreater, type Finding } from "./rating.ts";
import { compareByOwnRules } from "./own-engine.ts";
import { compareByRedocly } from "./redocly.ts";

/** What redocly rates too high, and why that is no more than prose. */
const overrated: readonly {
  readonly because: string;
  readonly is: (finding: Finding) => boolean;
}[] = [
  {
    because:
      "an operation's own list counts as new even where it says what the document says; our rule compares what is in force",
    is: ({ rule }) => rule === "redocly:security-requirement-changed",
  },
  {
    because: "what is added for readers alone is rated as if a client could use it",
    is: ({ rule }) =>
      /^redocly:(?:added|removed) (?:Contact|Example|ExternalDocs|License|Tag)$/.test(rule),
  },
];

/** What was found between two documents: by each engine alone, and what holds. */
export interface Comparison {
  readonly byRedocly: readonly Finding[];
  readonly byOwnRules: readonly Finding[];
  /** Every change once, with the rating that holds; none when the documents are equal but for `info.version`. */
  readonly findings: readonly Finding[];
}

/**
 * Compares two bundled documents. A change that neither engine sees, such as the order of parameters, is prose at `#`.
 * Throws an Error when redocly fails.
 */
export async function compareDocuments(before: JsonObject, after: JsonObject): Promise<Comparison> {
  const working = { ...after, info: { ...toObject(after["info"]), version: versionOf(before) } };
  if (JSON.stringify(before) === JSON.stringify(working)) {
    return { byRedocly: [], byOwnRules: [], findings: [] };
  }
  // Ours first: it says in a line where a reference leads nowhere.
  const byOwnRules = compareByOwnRules(before, working);
  const byRedocly = await compareByRedocly(before, working);
  const found = joinFindings([...byRedocly.map(toFairRating), ...byOwnRules]);
  return { byRedocly, byOwnRules, findings: found.length > 0 ? found : [REST] };
}

const REST: Finding = {
  rating: "prose",
  rule: "rest",
  pointer: "#",
  message: "the document is written differently, without a change that a rule knows",
};

function versionOf(document: JsonObject): unknown {
  return toObject(document["info"])["version"];
}

function toFairRating(finding: Finding): Finding {
  return overrated.some(({ is }) => is(finding)) ? { ...finding, rating: "prose" } : finding;
}

/** One finding a place: the one with the greatest rating. */
function joinFindings(findings: readonly Finding[]): Finding[] {
  const byPlace = new Map<string, Finding>();
  for (const finding of findings) {
    const known = byPlace.get(finding.pointer);
    if (known === undefined || isGreater(finding.rating, known.rating))
      byPlace.set(finding.pointer, finding);
  }
  return [...byPlace.values()];
}
