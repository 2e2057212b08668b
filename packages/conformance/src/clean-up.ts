// Deletes what a run created, last first, if the document has a DELETE for it. Names the rest.
import { type Answer, type Ask, fillPath } from "./ask.ts";
import type { Operation } from "./document/document.ts";
import { Ended } from "./http/sender.ts";
import { isAt } from "./items.ts";
import type { Place } from "./creations.ts";
import type { Stray } from "./own.ts";
import { toBroken } from "./perform.ts";
import type { Left } from "./report.ts";
import { type Run, toFields } from "./run.ts";
import { toText } from "./values/places.ts";

/** `send` must be outside the budget of the check, which may be used up by now. */
export async function cleanUp(
  run: Run,
  send: (ask: Ask) => Promise<Answer>,
): Promise<readonly Left[]> {
  const left: { operation: string; what: string; why: string; creation: Answer }[] = [];
  for (const creation of run.created.toReversed()) {
    if (run.own.isOld(creation)) continue;
    const places = run.own.placesOf(creation)?.map(run.own.placeNow);
    const stray = places?.map(run.own.strayOf).find((one) => one !== undefined);
    if (stray?.isAway !== true && places?.some(run.own.isGone)) continue;
    const why =
      places === undefined
        ? `its answer, ${creation.status}, does not say whether it was created`
        : stray?.isAway === true
          ? toAway(stray)
          : await remove(run, { creation, places, stray }, send);
    const what = showMade(creation, places ?? run.own.listPlaces(creation));
    if (why !== undefined) left.push({ operation: creation.operation.id, what, why, creation });
  }
  // A thing that no DELETE of its own can remove was deleted together with its parent.
  const stays = left.filter(
    ({ why, creation }) =>
      (why !== NO_DELETE && run.own.placesOf(creation)?.length !== 0) ||
      !run.own.isBelowGone(creation.operation.path, creation.ask.path),
  );
  const groups = Map.groupBy(stays, ({ operation, why }) => `${operation} ${why}`);
  return [...groups.values()].map((group) => ({
    operation: group[0]?.operation ?? "",
    why: group[0]?.why ?? "",
    what: [...new Set(group.map(({ what }) => what))],
  }));
}

const toAway = ({ key }: Stray): string =>
  `it is not at its address any more: a change answered the key ${toText(key)}, which may be that of something else`;

const NO_DELETE = "the document has no DELETE for it";

interface Made {
  readonly creation: Answer;
  readonly places: readonly Place[];
  readonly stray: Stray | undefined;
}

/** @returns why it still exists. */
async function remove(
  run: Run,
  { creation, places, stray }: Made,
  send: (ask: Ask) => Promise<Answer>,
): Promise<string | undefined> {
  const { operation, ask } = creation;
  // A thing created by PUT is at its own path.
  const paths = places.length > 0 ? places : [{ template: operation.path, path: ask.path ?? {} }];
  const [removal] = paths.flatMap(({ template, path }) => {
    const found = findDelete(run, template);
    return found === undefined ? [] : [{ operation: found.id, path }];
  });
  const isLost = places.length === 0 && run.own.itemsOf(operation).length > 0;
  if (isLost) return "its answer does not say where it is";
  if (removal === undefined) return NO_DELETE;
  let why: string | undefined;
  // The caller who created it may not have the right to delete it, for example with credentials that should have been rejected.
  for (const caller of new Set([ask.caller, undefined])) {
    try {
      const removed = await send({ ...removal, ...(caller !== undefined && { caller }) });
      if (removed.isSuccess) return undefined;
      if (removed.status === 404 || removed.status === 410) return stray && toAway(stray);
      why = `DELETE is answered ${removed.status}`;
    } catch (error) {
      // Continues even if the error ends the check: the rest must still be named.
      why = error instanceof Ended ? error.message : toBroken(error);
    }
  }
  return why;
}

const findDelete = ({ document }: Run, template: string): Operation | undefined =>
  [...document.operations.values()].find(
    ({ method, path }) => method === "DELETE" && isAt(path, template),
  );

/** Its address, or else an identifier from its body, so that a person can find it. */
function showMade({ headers, json, ask, operation }: Answer, [place]: readonly Place[]): string {
  const location = headers.get("Location");
  if (location !== null) return location;
  if (place !== undefined) return place.address;
  const [name, value] =
    Object.entries(toFields(json)).find(
      ([one, inner]) => /id$/i.test(one) && typeof inner !== "object",
    ) ?? [];
  const address = fillPath(operation.path, ask.path);
  return name === undefined ? address : `${address}: ${name} ${String(value)}`;
}
