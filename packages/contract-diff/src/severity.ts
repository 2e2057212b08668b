// Which rules apply, and how severely: the owner of a document may override each of them by its id.
import type { Finding, Rating } from "./rating.ts";
import { rules } from "./rules/rules.ts";
import { schemaKeywords } from "./rules/schema-keywords.ts";

/** `on`: as the rule rates it. `off`: the rule is disabled. A rating: everything that the rule finds gets this rating. */
export const SEVERITIES = ["on", "off", "breaking", "additive", "prose"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The side for which a rule is more or less severe: what the client sends, or what it reads. */
export const SIDES = ["request", "answer"] as const;
export type Side = (typeof SIDES)[number];

/**
 * Severities by rule id. Rules that are not listed are on, except for the optional rules. `request.enum` and `answer.enum` apply to one
 * side and override `enum`.
 */
export type Severities = Readonly<Record<string, Severity>>;

/**
 * Rules that are off by default, because most clients do not depend on them. `field-order`: JSON gives the order of fields no meaning.
 * `closed-answer`: a new field in a response that allowed no others, which most readers ignore. `path-parameter-name`: requests are the
 * same, but generated clients name an argument after it.
 */
export const OPTIONAL_RULES = ["field-order", "closed-answer", "path-parameter-name"] as const;

/** Enables every rule. */
export const ALL_RULES: Severities = Object.fromEntries(OPTIONAL_RULES.map((id) => [id, "on"]));

/** The ids of all rules, in alphabetical order. */
export const RULE_IDS: readonly string[] = [
  ...new Set([...Object.keys(rules), ...OPTIONAL_RULES, "gone", "new", "never", "rest"]),
].toSorted();

/** The ids that severities may have: of a rule, and of a rule on one side. */
export const SEVERITY_IDS: readonly string[] = RULE_IDS.flatMap((id) => [
  id,
  ...SIDES.map((side) => `${side}.${id}`),
]);

type Rated = Pick<Finding, "rating" | "rule">;

/** The finding with the configured rating, if it counts. `side`: undefined for the complete document. */
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
 * `oneOf: additive` means that responses may have more values, not that valid requests may be rejected. For requests, only a rule named
 * with its side lowers that.
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
