// The things that a run created, by address. Nothing else may be changed: the sender asks here before every request.
import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@call-media/contract-diff";
import { type Answer, type Ask, fillPath, SAFE_METHODS } from "./ask.ts";
import { createCreations, type CreationsSetting, type Place } from "./creations.ts";
import type { Operation } from "./document/document.ts";
import { isAt, isKey, isSame, toCollection, toItems, toNamesOf } from "./items.ts";
import { createAbout } from "./own/about.ts";
import { createNaming } from "./own/naming.ts";
import { createOthers } from "./own/others.ts";
import { createTold } from "./own/told.ts";
import type { Sources } from "./relations/sources.ts";
import { toText } from "./values/places.ts";

const UNPROVEN = "its answer may be of something that was there before";
export const NOTHING_OWN = "nothing of our own to try it on";
/** No server knows this method, so it changes nothing. */
export const UNKNOWN_METHOD = "PROBE";

export interface OwnSetting extends CreationsSetting {
  readonly sources: Sources;
  readonly mayWrite: boolean;
  /** The prefix of all names that the run makes up. */
  readonly mark: string;
}

/** The key in the response to a change, without proof that the thing has it now. */
export interface Stray {
  readonly key: unknown;
  /** True if the thing is no longer at its old address. */
  readonly isAway: boolean;
}

export type Own = ReturnType<typeof createOwn>;

