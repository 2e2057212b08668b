// The results of a run: distinct faults, proved clauses with their evidence, and clauses that could not be checked.
import type { FilePlace } from "@call-media/contract-diff/files";
import type { Operation } from "../document/document.ts";
import { toFingerprint, toSentence } from "../fingerprint.ts";
import { toCurl } from "../http/curl.ts";
import type { Secrets } from "../http/secrets.ts";
import type { Judgement } from "../laws/law.ts";
import type { ApiFinding, ApiOptions, Noted, Proved, Unproved } from "../report.ts";
import { kinds, type Rule } from "../relations/kinds.ts";
import type { Relations } from "../relations/relations.ts";
import { catalogue } from "../rules/catalogue.ts";

export interface Collected {
  readonly findings: readonly ApiFinding[];
  readonly kept: readonly Proved[];
  readonly skipped: readonly Unproved[];
  readonly observations: readonly Noted[];
}

interface Clause {
  readonly requirement: string;
  readonly operation: string;
}

export interface Collector {
  readonly judge: (judgement: Judgement, rule?: Rule) => void;
  /** Records why a clause could not be checked at an operation. A clause proved elsewhere stays proved, unless the kit failed. */
  readonly skip: (clause: Clause, why: string, isBroken?: boolean) => void;
  readonly observe: (noted: Noted) => void;
  readonly toCollected: () => Collected;
}

export interface CollectorSetting {
  readonly secrets: Secrets;
  readonly isStrict: boolean;
  readonly placeOf: (operation: Operation) => FilePlace;
  readonly onFinding: ApiOptions["onFinding"];
}

export function createCollector(setting: CollectorSetting): Collector {
  const { secrets, isStrict, placeOf, onFinding } = setting;
  const findings = new Map<string, ApiFinding>();
  const proved = new Map<string, Proved>();
  const skipped = new Map<string, Unproved>();
  const observed = new Map<string, Noted>();
  const failed = new Set<string>();
  const broken = new Set<string>();
  /** Fingerprints of findings that differ only in their operation. */
  const kin = new Map<string, string[]>();

  const add = ({ clause, answer, fault }: Judgement, rule: Rule | undefined): void => {
    const { operation, sent, came } = answer;
    if (fault === undefined) return;
    const requirement = toRequirement(clause, rule);
    const fingerprint = toFingerprint({ requirement, operation: operation.id, fault });
    const known = findings.get(fingerprint);
    failed.add(`${requirement} ${operation.id}`);
    if (known !== undefined)
      return void findings.set(fingerprint, { ...known, times: known.times + 1 });
    const shared = toFingerprint({ requirement, operation: undefined, fault });
    kin.set(shared, [...(kin.get(shared) ?? []), fingerprint]);
    const finding: ApiFinding = {
      requirement,
      fingerprint,
      times: 1,
      operation: operation.id,
      alsoAt: [],
      says: rule?.says ?? saysOf(clause),
      source: sourceOf(clause, rule),
      fault: secrets.hide(toSentence(fault)),
      place: rule?.place ?? placeOf(operation),
      sent,
      came,
      curl: toCurl(sent),
    };
    findings.set(fingerprint, finding);
    onFinding?.(secrets.hideIn(finding));
  };

  const withOthers = (finding: ApiFinding): ApiFinding => {
    const group = [...kin.values()].find((prints) => prints.includes(finding.fingerprint)) ?? [];
    const others = group.flatMap((print) => {
      const other = print === finding.fingerprint ? undefined : findings.get(print);
      return other === undefined ? [] : [{ operation: other.operation, fingerprint: print }];
    });
    return {
      ...finding,
      alsoAt: others.toSorted((one, other) => (one.operation < other.operation ? -1 : 1)),
    };
  };

  return {
    judge: (judgement, rule) => {
      const { clause, answer, fault, witness, level = rule?.level ?? "must" } = judgement;
      const requirement = toRequirement(clause, rule);
      const key = `${requirement} ${answer.operation.id}`;
      const isFinding = level === "must" || (level === "should" && isStrict);
      if (fault !== undefined && isFinding) add(judgement, rule);
      else if (fault !== undefined)
        observed.set(`${key} ${toSentence(fault)}`, {
          requirement,
          operation: answer.operation.id,
          observed: secrets.hide(toSentence(fault)),
        });
      else if (witness !== undefined) {
        if (!proved.has(key))
          proved.set(key, { requirement, operation: answer.operation.id, witness });
      } else if (!skipped.has(key))
        skipped.set(key, {
          requirement,
          operation: answer.operation.id,
          why: whyUnproved(clause, answer.operation),
        });
    },
    skip: ({ requirement, operation }, why, isBroken = false) => {
      const key = `${requirement} ${operation}`;
      if (isBroken) broken.add(key);
      skipped.set(key, { requirement, operation, why: secrets.hide(why) });
    },
    observe: (noted) =>
      void observed.set(`${noted.requirement} ${noted.operation} ${noted.observed}`, {
        ...noted,
        observed: secrets.hide(noted.observed),
      }),
    toCollected: () => ({
      findings: [...findings.values()]
        .map(withOthers)
        .toSorted((one, other) => (toKey(one) < toKey(other) ? -1 : 1)),
      kept: [...proved]
        .filter(([key]) => !failed.has(key) && !broken.has(key))
        .map(([, one]) => one),
      skipped: [...skipped]
        .filter(([key]) => !failed.has(key) && (!proved.has(key) || broken.has(key)))
        .map(([, one]) => one),
      observations: [...observed.values()],
    }),
  };
}

/** `page.size`, or the id that the owner gave it. */
export function toRequirement(clause: string, rule?: Rule): string {
  const [, name = ""] = clause.split(".", 2);
  return rule?.ids?.[name] ?? clause;
}

/** A filter usually lacks distinguishable rows because the list hides some rows by default. */
const whyUnproved = (clause: string, { id }: Operation): string =>
  clause.startsWith("filter.")
    ? `all rows of ${id} have the same value there; if it shows only some unless asked, say how to see all: lists: { ${id}: { open: { state: all } } }`
    : "no value was found that could have refuted it";

/** All possible names of findings: the clauses, and the ids that rules give them. */
export function listClauses({ rules }: Relations): ReadonlySet<string> {
  const related = Object.entries(kinds).flatMap(([kind, { clauses }]) =>
    clauses.map((clause) => `${kind}.${clause}`),
  );
  const given = rules.flatMap(({ ids }) => Object.values(ids ?? {}));
  return new Set([...Object.keys(catalogue), ...related, ...given]);
}

function saysOf(clause: string): string {
  const [kind = ""] = clause.split(".", 1);
  return (
    catalogue[clause]?.says ??
    (Object.hasOwn(kinds, kind) ? Reflect.get(kinds, kind).about : clause)
  );
}

function sourceOf(clause: string, rule: Rule | undefined): string {
  const [, name = ""] = clause.split(".", 2);
  const { source } = rule ?? {};
  const written = typeof source === "string" ? source : source?.[name];
  return (
    written ??
    catalogue[clause]?.source ??
    (rule === undefined ? "the document" : `${rule.place.file}:${rule.place.line}`)
  );
}

const toKey = ({ requirement, operation, fingerprint }: ApiFinding): string =>
  `${requirement} ${operation} ${fingerprint}`;
