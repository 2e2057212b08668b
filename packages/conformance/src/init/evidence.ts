// How often a rule held on live responses, and how often a wrong service would have failed: both decide whether it is a rule.
import type { Operation } from "../document/document.ts";
import { toSentence } from "../fingerprint.ts";
import { Ended } from "../http/sender.ts";
import { laws } from "../laws/all.ts";
import { filtersOf } from "../laws/filters.ts";
import type { Law, Verdicts } from "../laws/law.ts";
import { toBroken } from "../perform.ts";
import { type Kind, kinds, type Rule, type RuleOf } from "../relations/kinds.ts";
import type { Run } from "../run.ts";
import { isFit } from "../values/make.ts";
import { findList, keysOf, readAll, valuesOf } from "../values/lists.ts";
import { at, toRowPlace, toText } from "../values/places.ts";

/** An order needs this many pairs of different neighbours to be more than coincidence. */
const LEAST_NEIGHBOURS = 4;
/** A rule needs these clauses. Other clauses that do not hold are left out of it. */
const CORE: Partial<Readonly<Record<Kind, readonly string[]>>> = {
  page: ["distinct", "circle", "whole"],
  filter: ["match", "finds", "pages"],
  range: ["within", "finds"],
  count: ["total"],
  sameAs: ["same"],
  echo: ["echo"],
  lifecycle: ["create", "read"],
  bytes: ["length", "type"],
};
export const coreOf = (kind: Kind): readonly string[] => CORE[kind] ?? kinds[kind].clauses;

export interface Evidence {
  readonly held: number;
  /** The number of these with a value on which a wrong service would have failed. */
  readonly could: number;
  /** The fault of each clause. */
  readonly against: ReadonlyMap<string, string>;
  /** Why no judgement was possible. */
  readonly silent: string | undefined;
}

/** Judges a rule the way a check does. */
export async function judge(run: Run, rule: Rule): Promise<Evidence> {
  const against = new Map<string, string>();
  let [held, could] = [0, 0];
  let silent: string | undefined;
  try {
    for (const id of rule.of)
      for await (const verdict of judgeAt(run, rule, run.operation(id))) {
        if (!("answer" in verdict)) {
          silent ??= verdict.why;
          continue;
        }
        const clause = verdict.clause.split(".")[1] ?? "";
        const { fault, witness, level } = verdict;
        if (level !== undefined && level !== "must") continue;
        if (fault !== undefined && !against.has(clause)) against.set(clause, toSentence(fault));
        if (fault === undefined) {
          held += 1;
          if (witness !== undefined) could += 1;
        }
      }
  } catch (error) {
    if (error instanceof Ended && error.isFinal) throw error;
    for (const clause of coreOf(rule.kind)) against.set(clause, toBroken(error));
  }
  if (rule.kind === "order" && could > 0) could = await countNeighbours(run, rule);
  return { held, could, against, silent };
}

function judgeAt<Name extends Kind>(
  run: Run,
  rule: Rule & RuleOf<Name>,
  operation: Operation,
): Verdicts {
  const law: Law<Name> = laws[rule.kind];
  return law.judge(rule, operation, run);
}

/** Why the evidence does not make a rule. */
export async function findDoubt(
  run: Run,
  rule: Rule,
  { against, could, silent }: Evidence,
): Promise<string | undefined> {
  const wrong = coreOf(rule.kind).find((clause) => against.has(clause));
  if (wrong !== undefined) return against.get(wrong);
  if (could === 0) return silent ?? "it could not have failed on these answers";
  if (rule.kind === "order" && could < LEAST_NEIGHBOURS)
    return `only ${could} neighbours differ in ${rule.by.join()}: that may be chance`;
  if (rule.kind === "filter" && silent?.startsWith("no row has a value") === true) return silent;
  if (rule.kind === "filter") return await findPartFault(run, rule);
  if (rule.kind === "subset") return await findEmptyPart(run, rule);
  const list = rule.kind === "sameAs" ? run.found.lists.get(rule.as) : undefined;
  return list !== undefined && list.rows.length < 2 ? "fewer than two rows were found" : undefined;
}

