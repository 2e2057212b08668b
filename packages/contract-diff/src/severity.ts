// Which rules judge, and how severely: the owner of a document may overrule any of them by its id.
import type { Finding, Rating } from "./rating.ts";
import { rules } from "./rules/rules.ts";

/** `on`: as the rule rates it; `off`: not at all; a rating: everything that the rule finds is rated so. */
export const SEVERITIES = ["on", "off", "breaking", "additive", "prose"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Rule ids with severities. An id that is not listed is on, except for the optional rules. */
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

/** The finding if it counts, with the rating that the severities ask for. */
export function applySeverity<Found extends Finding>(
  finding: Found,
  severities: Severities,
): Found[] {
  const severity = severities[finding.rule] ?? defaultOf(finding.rule);
  if (severity === "off") return [];
  return [severity === "on" ? finding : { ...finding, rating: severity satisfies Rating }];
}

const defaultOf = (rule: string): Severity =>
  OPTIONAL_RULES.some((id) => id === rule) ? "off" : "on";
