// A valid request succeeds: without a success, nothing is known about the operation.
import { type Answer, SAFE_METHODS } from "../ask.ts";
import type { Operation } from "../document/document.ts";
import { unchecked, type Verdicts } from "../laws/law.ts";
import { NOTHING_OWN } from "../own.ts";
import { isAt, isItemPath, toItems } from "../items.ts";
import type { Run } from "../run.ts";
import { create, findRight } from "../values/requests.ts";
import type { DocumentRule } from "./rule.ts";

export const success: DocumentRule = {
  name: "success",
  clauses: ["answer.success"],
  cost: () => 1,
  // Only `lifecycle` sends requests that delete a thing, for things that the run created.
  applies: (operation, { operations }) =>
    !isFailing(operation) &&
    (operation.method !== "DELETE" || setterOf(operations.values(), operation.path) !== undefined),
  needs: ({ method }) => (SAFE_METHODS.has(method) ? [] : ["write"]),
  isBetween: false,
  judge: async function* judge(operation, run) {
    if (run.succeeded.has(operation.id)) return;
    const clause = "answer.success";
    const isReading =
      SAFE_METHODS.has(operation.method) || run.relations.safe.includes(operation.id);
    const setter = setterOf(run.document.operations.values(), operation.path);
    if (operation.method === "DELETE") {
      yield* judgeSet(run, operation, setter);
      return;
    }
    if (!isReading) {
      const created = await create(run, operation.id);
      if (typeof created === "string") yield unchecked(clause, created);
      else yield { clause, answer: created.answer, witness: "a right request" };
      return;
    }
    let refused: Answer | undefined;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const right = await findRight(run, operation.id, attempt);
      if (typeof right === "string") {
        if (refused === undefined) yield unchecked(clause, right);
        break;
      }
      const answer = await run.ask(right.ask);
      run.noteRight(answer);
      if (answer.isSuccess) {
        yield { clause, answer, witness: "a right request" };
        return;
      }
      if (right.isSure) refused ??= answer;
      else
        yield unchecked(
          clause,
          `answered ${answer.status}, and not every value in the request is known to exist`,
        );
      if (Object.keys(right.ask.path ?? {}).length === 0) break;
    }
    if (refused === undefined) return;
    if (refused.status === 404 && setter !== undefined && run.mayWrite) {
      yield* judgeSet(run, operation, setter);
      return;
    }
    const { status } = refused;
    // A resource below another one may be missing.
    const isExcused = isNotLetIn(refused) || (status === 404 && !operation.path.endsWith("}"));
    if (isExcused) yield unchecked(clause, `every right request is answered ${status}`);
    else
      yield {
        clause,
        answer: refused,
        witness: "a right request",
        fault: `a right request is answered ${status}`,
      };
  },
};

/** True if the document says that an operation only shows how errors look. */
export const isFailing = ({ text }: Operation): boolean =>
  /\balways (?:fails|throws|returns an error)\b/i.test(text);

/** `PUT` or `POST /gists/{id}/star` sets what GET finds and DELETE removes at the same path. */
function setterOf(all: Iterable<Operation>, path: string): Operation | undefined {
  const operations = [...all];
  const isCollection = operations.some((one) =>
    toItems(one.path).some(({ collection }) => isAt(collection, path)),
  );
  return isItemPath(path) || isCollection || toItems(path).length === 0
    ? undefined
    : operations.find((one) => ["PUT", "POST"].includes(one.method) && one.path === path);
}

/** Tests an operation on something that exists only after it was set. */
async function* judgeSet(run: Run, { id }: Operation, setter: Operation | undefined): Verdicts {
  const clause = "answer.success";
  const set = setter === undefined ? NOTHING_OWN : await create(run, setter.id);
  if (typeof set === "string") {
    yield unchecked(clause, set);
    return;
  }
  const { path = {}, body } = set.answer.ask;
  // To leave a relationship names what left it.
  const isNamed = run.operation(id).body?.required === true && body !== undefined;
  const answer = await run.ask({ operation: id, path, ...(isNamed && { body }) });
  run.noteRight(answer);
  const told = `after ${setter?.id} it is answered ${answer.status}`;
  const fault = answer.isSuccess ? undefined : told;
  if (isNotLetIn(answer)) yield unchecked(clause, told);
  else yield { clause, answer, witness: "something set", fault };
}

/** Maximum number of parents to try, since not every one has the resource below it. */
const MAX_ATTEMPTS = 4;

/** A caller without rights cannot send a valid request. */
const isNotLetIn = ({ status }: Answer): boolean => status === 401 || status === 403;
