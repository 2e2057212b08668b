// The things that a run created, by address. Nothing else may be changed: the gate in the sender asks here about every request.
import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@call-media/contract-diff";
import { type Answer, type Ask, fillPath, SAFE_METHODS } from "./ask.ts";
import { createCreations, type CreationsSetting, type Place } from "./creations.ts";
import type { Operation } from "./document/document.ts";
import { isAt, isKey, isSame, toCollection, toItems, toNamesOf } from "./items.ts";
import { createAbout } from "./own/about.ts";
import { createNaming } from "./own/naming.ts";
import { createOthers } from "./own/others.ts";
import type { Sources } from "./relations/sources.ts";
import { toText } from "./values/places.ts";

export const NOTHING_OWN = "nothing of our own to try it on";
/** No server knows it, so that it changes nothing. */
export const UNKNOWN_METHOD = "PROBE";

export interface OwnSetting extends CreationsSetting {
  readonly sources: Sources;
  readonly mayWrite: boolean;
  /** What all names that the run makes up begin with. */
  readonly mark: string;
}

/** A change answered this key, and nothing proves that its thing has it now. */
export interface Stray {
  readonly key: unknown;
  /** Whether the thing is not at its old address any more. */
  readonly isAway: boolean;
}

export type Own = ReturnType<typeof createOwn>;

