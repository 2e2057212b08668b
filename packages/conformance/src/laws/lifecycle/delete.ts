// A deleted thing is gone: at its key, in the list, and for changes.
import type { Ask } from "../../ask.ts";
import { type Run, toFields } from "../../run.ts";
import { readBelow } from "../../values/lists.ts";
import { at } from "../../values/places.ts";
import { placesOf } from "../../values/fields.ts";
import type { Verdicts } from "../law.ts";
import {
  askChange,
  askFor,
  CREATED,
  DELETED,
  judged,
  judgeLag,
  type Life,
  nameOf,
} from "./life.ts";
import { judgeListed } from "./read.ts";

/** A deleted thing cannot be changed. A PUT may create it again. */
async function* judgeUpdateOfGone(run: Run, life: Life): Verdicts {
  const { update } = life.rule;
  const body = update === undefined ? undefined : run.found.bodies.get(update);
  if (update === undefined || update === life.operation.id) return;
  if (body === undefined && run.operation(update).method !== "PATCH") return;
  const fields = placesOf(run, run.operation(update), body ?? {});
  const answer = await run.askAgain(
    askChange(run, life, Object.fromEntries(fields.map((place) => [place, at(body, place)]))),
  );
  const told = `a change of what was deleted is answered ${answer.status}`;
  const isChanged = answer.isSuccess && answer.status !== 201;
  const fault = isChanged ? { at: update, fault: told } : undefined;
  yield judged("gone", answer, { witness: DELETED, fault });
}

export async function* judgeDelete(run: Run, life: Life): Verdicts {
  const { rule } = life;
  if (rule.delete === undefined) return;
  const before = rule.list === undefined ? undefined : await readBelow(run, rule.list, life.above);
  const ask = askFor(run, rule.delete, life);
  const deleted = await run.askAgain(ask);
  run.noteRight(deleted);
  const told = `deleting what was created is answered ${deleted.status}`;
  yield judged("delete", deleted, {
    witness: CREATED,
    fault: deleted.isSuccess ? undefined : told,
  });
  if (!deleted.isSuccess) return;
  if (rule.read !== undefined) yield* judgeGone(run, rule, askFor(run, rule.read, life));
  const again = await run.askAgain(ask);
  yield judged("again", again, { witness: DELETED });
  const key = ask.path?.[nameOf(run, rule.delete) ?? ""];
  if (before?.isWhole === true) yield* judgeListed(run, life, { before, key, isThere: false });
  // Must be last: a PUT may create the thing again.
  yield* judgeUpdateOfGone(run, life);
}

async function* judgeGone(run: Run, { gone }: Life["rule"], ask: Ask): Verdicts {
  const read = await run.settle(
    () => run.askAgain(ask),
    ({ isSuccess, json }) => !isSuccess || isMarked(json),
  );
  const { status, json } = read.value;
  const isGone = gone === undefined ? [404, 410].includes(status) : status === gone;
  yield* judgeLag("gone", read.value, read);
  yield judged("gone", read.value, {
    witness: DELETED,
    isObserved: gone === undefined && isMarked(json),
    fault: isGone ? undefined : `what was deleted is answered ${status}`,
  });
}

/** Some services continue to show deleted things and mark them as deleted. */
const isMarked = (json: unknown): boolean =>
  [json, ...Object.values(toFields(json))]
    .map(toFields)
    .some((one) => one["deleted"] === true || one["status"] === "deleted");
