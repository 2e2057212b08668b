// Tests whether a GET shows what a creation sent. The response to the creation may describe a job instead, whose number may be the key of a
// thing of others.
import { isDeepStrictEqual } from "node:util";
import { isObject } from "@call-media/contract-diff";
import type { Answer } from "./ask.ts";
import type { Place } from "./creations.ts";
import type { Operation } from "./document/document.ts";
import type { View } from "./document/schemas.ts";
import { toNamesOf } from "./items.ts";
import { findForeign } from "./own/newness.ts";
import { rowView, successView } from "./relations/shape.ts";
import type { Run } from "./run.ts";
import { listAt } from "./values/bodies.ts";
import { placesOf, toShown } from "./values/fields.ts";
import { readBelow } from "./values/lists.ts";
import { isOtherPart, isSameButParts } from "./values/normal.ts";
import { at } from "./values/places.ts";

/** Reads the thing at its key, or in the list if no operation returns single things. Without a reader, the status decides. */
export async function isShown(run: Run, place: Place): Promise<boolean> {
  const { answer } = place;
  const reader = run.own.readerAt(place.template);
  if (reader !== undefined) {
    const got = await readAt(run, place, reader);
    // A file comes back as it was sent.
    if (got === undefined || !isSent(run, answer, got.json ?? got.text)) return false;
    const peers = run.own.peersOf(place);
    const others: unknown[] = peers.map(({ answer: { json } }) => json);
    for (const peer of peers)
      if (!run.own.isGone(peer)) others.push((await readAt(run, peer, reader))?.json);
    return !noteForeign(run, place, {
      json: got.json,
      peers: others,
      view: successView(run.document, reader),
    });
  }
  const { list = listAt(run, answer.operation.path) } = run.own.lifecycleOf(answer.operation) ?? {};
  return list === undefined
    ? answer.status === 201 && !isForeign(run, place)
    : await isListed(run, place, list);
}

/** The caller who created it may not have the right to read it, for example with credentials that should have been rejected. */
async function readAt(run: Run, { template, path, answer }: Place, reader: Operation) {
  for (const caller of new Set([answer.ask.caller, undefined])) {
    const named = toNamesOf(reader.path, template, path);
    const ask = { operation: reader.id, path: named, ...(caller !== undefined && { caller }) };
    const { value: got } = await run.settle(
      () => run.ask(ask),
      ({ status }) => status !== 404,
    );
    if (got.isSuccess) return got;
  }
  return undefined;
}

async function isListed(run: Run, place: Place, list: string): Promise<boolean> {
  const own = JSON.stringify(place.key);
  const { value: read } = await run.settle(
    () => readBelow(run, list, place.path),
    (one) => one?.isWhole !== true || one.keys.includes(own),
  );
  const rowOf = (key: string): unknown => read?.rows[read.keys.indexOf(key)];
  const row = rowOf(own);
  if (row === undefined || !isSent(run, place.answer, row)) return false;
  const peers = run.own
    .peersOf(place)
    .flatMap(({ key, answer: { json } }) => [rowOf(JSON.stringify(key)), json]);
  return !noteForeign(run, place, { json: row, peers, view: toRowView(run, list) });
}

function toRowView({ document, operation, listInfo }: Run, list: string): View | undefined {
  const view = successView(document, operation(list));
  return view && rowView(document, view, listInfo(list)?.items ?? "");
}

/** True if the response to a creation shows a value of something that was there. */
export function isForeign(run: Run, place: Place): boolean {
  const { json, operation } = place.answer;
  const peers = run.own.peersOf(place).map(({ answer: { json: made } }) => made);
  return noteForeign(run, place, {
    json,
    peers,
    view: successView(run.document, operation),
  });
}

interface Shown {
  readonly json: unknown;
  /** Another thing of the same creation, as different responses showed it. */
  readonly peers: readonly unknown[];
  readonly view: View | undefined;
}

function noteForeign(run: Run, place: Place, { json, peers, view }: Shown): boolean {
  // Nothing had a key that the run made up.
  if (json === undefined || run.own.isChosen(place.key)) return false;
  const found = findForeign(json, {
    schemas: run.document.schemas,
    views: view === undefined ? [] : [view],
    place,
    peers,
    isMarked: run.own.isMarked,
  });
  if (found !== undefined) run.own.noteForeign(place, found);
  return found !== undefined;
}

/** A name that the run made up suffices. Any row may have an enum value or a small number: for these, the creation must show them too. */
function isSent(run: Run, { operation, ask, status, json: made }: Answer, json: unknown): boolean {
  if (run.own.isMarked(json)) return true;
  const { body } = ask;
  if (!isObject(body)) return status === 201;
  const toSame = (value: unknown): readonly boolean[] =>
    Object.entries(toShown(placesOf(run, operation, body), value))
      .filter(([place, one]) => !isOtherPart(at(body, place), one))
      .map(([place, one]) => isSameButParts(at(body, place), one));
  const [same, told] = [toSame(json), toSame(made)];
  const isTold = made === undefined ? status === 201 : told.includes(true);
  return isTold && same.includes(true) && (!same.includes(false) || isDeepStrictEqual(json, made));
}