/** No row says nothing: rows of another kind, such as archived ones, may come tomorrow. */
async function findEmptyPart(run: Run, rule: RuleOf<"subset">): Promise<string | undefined> {
  const [id = ""] = rule.of;
  const list = await findList(run, id);
  const { rows } = await readAll(run, { operation: id, query: { ...list?.query, ...rule.with } });
  return rows.length === 0 ? "no row comes with it, so it tells nothing" : undefined;
}

/** For an order, each pair of different neighbours is a separate case. */
async function countNeighbours(run: Run, rule: RuleOf<"order">): Promise<number> {
  const [id = ""] = rule.of;
  const list = await findList(run, id);
  const { rows } = await readAll(run, {
    operation: id,
    query: { ...list?.query, ...rule.with },
  });
  const place = toRowPlace((rule.by[0] ?? "").replace(/^-/, ""), run.listInfo(id)?.items ?? "");
  return rows.filter(
    (row, index) => index > 0 && toText(at(row, place)) !== toText(at(rows[index - 1], place)),
  ).length;
}

/** A substring that some rows have and others do not: only that distinguishes `contains` from `equals`. */
async function findPartFault(run: Run, rule: RuleOf<"filter">): Promise<string | undefined> {
  const [id = ""] = rule.of;
  const [by = ""] = rule.by;
  const list = await findList(run, id);
  const textsOf = (row: unknown): string[] =>
    valuesOf(row, rule.field)
      .filter((value) => typeof value === "string")
      .map((text) => text.toLowerCase());
  const isPrefix = rule.match === "prefix";
  const has = (row: unknown, part: string): boolean =>
    textsOf(row).some((text) => (isPrefix ? text.startsWith(part) : text.includes(part)));
  if (list !== undefined && (rule.match === undefined || rule.match === "folded"))
    return await findLoose(run, rule, list.rows);
  if (list === undefined || (rule.match !== "contains" && !isPrefix)) return undefined;
  const parts = list.rows
    .flatMap(textsOf)
    .flatMap((text) => (isPrefix ? [text.slice(0, 3)] : [text.slice(1, 4), text.slice(-3)]));
  const part = parts.find(
    (one) =>
      /^[a-z\d]{3}$/.test(one) &&
      list.rows.some((row) => !has(row, one)) &&
      // A complete value does not distinguish the two.
      !list.rows.some((row) => textsOf(row).includes(one)),
  );
  if (part === undefined) return "no part of a value tells its rows from others";
  const { rows, answers } = await readAll(run, {
    operation: id,
    query: { ...list.query, [by]: part },
  });
  const wanted = keysOf(
    run,
    id,
    list.rows.filter((row) => has(row, part)),
  );
  const got = new Set(keysOf(run, id, rows));
  if (answers[0]?.isSuccess !== true) return `${by}=${part} is answered ${answers[0]?.status}`;
  const lost = wanted.find((key) => !got.has(key));
  return lost === undefined && got.size === wanted.length
    ? undefined
    : `with ${by}=${part} come ${got.size} rows, and ${wanted.length} have it`;
}

/** Equality also holds for a filter that finds parts of a value, unless it is asked for a part. */
async function findLoose(
  run: Run,
  rule: RuleOf<"filter">,
  rows: readonly unknown[],
): Promise<string | undefined> {
  const [id = ""] = rule.of;
  const [filter] = filtersOf(run, rule, run.operation(id));
  if (filter === undefined || rule.as !== undefined || rule.when !== undefined) return undefined;
  const { by, schema, fields } = filter;
  const texts = new Set(
    rows.flatMap((row) => valuesOf(row, fields)).filter((one) => typeof one === "string"),
  );
  const folded = new Set([...texts].map((text) => text.toLowerCase()));
  const part = [...texts]
    .filter((text) => /^[a-z\d]{4,}/i.test(text))
    .map((text) => text.slice(0, -1))
    .find(
      (one) =>
        !folded.has(one.toLowerCase()) &&
        (schema === undefined || isFit(run.document.schemas, schema, one)),
    );
  if (part === undefined) return undefined;
  const list = await findList(run, id);
  const found = await readAll(run, { operation: id, query: { ...list?.query, [by]: part } });
  const has = (row: unknown): boolean =>
    valuesOf(row, fields).some((one) => String(one).toLowerCase().includes(part.toLowerCase()));
  return found.rows.some(has) ? `${by}=${part} finds rows, which have it as a part` : undefined;
}
