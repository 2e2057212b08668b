// A created thing shows what was sent, and is in the list with all others.
import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@call-media/contract-diff";
import type { Answer } from "../../ask.ts";
import type { Run } from "../../run.ts";
import { isPruned, isSameButParts, isSameInOtherForm } from "../../values/normal.ts";
import { readBelow } from "../../values/lists.ts";
import { totalOf } from "../../values/pages.ts";
import { show } from "../../values/places.ts";
import { toShown } from "../../values/fields.ts";
import type { Judgement, Verdicts } from "../law.ts";
import { isVolatile } from "../same-as.ts";
import { askFor, CREATED, DELETED, judged, judgeLag, type Life } from "./life.ts";

type Listed = NonNullable<Awaited<ReturnType<typeof readBelow>>>;

/** Compares only those sent fields that the response shows. A value in an equivalent form is only observed. */
export function* judgeSent(
  run: Run,
  clause: "create" | "read",
  { answer, sent }: { readonly answer: Answer; readonly sent: JsonObject },
): Generator<Judgement> {
  const shown = toShown(Object.keys(sent), answer.json);
  const isNormal = (name: string): boolean =>
    isSameInOtherForm(sent[name], shown[name]) || isPruned(name, sent[name], shown[name]);
  const others = Object.keys(sent).filter(
    (name) =>
      Object.hasOwn(shown, name) &&
      !isVolatile(run, name) &&
      !isDeepStrictEqual(shown[name], sent[name]) &&
      (isNormal(name) || !isSameButParts(sent[name], shown[name])),
  );
  const toFault = (name: string) => ({
    at: name,
    fault: `${name} is ${show(shown[name])}, and ${show(sent[name])} was sent`,
  });
  const name = others.find((one) => !isNormal(one));
  yield judged(clause, answer, { witness: CREATED, fault: name && toFault(name) });
  for (const one of others.filter(isNormal))
    yield judged("normal", answer, { witness: CREATED, isObserved: true, fault: toFault(one) });
}

/** A field was lost if it was sent and other rows show it, but the created thing does not. */
function* judgeLost(
  run: Run,
  { sent }: Life,
  { answer, rows }: { readonly answer: Answer; readonly rows: readonly unknown[] },
): Generator<Judgement> {
  const names = Object.keys(sent).filter((name) => !isVolatile(run, name) && !isBare(sent[name]));
  const shown = toShown(names, answer.json);
  const others = rows.map((row) => toShown(names, row));
  const name = names.find(
    (one) => !Object.hasOwn(shown, one) && others.some((row) => !isBare(row[one])),
  );
  const fault = name && {
    at: name,
    fault: `${name} was sent, and is not there; other rows have it`,
  };
  yield judged("read", answer, { witness: CREATED, fault });
}

/** Values that some services leave out. */
const isBare = (value: unknown): boolean =>
  !value || (typeof value === "object" && Object.keys(value).length === 0);

export async function* judgeRead(run: Run, life: Life, before: Listed | undefined): Verdicts {
  const { rule, sent } = life;
  if (rule.read !== undefined) {
    const ask = askFor(run, rule.read, life);
    const read = await run.settle(
      () => run.ask(ask),
      ({ status }) => status !== 404,
    );
    const got = read.value;
    run.noteRight(got);
    yield* judgeLag("read", got, read);
    if (got.isSuccess) {
      yield* judgeSent(run, "read", { answer: got, sent });
      const seen = run.found.lists.get(rule.list ?? "")?.rows ?? [];
      yield* judgeLost(run, life, { answer: got, rows: [...seen, ...(before?.rows ?? [])] });
    } else {
      const fault = `what was created is answered ${got.status}`;
      yield judged("read", got, { witness: CREATED, fault });
    }
  }
  if (before === undefined) return;
  const after = yield* judgeListed(run, life, { before, key: life.key, isThere: true });
  if (after !== undefined) yield* judgeTotal(run, after);
}

/** The list before a creation or deletion, and whether the thing must be in it now. */
interface Expected {
  readonly before: Listed;
  readonly key: unknown;
  readonly isThere: boolean;
}

/** A created thing is listed, a deleted one is not, and all others are. @returns the list, if it was read completely. */
export async function* judgeListed(
  run: Run,
  { rule: { list = "" }, above }: Life,
  { before, key, isThere }: Expected,
): AsyncGenerator<Judgement, Listed | undefined> {
  const own = JSON.stringify(key);
  const settled = await run.settle(
    () => readBelow(run, list, above),
    (one) => one?.isWhole !== true || one.keys.includes(own) === isThere,
  );
  const after = settled.value;
  const [answer] = after?.answers ?? [];
  if (answer === undefined || after?.isWhole !== true) return undefined;
  const clause = isThere ? "listed" : "gone";
  yield* judgeLag(clause, answer, settled);
  // The query for all rows may still exclude the created thing, for example by a range of days.
  const told = isThere ? "what was created is not listed" : "what was deleted is still listed";
  const fault = after.keys.includes(own) === isThere ? undefined : told;
  yield judged(clause, answer, { witness: isThere ? CREATED : DELETED, fault });
  const others = before.isWhole ? before.keys.filter((one) => one !== own) : [];
  const lost = others.find((one) => !after.keys.includes(one));
  const cause = isThere ? "the creation" : "what was deleted";
  yield judged("others", answer, {
    witness: before.keys.length > (isThere ? 0 : 1) ? "another row" : undefined,
    fault: lost && `with ${cause} ${lost} is gone`,
  });
  return after;
}

function* judgeTotal(run: Run, { id, answers, rows }: Listed): Generator<Judgement> {
  const { total } = run.ruleOf("page", id) ?? {};
  const [answer] = answers;
  if (total === undefined || answer === undefined) return;
  const counted = totalOf(answer, total);
  // A total that changes while pages are read counts the rows of another moment.
  if (!answers.every((one) => totalOf(one, total) === counted)) return;
  const told = `after the creation ${total} is ${show(counted)}, and there are ${rows.length} rows`;
  const fault = counted === rows.length ? undefined : { at: total, fault: told };
  yield judged("listed", answer, { witness: CREATED, fault });
}
