// Tests whether a GET shows what a creation sent. The response to the creation may describe a job instead, whose number may be the key of a
// thing of others.
import { isDeepStrictEqual } from "node:util";
import { isObject } from "@call-media/contract-diff";
import type { Answer } from "./ask.ts";
import type { Place } from "./creations.ts";
import { toNamesOf } from "./items.ts";
import type { Run } from "./run.ts";
import { listAt } from "./values/bodies.ts";
import { placesOf, toShown } from "./values/fields.ts";
import { readBelow } from "./values/lists.ts";
import { isSameInOtherForm } from "./values/normal.ts";
import { at } from "./values/places.ts";

/** Reads the thing at its key, or in the list if no operation returns single things. Without a reader, the status decides. */
export async function isShown(run: Run, { template, path, key, answer }: Place): Promise<boolean> {
  const reader = run.own.readerAt(template);
  if (reader !== undefined) {
    // The caller who created it may not have the right to read it, for example with credentials that should have been rejected.
    for (const caller of new Set([answer.ask.caller, undefined])) {
      const named = toNamesOf(reader.path, template, path);
      const ask = { operation: reader.id, path: named, ...(caller !== undefined && { caller }) };
      const { value: got } = await run.settle(
        () => run.ask(ask),
        ({ status }) => status !== 404,
      );
      if (got.isSuccess) return isSent(run, answer, got.json);
    }
    return false;
  }
  const { list = listAt(run, answer.operation.path) } = run.own.lifecycleOf(answer.operation) ?? {};
  if (list === undefined) return answer.status === 201;
  const own = JSON.stringify(key);
  const { value: read } = await run.settle(
    () => readBelow(run, list, path),
    (one) => one?.isWhole !== true || one.keys.includes(own),
  );
  const row = read?.rows[read.keys.indexOf(own)];
  return row !== undefined && isSent(run, answer, row);
}

/** A name that the run made up suffices. Any row may have an enum value or a small number: for these, the creation must show them too. */
function isSent(run: Run, { operation, ask, status, json: made }: Answer, json: unknown): boolean {
  if (run.own.isMarked(json)) return true;
  const { body } = ask;
  if (!isObject(body)) return status === 201;
  const toSame = (value: unknown): readonly boolean[] =>
    Object.entries(toShown(placesOf(run, operation, body), value)).map(([place, one]) =>
      isSameInOtherForm(at(body, place), one),
    );
  const [same, told] = [toSame(json), toSame(made)];
  const isTold = made === undefined ? status === 201 : told.includes(true);
  return isTold && same.includes(true) && (!same.includes(false) || isDeepStrictEqual(json, made));
}
