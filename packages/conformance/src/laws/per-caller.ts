// A caller sees what is theirs and no more: in lists, by key, by HEAD, by validators, and by every operation that takes the key.
import { isDeepStrictEqual } from "node:util";
import type { Answer, Ask, Caller } from "../ask.ts";
import { SAFE_METHODS } from "../ask.ts";
import type { Operation, Parameter } from "../document/document.ts";
import type { RuleOf } from "../relations/kinds.ts";
import type { Run } from "../run.ts";
import { knownValues, unknownOf } from "../values/candidates.ts";
import { findList, hasSize, keyOf, keysOf, readAll, rowsOf } from "../values/lists.ts";
import { at, reach, toRowPlace, toText } from "../values/places.ts";
import { create } from "../values/requests.ts";
import { type Law, unchecked, type Verdicts } from "./law.ts";

interface Shared {
  readonly rule: RuleOf<"perCaller">;
  readonly operation: Operation;
  readonly second: Caller;
}

export const perCallerLaw: Law<"perCaller"> = {
  cost: 8,
  needs: ({ made }) => (made === undefined ? ["second caller"] : ["second caller", "write"]),
  judge: async function* judge(rule, operation, run) {
    const { second } = run.callers;
    if (second === undefined) return;
    const shared = { rule, operation, second };
    const made = rule.made === undefined ? undefined : await create(run, rule.made);
    if (typeof made === "string") {
      yield unchecked("perCaller", made);
      return;
    }
    if (run.listInfo(operation.id) !== undefined) yield* judgeList(run, shared, made?.key);
    const parameter = operation.parameters.findLast((one) => one.in === "path");
    if (parameter === undefined) return;
    const key = made?.key ?? (await findHidden(run, shared, parameter));
    if (key === undefined)
      yield unchecked("perCaller", "nothing was found that the second caller must not see");
    else yield* judgeKey(run, shared, { parameter, key, isMade: made !== undefined });
  },
};

/** A key that the list shows to the first caller and not to the second. */
async function findHidden(run: Run, { second }: Shared, { name }: Parameter): Promise<unknown> {
  const source = run.relations.values[name]?.split("#", 1)[0];
  const list = source === undefined ? undefined : await findList(run, source);
  if (source === undefined || list === undefined) return undefined;
  const theirs = await readAll(run, { operation: source, query: list.query, caller: second });
  const seen = keysOf(run, source, theirs.rows);
  const hidden = list.rows.find((row) => !seen.includes(keyOf(run, source, row)));
  const [key] = run.listInfo(source)?.key ?? [];
  return theirs.isWhole && hidden !== undefined && key !== undefined
    ? at(hidden, key)
    : knownValues(run, name).find(
        (value) => theirs.isWhole && !seen.includes(JSON.stringify(value)),
      );
}

async function* judgeList(run: Run, { rule, operation, second }: Shared, made: unknown): Verdicts {
  const list = await findList(run, operation.id);
  if (list === undefined) return;
  const page = run.ruleOf("page", operation.id);
  const sizes = page !== undefined && hasSize(page) ? [undefined, 2] : [undefined];
  for (const size of sizes) {
    const ask = { operation: operation.id, query: list.query, caller: second };
    const { rows, answers, isWhole } = await readAll(
      run,
      ask,
      size === undefined ? {} : { size, most: 3 },
    );
    const [answer] = answers;
    if (answer?.isSuccess !== true) continue;
    const mine = keysOf(run, operation.id, list.rows);
    const theirs = keysOf(run, operation.id, rows);
    const isCovered =
      rule.between === "covered" ? await findCover(run, { rule, operation, second }) : undefined;
    const hidden = list.rows.filter((row) =>
      isCovered === undefined ? rule.between === "disjoint" : !isCovered(row),
    );
    const leaked =
      hidden.map((row) => keyOf(run, operation.id, row)).find((key) => theirs.includes(key)) ??
      (made === undefined || rule.between !== "disjoint"
        ? undefined
        : theirs.find((key) => key === JSON.stringify(made)));
    const stranger =
      rule.between === "disjoint" || !list.isWhole
        ? undefined
        : theirs.find((key) => !mine.includes(key));
    const fault =
      leaked === undefined
        ? stranger && `${stranger} comes to the second caller, and not to the first`
        : `${leaked} is not the second caller's, and comes to them`;
    const isTold =
      hidden.length > 0 || (rule.between === "subset" && isWhole && theirs.length < mine.length);
    yield {
      clause: "perCaller.hidden",
      answer,
      witness: isTold ? "a row of the first caller alone" : undefined,
      fault,
    };
    const lost =
      isCovered === undefined || !isWhole || !list.isWhole
        ? undefined
        : list.rows
            .filter(isCovered)
            .map((row) => keyOf(run, operation.id, row))
            .find((key) => !theirs.includes(key));
    if (isCovered !== undefined && size === undefined)
      yield {
        clause: "perCaller.seen",
        answer,
        witness: list.rows.some(isCovered) ? "a row of both" : undefined,
        fault: lost && `${lost} is the second caller's, and does not come to them`,
      };
  }
}

