// Judges recorded responses by the relations, as far as one response or two of them show these.
import type { Answer } from "../ask.ts";
import { toRequirement } from "../findings/collect.ts";
import { type Fault, toFingerprint } from "../fingerprint.ts";
import { laws } from "../laws/all.ts";
import { isWanted, type Judgement, type Law, type Two } from "../laws/law.ts";
import type { Opened } from "../open-run.ts";
import { toBroken } from "../perform.ts";
import type { Kind, Rule, RuleOf } from "../relations/kinds.ts";

/** `without`: kinds of relations to leave out. */
export function judgeRules(opened: Opened, answer: Answer, without: readonly string[]): void {
  const { id } = answer.operation;
  for (const rule of opened.run.relations.rules)
    if (rule.of.includes(id) && !without.includes(rule.kind)) judgeRule(opened, answer, rule);
}

function judgeRule<Name extends Kind>(
  opened: Opened,
  answer: Answer,
  rule: Rule & RuleOf<Name>,
): void {
  const law: Law<Name> = laws[rule.kind];
  const judge = () => law.judgeOne?.(rule, answer, opened.run) ?? [];
  collect(opened, { judge, rule, operation: answer.operation.id, clauses: law.ofOne });
}

/** Judges pairs. A fault counts from its second pair on: something that is not recorded may have changed the data once. */
export function createPairJudge(opened: Opened, without: readonly string[]) {
  const once = new Map<string, string>();
  return (both: Two): void => {
    const ids = new Set(both.map(({ operation }) => operation.id));
    for (const rule of opened.run.relations.rules)
      if (!without.includes(rule.kind) && rule.of.some((id) => ids.has(id)))
        judgePair(opened, rule, { both, once });
  };
}

interface Paired {
  readonly both: Two;
  /** By fingerprint: the pair that had the fault first. */
  readonly once: Map<string, string>;
}

function judgePair<Name extends Kind>(
  opened: Opened,
  rule: Rule & RuleOf<Name>,
  { both, once }: Paired,
): void {
  const law: Law<Name> = laws[rule.kind];
  const [, second] = both;
  const place = both.map(toPlace).join(" ");
  const judge = function* judge(): Generator<Judgement> {
    for (const judgement of law.judgeTwo?.(rule, both, opened.run) ?? []) {
      const { clause, answer, fault } = judgement;
      if (fault === undefined) yield judgement;
      else {
        const print = toFingerprint({ requirement: clause, operation: answer.operation.id, fault });
        const first = once.get(print) ?? place;
        once.set(print, first);
        const level = first === place ? { level: "observe" as const } : {};
        yield { ...judgement, ...level, fault: withOther(fault, both, answer) };
      }
    }
  };
  collect(opened, { judge, rule, operation: second.operation.id, clauses: law.ofTwo });
}

const toPlace = ({ recorded }: Answer): string => `${recorded?.file} ${recorded?.entry}`;

/** Names the response that this one was compared with. */
function withOther(fault: Fault, both: Two, answer: Answer): Fault {
  const other = both.find((one) => one !== answer);
  const placed = typeof fault === "string" ? { at: "", fault } : fault;
  const told = `compared with ${other?.recorded?.entry ?? "another one"}`;
  return { ...placed, more: placed.more === undefined ? told : `${placed.more}, ${told}` };
}

interface Collecting {
  readonly judge: () => Iterable<Judgement>;
  readonly rule: Rule;
  readonly operation: string;
  readonly clauses: readonly string[] | undefined;
}

/** A law that throws leaves only its own clauses unjudged. */
function collect(
  { collector }: Opened,
  { judge, rule, operation, clauses = [] }: Collecting,
): void {
  try {
    for (const judgement of judge()) {
      const [, name = ""] = judgement.clause.split(".", 2);
      if (isWanted(rule, name)) collector.judge(judgement, rule);
    }
  } catch (error) {
    const why = toBroken(error);
    for (const clause of clauses)
      collector.skip({ requirement: toRequirement(clause, rule), operation }, why, true);
  }
}