export function createOwn({ mayWrite, mark, ...setting }: OwnSetting) {
  const { document, sources } = setting;
  const creations = createCreations(setting);
  const others = createOthers(setting, creations);
  const { addressesOf, isChange, toPath } = createAbout(creations);
  const { isReading, isCreating, itemsOf, lifecycleOf, listPlaces, targetOf } = creations;
  /** All that this run created, by address. */
  const places = new Map<string, Place>();
  const findNamed = createNaming({ creations, others, sources, places });
  /** Addresses of deleted things, and of those used by an action that may forbid another. */
  const [gone, used] = [new Set<string>(), new Set<string>()];
  /** Answers to creations that returned a thing of others. */
  const old = new Set<Answer>();
  /** Where things are to which a change gave another key, and where they may be, by the address of before. */
  const [moves, strays] = [new Map<string, Place>(), new Map<string, Stray>()];
  /** Keys that this run made up. */
  const chosen = new Set<string>();
  /** Whether a GET showed what a creation sent, once one was asked. */
  const shown = new Map<Answer, boolean>();
  /** Addresses with a key of this run, where a GET found nothing: what a PUT makes there is new. */
  const vacant = new Set<string>();
  /** Operations proved to create, and the last answer of each that may be a get-or-create. */
  const [creating, doubtful] = [new Set<Operation>(), new Map<Operation, Answer>()];

  const keep = (answer: Answer): void => {
    creating.add(answer.operation);
    for (const place of listPlaces(answer)) {
      places.set(place.address, place);
      gone.delete(place.address);
    }
  };

  function noteCreation(answer: Answer): void {
    const { operation, status, ask } = answer;
    const [place] = listPlaces(answer);
    if (place === undefined) return;
    if (places.has(place.address) || others.wasThere(operation, place.key))
      return void old.add(answer);
    // Below a thing of the run all is its own.
    const isBelow =
      toItems(operation.path).length > 0 &&
      itemsOf(operation).every(({ collection }) => isAt(collection, toCollection(operation.path)));
    if (isBelow || creating.has(operation) || chosen.has(toText(place.key))) return keep(answer);
    // A get-or-create may answer both cases alike. Two keys for one body belong to two new things.
    const before = doubtful.get(operation);
    if (status === 201 || lifecycleOf(operation) !== undefined) doubtful.set(operation, answer);
    if (before === undefined || listPlaces(before)[0]?.address === place.address) return;
    if (!isDeepStrictEqual(before.ask.body, ask.body)) return;
    keep(before);
    keep(answer);
  }

  function noteVacant({ operation, ask }: Answer): void {
    const item = toItems(operation.path).at(-1);
    if (item === undefined || !isAt(operation.path, item.template)) return;
    if (chosen.has(toText(ask.path?.[item.name]))) vacant.add(fillPath(item.template, ask.path));
  }

  function noteWrite(answer: Answer): void {
    const { operation, method, ask } = answer;
    if (itemsOf(operation).length > 0) return noteCreation(answer);
    const { template } = targetOf(operation) ?? {};
    if (template === undefined) return;
    const path = toPath(operation, ask);
    const address = fillPath(template, path);
    if (method === "PUT" && vacant.delete(address)) {
      places.set(address, { template, path, address, key: Object.values(path).at(-1), answer });
      shown.set(answer, true);
    } else if (!isChange(operation)) used.add(address);
    else if (method !== "DELETE") {
      gone.delete(address);
      // The check may end before it is proved.
      noteMove(answer);
    } else {
      gone.add(address);
      if (strays.get(address)?.isAway === false) strays.delete(address);
    }
  }

  /** A change may give a thing another key: one that follows its title, for one. What it answers may as well be the key of another thing. */
  function findMove(answer: Answer): { readonly from: Place; readonly to: Place } | undefined {
    const { operation, method, ask, isSuccess } = answer;
    const item = targetOf(operation);
    const isOther = !isSuccess || isReading(operation) || method !== operation.method;
    if (item === undefined || isOther || method === "DELETE" || !isChange(operation))
      return undefined;
    const path = toPath(operation, ask);
    const from = places.get(fillPath(item.template, path));
    const key = creations.findKey(answer, item);
    if (from === undefined || !isKey(key) || toText(key) === toText(from.key)) return undefined;
    const [{ template }, now] = [item, { ...path, [item.name]: key }];
    return { from, to: { ...from, template, path: now, key, address: fillPath(template, now) } };
  }

  /** Services write a name in a key in their own way: in lower case, or with other marks between its parts. */
  const isMarked = (value: unknown): boolean => toLetters(toText(value)).includes(toLetters(mark));

  /** Whether the key of a change can only be that of the thing of the run. */
  const isSure = ({ from, to }: { readonly from: Place; readonly to: Place }): boolean =>
    places.get(to.address)?.answer === from.answer ||
    (typeof to.key === "string" &&
      isMarked(to.key) &&
      !places.has(to.address) &&
      !others.hasAnywhere(to.key));

  /** `before`: what is answered at the address of before. */
  function noteMove(answer: Answer, before?: Answer): void {
    const move = findMove(answer);
    if (move === undefined) return;
    const { from, to } = move;
    const isAway = before?.status === 404 || before?.status === 410;
    if (isAway) gone.add(from.address);
    if (!isAway || !isSure(move)) return void strays.set(from.address, { key: to.key, isAway });
    places.set(to.address, to);
    gone.delete(to.address);
    strays.delete(from.address);
    moves.set(from.address, to);
    moves.delete(to.address);
  }

  /** The request that shows whether something is still where it was before a change. */
  function findProof(answer: Answer): Ask | undefined {
    const { operation, ask } = answer;
    const item = targetOf(operation);
    const reader = item && creations.readerAt(item.template);
    if (item === undefined || reader === undefined || findMove(answer) === undefined)
      return undefined;
    const { caller } = ask;
    const path = toNamesOf(reader.path, item.template, toPath(operation, ask));
    return { operation: reader.id, path, ...(caller !== undefined && { caller }) };
  }

  const placeNow = (place: Place): Place => {
    const moved = moves.get(place.address);
    return moved === undefined ? place : placeNow(moved);
  };

  const isBelowGone = (template: string, path: JsonObject | undefined): boolean =>
    toItems(template).some((item) => gone.has(fillPath(item.template, path)));
  const isGone = ({ template, path }: Place): boolean => isBelowGone(template, path);

  /** The thing that a PUT made at a key of this run. */
  const placeOf = (answer: Answer): Place | undefined =>
    [...places.values()].find((one) => one.answer === answer);

  /** The operation of a request that may change something. */
  function findWriter({ operation: id }: Ask, method: string): Operation | undefined {
    const operation = document.operations.get(id);
    const isSafe = SAFE_METHODS.has(method) || method === UNKNOWN_METHOD;
    return isSafe || (operation && isReading(operation) && method === operation.method)
      ? undefined
      : operation;
  }

  function findRefusal(ask: Ask, method: string): string | undefined {
    const operation = findWriter(ask, method);
    if (operation === undefined) return undefined;
    if (!mayWrite) return "needs --write";
    const addresses = addressesOf(operation, ask);
    const isNew = (one: string): boolean =>
      method === "PUT" && isChange(operation) && one === addresses.at(-1) && vacant.has(one);
    const isOwn = addresses.every((one) => places.has(one) || isNew(one));
    if (!isOwn || (addresses.length === 0 && !isCreating(operation))) return NOTHING_OWN;
    const other = findNamed(operation, ask);
    return other && `${NOTHING_OWN}: it names ${other}`;
  }

  /** The thing that a request would change, or below which it would: all below it is the run's, too. */
  function findChanged(ask: Ask, method: string): Place | undefined {
    const operation = findWriter(ask, method);
    const [address] = operation === undefined ? [] : addressesOf(operation, ask);
    return address === undefined ? undefined : places.get(address);
  }

  const toUnshown = ({ address }: Place): string =>
    `${NOTHING_OWN}: no GET shows what was sent at ${address}`;

  return {
    ...creations,
    /** Why a request must not be sent; undefined for what only reads, creates, or is about what this run is seen to have created. */
    refuse: (ask: Ask, method: string): string | undefined => {
      const place = findChanged(ask, method);
      const isShown = place === undefined || shown.get(place.answer) === true;
      return findRefusal(ask, method) ?? (isShown ? undefined : toUnshown(place));
    },
    /** Whether a request may be sent, as far as is known before a GET. */
    mayChange: (ask: Ask, method: string): boolean => {
      const place = findChanged(ask, method);
      return (
        findRefusal(ask, method) === undefined &&
        (place === undefined || shown.get(place.answer) !== false)
      );
    },
    /** What a GET has to show before a request may be sent. */
    toShow: (ask: Ask, method: string): Place | undefined => {
      const place = findRefusal(ask, method) === undefined ? findChanged(ask, method) : undefined;
      return place !== undefined && shown.has(place.answer) ? undefined : place;
    },
    noteShown: ({ answer }: Place, isShown: boolean): void => void shown.set(answer, isShown),
    /** Whether no GET showed what a creation sent. */
    isUnshown: (answer: Answer): boolean => shown.get(answer) === false,
    /** Records from every answer the things of others, and those that this run created, used or deleted. */
    note: (answer: Answer): void => {
      if (answer.status === 404 && answer.method === "GET") noteVacant(answer);
      if (!answer.isSuccess) return;
      if (SAFE_METHODS.has(answer.method) || isReading(answer.operation)) others.noteRead(answer);
      else noteWrite(answer);
    },
    isGone,
    isBelowGone,
    /** Whether a value has in it what only this run writes. */
    isMarked,
    mark,
    findProof,
    noteMove,
    /** Where something is now. */
    placeNow,
    /** The key that the thing of these path parameters has now. */
    keyNow: (operation: Operation, path: JsonObject): unknown => {
      const { template = "", name = "" } = targetOf(operation) ?? {};
      const moved = moves.get(fillPath(template, path));
      return moved === undefined ? path[name] : placeNow(moved).key;
    },
    /** Of something that may have another key now, which may be that of a thing of others. */
    strayOf: ({ address }: Place): Stray | undefined => strays.get(address),
    /** Notes a key that nothing had before this run: what has it is new. */
    choose: (key: unknown): void => void chosen.add(toText(key)),
    /** Whether a PUT made something at a key of this run. */
    isPut: (answer: Answer): boolean => answer.method === "PUT" && placeOf(answer) !== undefined,
    /** Whether a creation returned a thing of others. */
    isOld: (answer: Answer): boolean => old.has(answer),
    /** The things that an answer created; undefined if they may be those of others. */
    placesOf: (answer: Answer): readonly Place[] | undefined => {
      const all = listPlaces(answer);
      const own = all.filter(({ address }) => places.get(address)?.answer === answer);
      const put = answer.method === "PUT" ? placeOf(answer) : undefined;
      if (put !== undefined) return [put];
      return all.length > 0 && own.length === 0 ? undefined : own;
    },
    /** Whether only a second creation can prove that an answer created a thing. */
    isDoubtful: (answer: Answer): boolean =>
      doubtful.get(answer.operation) === answer &&
      listPlaces(answer).every(({ address }) => !places.has(address)),
    /** The second creation was refused as a duplicate: the first one created. */
    confirm: keep,
    /** A thing to try an operation on: it exists, and no action but changes was tried on it (with `isUsed`: one was). */
    find: (operation: Operation, isUsed = false): Place | undefined => {
      const { template } = targetOf(operation) ?? {};
      const place = [...places.values()].findLast(
        (one) =>
          template !== undefined &&
          isSame(one.template, template) &&
          !isGone(one) &&
          used.has(one.address) === isUsed,
      );
      if (place === undefined || template === undefined || place.template === template)
        return place;
      return { ...place, template, path: toNamesOf(template, place.template, place.path) };
    },
  };
}

const toLetters = (text: string): string => text.toLowerCase().replaceAll(/[^a-z\d]/g, "");