/** Whether the rights of the second caller, as the service tells them, cover a row. */
async function findCover(
  run: Run,
  { rule, operation, second }: Shared,
): Promise<((row: unknown) => boolean) | undefined> {
  if (rule.rights === undefined) return undefined;
  const answer = await run.ask({ operation: rule.rights, caller: second });
  const rights = rowsOf(run, answer)[0] ?? answer.json;
  const items = run.listInfo(operation.id)?.items ?? "";
  const covers = Object.entries(rule.cover ?? {}).map(
    ([field, place]) =>
      [toRowPlace(field, items), new Set(reach(rights, `${String(place)}/*`).map(toText))] as const,
  );
  return (row) =>
    covers.every(([field, allowed]) =>
      reach(row, field).every((value) => allowed.has(toText(value))),
    );
}

interface Hidden {
  readonly parameter: Parameter;
  readonly key: unknown;
  readonly isMade: boolean;
}

async function* judgeKey(run: Run, shared: Shared, { parameter, key, isMade }: Hidden): Verdicts {
  const { rule, operation, second } = shared;
  const mine = await run.ask({ operation: operation.id, path: { [parameter.name]: key } });
  const isReading = SAFE_METHODS.has(operation.method);
  // Of what stands below a resource nobody knows whether it is there.
  const isOwn = isReading && operation.path.endsWith("}");
  if (isOwn)
    yield {
      clause: "perCaller.own",
      answer: mine,
      witness: "one's own",
      fault: mine.isSuccess ? undefined : `the first caller's own is answered ${mine.status}`,
    };
  const tag = isReading ? mine.headers.get("ETag") : null;
  const more: Ask[] = [
    ...(isReading ? [{ operation: operation.id, method: "HEAD" }] : []),
    ...(tag === null ? [] : [{ operation: operation.id, headers: { "If-None-Match": tag } }]),
    ...(isReading && mine.size > 1
      ? [{ operation: operation.id, headers: { Range: "bytes=0-0" } }]
      : []),
  ];
  const others = [...run.document.operations.values()].filter(
    (one) => one.id !== operation.id && isComplete(run, one, parameter) && takesKey(one, parameter),
  );
  // What else takes the key is asked for one operation of the rule.
  const isFirst = rule.of.find((id) => takesKey(run.operation(id), parameter)) === operation.id;
  const takers = others.filter(({ method }) => isFirst && (isMade || SAFE_METHODS.has(method)));
  const unknown = unknownOf(run, parameter, key);
  // Deleting last: what is gone cannot be leaked any more.
  const ranked = [operation, ...takers].toSorted(
    (one, other) => Number(one.method === "DELETE") - Number(other.method === "DELETE"),
  );
  for (const asked of [...ranked.map(({ id }): Ask => ({ operation: id })), ...more]) {
    const target = run.operation(asked.operation);
    const body = target.body === undefined ? undefined : (run.found.bodies.get(target.id) ?? {});
    const ask = { ...asked, caller: second, ...(body && { body }) };
    const theirs = await run.askAgain({ ...ask, path: { [parameter.name]: key } });
    const method = asked.method ?? target.method;
    const fault =
      theirs.isSuccess || theirs.status === 304
        ? `the first caller's is answered ${theirs.status} to the second one's ${method}`
        : undefined;
    yield {
      clause: "perCaller.hidden",
      answer: theirs,
      witness: "something of the first caller",
      fault,
    };
    const nothing = await run.ask({ ...ask, path: { [parameter.name]: unknown } });
    const difference = theirs.isSuccess ? undefined : findDifference(theirs, nothing);
    yield {
      clause: "perCaller.as-unknown",
      answer: theirs,
      witness: "something of the first caller",
      fault: difference,
      ...(rule.hidden !== "as-unknown" && { level: "observe" as const }),
    };
  }
  if (!isOwn) return;
  const still = await run.askAgain({ operation: operation.id, path: { [parameter.name]: key } });
  yield {
    clause: "perCaller.own",
    answer: still,
    witness: "one's own",
    fault: still.isSuccess
      ? undefined
      : `after the second caller asked, the first caller's own is answered ${still.status}`,
  };
}

const takesKey = ({ parameters }: Operation, { name }: Parameter): boolean =>
  parameters.some((one) => one.name === name && one.in === "path");

/** Whether all other path parameters have values. */
function isComplete(run: Run, { id, parameters }: Operation, { name }: Parameter): boolean {
  const known = { ...run.found.lists.get(id)?.path, ...run.found.paths.get(id)?.[0] };
  return parameters.every(
    (one) => one.in !== "path" || one.name === name || known[one.name] !== undefined,
  );
}

const CHANGING: ReadonlySet<string> = new Set([
  "date",
  "x-request-id",
  "request-id",
  "content-length",
  "etag",
]);

function findDifference(theirs: Answer, nothing: Answer): string | undefined {
  if (theirs.status !== nothing.status)
    return `what is hidden is answered ${theirs.status}, and what does not exist ${nothing.status}`;
  const shown = ({ headers }: Answer) => [...headers].filter(([name]) => !CHANGING.has(name));
  if (!isDeepStrictEqual(shown(theirs), shown(nothing)))
    return "what is hidden has other headers than what does not exist";
  const blank = ({ text }: Answer) => text.replaceAll(/[\da-f-]{8,}|\d+/gi, "_");
  return blank(theirs) === blank(nothing)
    ? undefined
    : "what is hidden has another body than what does not exist";
}
