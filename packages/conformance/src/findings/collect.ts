// The results of a run: distinct faults, proved clauses with their evidence, and clauses that could not be checked.
import type { FilePlace } from "@call-media/contract-diff/files";
import type { Operation } from "../document/document.ts";
import { toFingerprint, toSentence } from "../fingerprint.ts";
import { toCurl } from "../http/curl.ts";
import type { Secrets } from "../http/secrets.ts";
import type { Instance } from "../instance.ts";
import type { Judgement } from "../laws/law.ts";
import type { ApiCheck } from "../check.ts";
import type { ApiFinding, ApiOptions, Noted, Proved, Unproved } from "../report.ts";
import { kinds, type Rule } from "../relations/kinds.ts";
import { type Requirements, toSourceText } from "../relations/requirements.ts";
import { catalogue } from "../rules/catalogue.ts";

export interface Collected {
  readonly findings: readonly ApiFinding[];
  readonly kept: readonly Proved[];
  readonly skipped: readonly Unproved[];
  readonly observations: readonly Noted[];
}

interface Named {
  readonly requirement: string;
}

interface Clause extends Named {
  readonly operation: string;
}

/** What a finding shows: a request, and its response if a complete one came. */
export type Shown = Pick<Judgement["answer"], "operation" | "sent"> &
  Partial<Pick<Judgement["answer"], "came" | "recorded">>;

export interface Collector {
  readonly judge: (judgement: Judgement, rule?: Rule) => void;
  /** Records why a clause could not be checked at an operation. A clause proved elsewhere stays proved, unless the kit failed. */
  readonly skip: (clause: Clause, why: string, isBroken?: boolean) => void;
  readonly observe: (noted: Noted) => void;
  /** Records a request without a complete response. */
  readonly fail: (clause: string, shown: Shown, fault: string) => void;
  readonly toCollected: () => Collected;
}

export interface CollectorSetting {
  readonly secrets: Pick<Secrets, "hide" | "hideIn">;
  readonly isStrict: boolean;
  readonly placeOf: (operation: Operation) => FilePlace;
  readonly onFinding: ApiOptions["onFinding"];
  readonly instance: Instance | undefined;
  /** What the owner says of requirements, where no instance does. */
  readonly stated: Requirements;
  /** True if an operation is to be reported. */
  readonly isAsked: (operation: string) => boolean;
}

type Level = NonNullable<Judgement["level"]>;

export function createCollector(setting: CollectorSetting): Collector {
  const { secrets, isStrict, placeOf, onFinding, instance, isAsked } = setting;
  const { requirements } = instance ?? {};
  const findings = new Map<string, ApiFinding>();
  const proved = new Map<string, Proved>();
  const skipped = new Map<string, Unproved>();
  const observed = new Map<string, Noted>();
  const failed = new Set<string>();
  const broken = new Set<string>();
  /** Fingerprints of findings that differ only in their operation. */
  const kin = new Map<string, string[]>();

  const nameOf = (judgement: Judgement, rule?: Rule): string =>
    instance?.toRequirement(judgement, rule) ?? toRequirement(judgement.clause, rule);

  /** Undefined: nothing is to be told of the clause. Requirements are kept or broken; only other clauses have levels. */
  const levelOf = (requirement: string, { level }: Judgement, rule?: Rule): Level | undefined => {
    const stated = requirements?.get(requirement);
    if (stated !== undefined) return stated.isDue ? "must" : undefined;
    if (instance === undefined || (rule !== undefined && rule.ids === undefined))
      return level ?? rule?.level ?? "must";
    // A rule with ids stands for requirements alone.
    if (rule !== undefined) return undefined;
    return instance.holdsDocument ? (level ?? "must") : "observe";
  };

  const add = (
    { requirement, clause, fault }: Required<Pick<Judgement, "clause" | "fault">> & Named,
    { operation, sent, came, recorded }: Shown,
    rule?: Rule,
  ): void => {
    if (fault === undefined) return;
    const where = requirements?.get(requirement)?.isOfService === true ? undefined : operation.id;
    const fingerprint = toFingerprint({ requirement, operation: where, fault });
    const known = findings.get(fingerprint);
    failed.add(`${requirement} ${operation.id}`);
    if (known !== undefined)
      return void findings.set(fingerprint, { ...known, times: known.times + 1 });
    const shared = toFingerprint({ requirement, operation: undefined, fault });
    const said = setting.stated.get(requirement);
    kin.set(shared, [...(kin.get(shared) ?? []), fingerprint]);
    const finding: ApiFinding = {
      requirement,
      fingerprint,
      times: 1,
      operation: operation.id,
      alsoAt: [],
      says: requirements?.get(requirement)?.says ?? said?.says ?? rule?.says ?? saysOf(clause),
      source:
        requirements?.get(requirement)?.source ??
        (said === undefined ? sourceOf(clause, rule) : toSourceText(said)),
      fault: secrets.hide(toSentence(fault)),
      ...(requirements?.has(requirement) !== true && {
        place: rule?.place ?? placeOf(operation),
      }),
      sent,
      ...(came && { came }),
      ...(recorded && { recorded }),
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

  /** A requirement is proved at any of its operations. */
  const listUnproved = (all: Instance["requirements"]): Unproved[] => {
    const toName = (key: string) => key.split(" ", 1).join("");
    const shown = new Set([...proved.keys(), ...failed].map(toName));
    const lost = new Set([...broken].map(toName));
    return [...all].flatMap(([requirement, { operations, isDue }]) => {
      const operation = operations.find(isAsked);
      const isKnown = shown.has(requirement) && !lost.has(requirement);
      if (operation === undefined || !isDue || isKnown) return [];
      const told = [...skipped.values()].find((one) => one.requirement === requirement);
      return [told ?? { requirement, operation, why: "nothing was found to check it on" }];
    });
  };

  return {
    judge: (judgement, rule) => {
      const { clause, answer, fault, witness } = judgement;
      const requirement = nameOf(judgement, rule);
      const level = levelOf(requirement, judgement, rule);
      if (level === undefined || !isAsked(answer.operation.id)) return;
      const key = `${requirement} ${answer.operation.id}`;
      const isFinding = level === "must" || (level === "should" && isStrict);
      if (fault !== undefined && isFinding) add({ requirement, clause, fault }, answer, rule);
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
    fail: (clause, shown, fault) => {
      if (isAsked(shown.operation.id)) add({ requirement: clause, clause, fault }, shown);
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
      skipped:
        requirements === undefined
          ? [...skipped]
              .filter(([key]) => !failed.has(key) && (!proved.has(key) || broken.has(key)))
              .map(([, one]) => one)
          : listUnproved(requirements),
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
export function listClauses({ relations: { rules }, open }: ApiCheck): ReadonlySet<string> {
  const related = Object.entries(kinds).flatMap(([kind, { clauses }]) =>
    clauses.map((clause) => `${kind}.${clause}`),
  );
  const given = rules.flatMap(({ ids }) => Object.values(ids ?? {}));
  return new Set([
    ...Object.keys(catalogue),
    ...related,
    ...given,
    ...(open?.().requirements.keys() ?? []),
  ]);
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