export function createOwn({ mayWrite, mark, ...setting }: OwnSetting) {
  const { document, sources } = setting;
  const creations = createCreations(setting);
  const others = createOthers(setting, creations);
  const { addressesOf, isChange, toPath } = createAbout(creations);
  const { isReading, isCreating, itemsOf, listPlaces, targetOf } = creations;
  /** All things that this run created, by address. */
  const places = new Map<string, Place>();
  const isTold = createTold(document);
  const findNamed = createNaming({ creations, others, sources, places });
  /** Addresses of deleted things, and of those used by an action that may forbid another. */
  const [gone, used] = [new Set<string>(), new Set<string>()];
  /** Responses to creations that returned a thing of others. */
  const old = new Set<Answer>();
  /** Responses to creations that created. */
  const kept = new Set<Answer>();
  /** By old address: the proved and the possible new places of things to which a change gave another key. */
  const [moves, strays] = [new Map<string, Place>(), new Map<string, Stray>()];
  /** Keys that this run made up. */
  const chosen = new Set<string>();
  /** For each creation that a GET checked: true if the GET showed what was sent. */
  const shown = new Map<Answer, boolean>();
  /** Addresses with a key of this run where a GET found nothing: a PUT creates a new thing there. */
  const vacant = new Set<string>();
  /** Operations proved to create, and the last response of each one that may be a get-or-create. */
  const [creating, doubtful] = [new Set<Operation>(), new Map<Operation, Answer>()];

  /** Operations whose creations cannot be told from things of others, and why if that is known. */
  const unproven = new Map<Operation, string | undefined>();
  /** Creations that showed a value of something that was there. */
  const foreign = new Map<Answer, string>();

  const keep = (answer: Answer): void => {
    unproven.delete(answer.operation);
    creating.add(answer.operation);
    kept.add(answer);
    for (const place of listPlaces(answer)) {
      places.set(place.address, place);
      gone.delete(place.address);
    }
  };

  function noteCreation(answer: Answer): void {
    const { operation, ask } = answer;
    const [place] = listPlaces(answer);
    if (place === undefined) return;
    // Some services give the key of what was deleted to the next thing.
    const isAgain = gone.has(place.address) && places.has(place.address);
    if (
      !isAgain &&
      (places.has(place.address) || others.wasThere(operation, place.key, answer.json))
    )
      return void old.add(answer);
    // Everything below a thing of the run belongs to the run.
    const isBelow =
      toItems(operation.path).length > 0 &&
      itemsOf(operation).every(({ collection }) => isAt(collection, toCollection(operation.path)));
    // An operation that creates may also return or change the thing that has the number or address of an example.
    const isNew = answer.status === 201 || isMarked(ask.body) || !isTold(operation, ask.body);
    const isCreation = creating.has(operation) && isNew;
    if (isBelow || isCreation || chosen.has(toText(place.key))) return keep(answer);
    // A get-or-create may return the same status for both cases. Two keys for the same body belong to two new things.
    const before = doubtful.get(operation);
    if (before !== undefined && listPlaces(before)[0]?.address === place.address)
      return void old.add(answer);
    doubtful.set(operation, answer);
    if (before === undefined || !isDeepStrictEqual(before.ask.body, ask.body)) return;
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
      // The check may end before the move is proved.
      noteMove(answer);
    } else {
      gone.add(address);
      if (strays.get(address)?.isAway === false) strays.delete(address);
    }
  }

  /**
   * A change may give a thing another key, for example one derived from its title. The key in the response may also be that of another
   * thing.
   */
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

  /** Services derive keys from names in their own ways: in lower case, or with other separators. */
  const isMarked = (value: unknown): boolean => toLetters(toText(value)).includes(toLetters(mark));

  /** True if the key in the response to a change can only be that of the run's thing. */
  const isSure = ({ from, to }: { readonly from: Place; readonly to: Place }): boolean =>
    places.get(to.address)?.answer === from.answer ||
    (typeof to.key === "string" &&
      isMarked(to.key) &&
      !places.has(to.address) &&
      !others.hasAnywhere(to.key));

  /** `before`: the response at the old address. */
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

  /** The request that shows whether a thing is still at its address from before a change. */
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

  /** The thing that a PUT created at a key of this run. */
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

  /** The thing that a request would change, or whose parts it would: they also belong to the run. */
  function findChanged(ask: Ask, method: string): Place | undefined {
    const operation = findWriter(ask, method);
    const [address] = operation === undefined ? [] : addressesOf(operation, ask);
    return address === undefined ? undefined : places.get(address);
  }

  const toUnshown = ({ address, answer }: Place): string =>
    `${NOTHING_OWN}: ${foreign.get(answer) ?? `no GET shows what was sent at ${address}`}`;

  return {
    ...creations,
    /** Why a request must not be sent. Undefined if it only reads, creates, or acts on a thing that this run verifiably created. */
    refuse: (ask: Ask, method: string): string | undefined => {
      const place = findChanged(ask, method);
      const isShown = place === undefined || shown.get(place.answer) === true;
      return findRefusal(ask, method) ?? (isShown ? undefined : toUnshown(place));
    },
    /** True if a request may be sent according to what is known before a GET. */
    mayChange: (ask: Ask, method: string): boolean => {
      const place = findChanged(ask, method);
      return (
        findRefusal(ask, method) === undefined &&
        (place === undefined || shown.get(place.answer) !== false)
      );
    },
    /** The thing that a GET must show before a request may be sent. */
    toShow: (ask: Ask, method: string): Place | undefined => {
      const place = findRefusal(ask, method) === undefined ? findChanged(ask, method) : undefined;
      return place !== undefined && shown.has(place.answer) ? undefined : place;
    },
    noteShown: ({ answer }: Place, isShown: boolean): void => void shown.set(answer, isShown),
    /** Records a value of a thing that proves that it was there before: nothing more is sent to it, and no other one is created. */
    noteForeign: ({ address, answer }: Place, value: string): void => {
      const why = `${address} shows ${value}, which was not sent`;
      foreign.set(answer, why);
      shown.set(answer, false);
      unproven.set(answer.operation, why);
    },
    /** Withdraws `noteForeign`: another creation showed the same. */
    noteOwn: ({ answer }: Place): void => {
      foreign.delete(answer);
      shown.delete(answer);
      unproven.delete(answer.operation);
    },
    /**
     * Other things by the same operation: the one created just before, or else after, and one of the same body. A wrong clock tells nearly
     * the same time for the first. A service that changes what was sent does the same to the second.
     */
    peersOf: ({ address, answer: { operation, ask } }: Place): readonly Place[] => {
      const all = [...places.values()].filter((one) => one.answer.operation === operation);
      const index = all.findIndex((one) => one.address === address);
      const near = all[index - 1] ?? all[index + 1];
      const alike = all.find(
        (one) => one.address !== address && isDeepStrictEqual(one.answer.ask.body, ask.body),
      );
      return [...new Set([near, alike])].filter((one) => one !== undefined);
    },
    /** True if the run made up the key: nothing had it before. */
    isChosen: (key: unknown): boolean => chosen.has(toText(key)),
    /** True if the GET did not show what a creation sent. */
    isUnshown: (answer: Answer): boolean => shown.get(answer) === false,
    /** Records from every response the things of others, and those that this run created, used or deleted. */
    note: (answer: Answer): void => {
      if (answer.status === 404 && answer.method === "GET") noteVacant(answer);
      if (!answer.isSuccess) return;
      if (SAFE_METHODS.has(answer.method) || isReading(answer.operation)) others.noteRead(answer);
      else noteWrite(answer);
    },
    isGone,
    isBelowGone,
    /** True if a value contains the mark of this run. */
    isMarked,
    mark,
    findProof,
    noteMove,
    /** The current place of a thing. */
    placeNow,
    /** The current key of the thing with these path parameters. */
    keyNow: (operation: Operation, path: JsonObject): unknown => {
      const { template = "", name = "" } = targetOf(operation) ?? {};
      const moved = moves.get(fillPath(template, path));
      return moved === undefined ? path[name] : placeNow(moved).key;
    },
    /** The possible new key of a thing, which may also be the key of a thing of others. */
    strayOf: ({ address }: Place): Stray | undefined => strays.get(address),
    /** Records a key that did not exist before this run: a thing with it is new. */
    choose: (key: unknown): void => void chosen.add(toText(key)),
    /** True if a PUT created something at a key of this run. */
    isPut: (answer: Answer): boolean => answer.method === "PUT" && placeOf(answer) !== undefined,
    /** True if a creation returned a thing of others. */
    isOld: (answer: Answer): boolean => old.has(answer),
    /** The things that a response created; undefined if they may belong to others. */
    placesOf: (answer: Answer): readonly Place[] | undefined => {
      const all = listPlaces(answer);
      const put = answer.method === "PUT" ? placeOf(answer) : undefined;
      if (put !== undefined) return [put];
      return all.length > 0 && !kept.has(answer) ? undefined : all;
    },
    /** True if only a second creation can prove that a response created a thing. */
    isDoubtful: (answer: Answer): boolean =>
      doubtful.get(answer.operation) === answer &&
      listPlaces(answer).every(({ address }) => !places.has(address)),
    noteUnproven: (operation: Operation): void => void unproven.set(operation, undefined),
    isUnproven: (operation: Operation): boolean => unproven.has(operation),
    /** Why creations of an operation are not proved. */
    doubtOf: (operation: Operation): string =>
      [UNPROVEN, unproven.get(operation) ?? []].flat().join(": "),
    /** The service refused the second creation as a duplicate, so the first one created the thing. */
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
