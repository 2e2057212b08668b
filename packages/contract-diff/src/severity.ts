// Which rules judge, and how severely: the owner of a document may overrule any of them by its id.
import type { Finding, Rating } from "./rating.ts";
import { rules } from "./rules/rules.ts";
import { schemaKeywords } from "./rules/schema-keywords.ts";

/** `on`: as the rule rates it; `off`: not at all; a rating: everything that the rule finds is rated so. */
export const SEVERITIES = ["on", "off", "breaking", "additive", "prose"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Where a rule is to be more or less severe: in what the client sends, or in what it reads. */
export const SIDES = ["request", "answer"] as const;
export type Side = (typeof SIDES)[number];

/**
 * Rule ids with severities. An id that is not listed is on, except for the optional rules. `request.enum` and `answer.enum` are
 * of one side, and overrule `enum`.
 */
export type Severities = Readonly<Record<string, Severity>>;

/**
 * Rules that are off unless asked for, because most clients do not depend on what they hold: `field-order` (JSON gives the
 * order of fields no meaning), `closed-answer` (one more field where an answer allowed no others: most readers ignore it),
 * `path-parameter-name` (requests are the same, but generated clients name an argument by it).
 */
export const OPTIONAL_RULES = ["field-order", "closed-answer", "path-parameter-name"] as const;

/** Every rule on. */
export const ALL_RULES: Severities = Object.fromEntries(OPTIONAL_RULES.map((id) => [id, "on"]));

/** The ids of all rules, in alphabetical order. */
export const RULE_IDS: readonly string[] = [
  ...new Set([...Object.keys(rules), ...OPTIONAL_RULES, "gone", "new", "never", "rest"]),
].toSorted();

/** The ids by which severities are given: of a rule, and of a rule on one side. */
export const SEVERITY_IDS: readonly string[] = RULE_IDS.flatMap((id) => [
  id,
  ...SIDES.map((side) => `${side}.${id}`),
]);

type Rated = Pick<Finding, "rating" | "rule">;

/** The finding if it counts, with the rating that the severities ask for. `side`: undefined for the document as a whole. */
export function applySeverity<Found extends Rated>(
  finding: Found,
  severities: Severities,
  side?: Side,
): Found[] {
  const { rule } = finding;
  const severity = severities[`${side}.${rule}`] ?? findSeverity(finding, severities, side);
  if (severity === "off") return [];
  return [severity === "on" ? finding : { ...finding, rating: severity satisfies Rating }];
}

/**
 * Who lets answers have more values by `oneOf: additive` does not mean to refuse requests that were good: that is lowered for
 * requests by name alone.
 */
function findSeverity(
  { rule, rating }: Rated,
  severities: Severities,
  side: Side | undefined,
): Severity {
  const severity = severities[rule] ?? defaultOf(rule);
  const isLost = side === "request" && rating === "breaking" && Object.hasOwn(schemaKeywords, rule);
  return isLost && severity !== "breaking" ? "on" : severity;
}

const defaultOf = (rule: string): Severity =>
  OPTIONAL_RULES.some((id) => id === rule) ? "off" : "on";
