// A created thing can be read, listed, changed and deleted, and nothing else changes with it.
import { isDeepStrictEqual } from "node:util";
import type { Run } from "../run.ts";
import { readBelow } from "../values/lists.ts";
import { at, toObject } from "../values/places.ts";
import { placesOf } from "../values/fields.ts";
import { create, findRight } from "../values/requests.ts";
import { type Law, unchecked, type Verdicts } from "./law.ts";
import { judged, type Life, toAbove } from "./lifecycle/life.ts";
import { judgeRead, judgeSent } from "./lifecycle/read.ts";
import { judgeUpdates } from "./lifecycle/change.ts";
import { judgeDelete } from "./lifecycle/delete.ts";

export const lifecycleLaw: Law<"lifecycle"> = {
  cost: 24,
  needs: () => ["write"],
  judge: async function* judge(rule, operation, run) {
    const right = await findRight(run, operation.id);
    const above = typeof right === "string" ? {} : toAbove(run, operation, right.ask.path);
    const before = rule.list === undefined ? undefined : await readBelow(run, rule.list, above);
    const made = await create(run, operation.id);
    if (typeof made === "string") {
      yield unchecked("lifecycle", made);
      return;
    }
    const { answer, body, key } = made;
    if (key === undefined) {
      yield unchecked("lifecycle", "the answer of the creation has no key");
      return;
    }
    const sent = Object.fromEntries(
      placesOf(run, operation, body).map((place) => [place, at(body, place)]),
    );
    const life = { rule, operation, key, sent, above: toAbove(run, operation, answer.ask.path) };
    yield* judgeSent(run, "create", { answer, sent });
    // If the creation was made below another parent, the earlier list belongs to another collection.
    const isSamePlace = isDeepStrictEqual(above, life.above);
    yield* judgeRead(run, life, isSamePlace ? before : undefined);
    yield* judgeRefusedCreation(run, life);
    yield* judgeUpdates(run, life);
    yield* judgeDelete(run, life);
  },
};

/** After an action on a parent, the service may refuse creations below it. A refused one must not add anything. */
async function* judgeRefusedCreation(run: Run, { rule, operation, sent }: Life): Verdicts {
  const path = run.own.find(operation, true)?.path;
  if (path === undefined || rule.list === undefined) return;
  const before = await readBelow(run, rule.list, path);
  const body = toObject(Object.entries(sent));
  const answer = await run.askAgain({ operation: operation.id, path, body });
  if (answer.isSuccess || before?.isWhole !== true) return;
  run.forget();
  const after = await readBelow(run, rule.list, path);
  const isSame = isDeepStrictEqual(after?.keys, before.keys);
  const fault = { at: "creation", fault: "a refused creation changed the list" };
  const witness = "a refused creation";
  yield judged("refused-unchanged", answer, { witness, fault: isSame ? undefined : fault });
}
