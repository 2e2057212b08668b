// One run: sends requests as a caller, stores responses, and knows the lists, keys and values found.
import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { isObject, type JsonObject } from "@call-media/contract-diff";
import { type Answer, type Ask, type Caller, fillPath, SAFE_METHODS, toRawRequest } from "./ask.ts";
import type { ApiDocument, Operation } from "./document/document.ts";
import type { RawRequest } from "./http/transport.ts";
import type { Wire } from "./http/wire.ts";
import type { Kind, RuleOf } from "./relations/kinds.ts";
import type { Place } from "./creations.ts";
import type { Own } from "./own.ts";
import type { ListInfo, Relations } from "./relations/relations.ts";
import { isItemPath } from "./items.ts";
import { confirmList } from "./relations/shape.ts";
import type { Sources } from "./relations/sources.ts";
import { filesOf } from "./values/fields.ts";
import { at, toIdentity } from "./values/places.ts";

export interface Run {
  readonly document: ApiDocument;
  readonly relations: Relations;
  /** Where values of parameters come from. */
  readonly sources: Sources;
  readonly callers: Callers;
  readonly mayWrite: boolean;
  /** True if an operation changes nothing, by its method or by the relations. */
  readonly isRead: (operation: string) => boolean;
  /** Also check recommendations, with additional requests. */
  readonly isStrict: boolean;
  /** The response to this request since the last write, or else a new one. */
  readonly ask: (ask: Ask) => Promise<Answer>;
  /** Always sends the request. */
  readonly askAgain: (ask: Ask) => Promise<Answer>;
  /** Learns from a response which operations return lists, and which of these have rows. */
  readonly learn: (answer: Answer) => void;
  readonly ruleOf: <Name extends Kind>(kind: Name, operation: string) => RuleOf<Name> | undefined;
  readonly operation: (id: string) => Operation;
  /** The known facts of a list; undefined if the operation does not return one. */
  readonly listInfo: (operation: string) => ListInfo | undefined;
  /** Forgets all responses, so that every value is read again. */
  readonly forget: () => void;
  /** The number of writes so far; lists from an earlier epoch are outdated. */
  readonly epoch: () => number;
  /** Values that this run created, by their source. */
  readonly made: Map<string, Made>;
  /** Lists and bodies found so far, recorded by the modules that find them. */
  readonly found: Found;
  /** The things that this run created, and so may change. */
  readonly own: Own;
  /** True if a request may be sent: it only reads, or it acts on a thing of this run. */
  readonly mayAsk: (ask: Ask) => boolean;
  /** Responses to successful creations, in order. */
  readonly created: readonly Answer[];
  /** References from created things to those of others: "createTag has thingId t0". */
  readonly references: Set<string>;
  /** Operations with a successful valid request. */
  readonly succeeded: Set<string>;
  /** Lists that had a row in any response. */
  readonly filled: ReadonlySet<string>;
  /** Counts successes and refusals of valid requests in which every identifier is known. */
  readonly noteRight: (answer: Answer) => void;
  readonly requests: () => number;
  /** A text that occurs nowhere else. */
  readonly nextName: () => string;
  /** Reads until a write is visible, for as long as the service may lag. Also returns the time that took. */
  readonly settle: <Value>(
    read: () => Promise<Value>,
    isSettled: (value: Value) => boolean,
  ) => Promise<Settled<Value>>;
}

export interface Callers {
  /** Replaced when the caller has signed in. */
  first: Caller;
  second?: Caller;
  /** The first caller with credentials that have expired. */
  readonly expired?: Caller;
  /** By the name of a security scheme of the document. */
  readonly schemes: ReadonlyMap<string, Caller>;
}

export interface Settled<Value> {
  readonly value: Value;
  /** 0 if it was visible immediately. */
  readonly afterMs: number;
}

export interface Made {
  readonly value: unknown;
  /** Path parameters of its creation. */
  readonly above: JsonObject;
}

interface Found {
  readonly lists: Map<string, FoundList>;
  /** A body of each operation that was successful with it. */
  readonly bodies: Map<string, JsonObject>;
  /** The response to that body. */
  readonly successes: Map<string, Answer>;
  /** Values of path parameters with which an operation succeeded. */
  readonly paths: Map<string, readonly JsonObject[]>;
  /** By parameter: a value that no thing has, if one is known. */
  readonly unknown: Map<string, unknown>;
  /** By address: the ETag of its last response. */
  readonly tags: Map<string, string>;
}

export interface FoundList {
  readonly path: JsonObject;
  readonly query: JsonObject;
  readonly rows: readonly unknown[];
  /** True if `rows` is the complete list. */
  readonly isWhole: boolean;
  readonly epoch: number;
  /** Provided by a caller who read it in their own way. It is never read again. */
  readonly isGiven?: true;
}

export interface RunSetting {
  readonly document: ApiDocument;
  readonly relations: Relations;
  readonly sources: Sources;
  /** The first plain response of each list corrects it. */
  readonly lists: Map<string, ListInfo>;
  readonly callers: Run["callers"];
  readonly mayWrite: boolean;
  readonly isStrict: boolean;
  readonly own: Own;
  /** How long a service may show old data after a write. */
  readonly consistencyMs: number;
  readonly wire: Wire<Ask, Answer>;
  /** Adds what the operation requires. */
  readonly complete: (run: Run, ask: Ask) => Ask;
  /** True if a GET shows what was created. */
  readonly isShown: (run: Run, place: Place) => Promise<boolean>;
  /** Judges each new response. */
  readonly onAnswer: (answer: Answer) => void;
}

const FIRST_WAIT_MS = 150;

export function createRun({
  document,
  relations,
  sources,
  lists,
  callers,
  mayWrite,
  isStrict,
  own,
  consistencyMs,
  wire,
  complete,
  isShown,
  onAnswer,
}: RunSetting): Run {
  const remembered = new Map<string, Answer>();
  const succeeded = new Set<string>();
  const found: Found = {
    lists: new Map(),
    bodies: new Map(),
    successes: new Map(),
    paths: new Map(),
    unknown: new Map(),
    tags: new Map(),
  };
  let epoch = 0;
  const created: Answer[] = [];
  const filled = new Set<string>();

  /** Completes a request with the path parameters of the last success of its operation. */
  const fill = (ask: Ask): Ask => {
    const path = {
      ...found.paths.get(ask.operation)?.[0],
      ...found.lists.get(ask.operation)?.path,
      ...ask.path,
    };
    const isSearch = lists.has(ask.operation) && operation(ask.operation).body !== undefined;
    return complete(run, {
      ...ask,
      ...(Object.keys(path).length > 0 && { path }),
      // A search without conditions finds everything.
      ...(isSearch && ask.body === undefined && ask.text === undefined && { body: {} }),
    });
  };

  const operation = (id: string): Operation => {
    const known = document.operations.get(id);
    if (known === undefined) throw new Error(`no operation ${id}`);
    return known;
  };

  // The type of the rule found follows from its kind.
  const ruleOf = <Name extends Kind>(kind: Name, id: string) =>
    relations.rules.find((rule) => rule.kind === kind && rule.of.includes(id)) as
      | RuleOf<Name>
      | undefined;

  const isRead = (id: string): boolean =>
    SAFE_METHODS.has(operation(id).method) || relations.safe.includes(id);

  const toRaw = (ask: Ask): RawRequest => {
    const asked = operation(ask.operation);
    const caller = ask.caller === undefined ? callers.first : ask.caller;
    const sender = asked.takesCredentials ? caller : null;
    const address = { baseUrl: wire.baseUrl, operation: asked, caller: sender };
    return toRawRequest(ask, { ...address, files: filesOf(document, asked) });
  };

  const askAgain: Run["askAgain"] = async (given) => {
    const ask = fill(given);
    const asked = operation(ask.operation);
    const changed = own.toShow(ask, ask.method ?? asked.method);
    if (changed !== undefined) own.noteShown(changed, await isShown(run, changed));
    const raw = toRaw(ask);
    const answer = await wire.send(ask, raw);
    const isSafe = SAFE_METHODS.has(answer.method) || own.isReading(asked);
    learn(answer);
    own.note(answer);
    noteTag(answer);
    if (answer.isSuccess && !isSafe) {
      if (answer.method === "DELETE") forgetDeleted(ask.path ?? {});
      else if (answer.status === 201 || own.isCreating(asked) || own.isPut(answer))
        created.push(answer);
      epoch += 1;
      remembered.clear();
    } else if (isSafe) remembered.set(toIdentity(raw), answer);
    onAnswer(answer);
    const proof = own.findProof(answer);
    if (proof !== undefined) own.noteMove(answer, await askAgain(proof));
    return answer;
  };

  const learn: Run["learn"] = (answer) => {
    const {
      ask,
      operation: { id },
      isSuccess,
      json,
    } = answer;
    if (!isSuccess) return;
    if (isPlain(ask)) confirm(answer);
    const { items } = lists.get(id) ?? {};
    if (items !== undefined && [at(json, items)].flat()[0] !== undefined) filled.add(id);
  };

  /** Records the ETag for conditional changes. A write without a new ETag invalidates the old one. */
  const noteTag = ({ operation: { path }, ask, headers, isSuccess, method }: Answer): void => {
    const address = fillPath(path, ask.path);
    const tag = headers.get("ETag");
    if (isSuccess && tag !== null) found.tags.set(address, tag);
    else if (isSuccess && !SAFE_METHODS.has(method)) found.tags.delete(address);
  };

  let names = 0;
  /** A service that did not show one write will not show others: `settle` then no longer waits for it. */
  let hasMissed = false;
  const settle: Run["settle"] = async (read, isSettled) => {
    const startedMs = performance.now();
    let value = await read();
    for (let afterMs = 0; ;) {
      if (isSettled(value)) return { value, afterMs };
      if (hasMissed || afterMs >= consistencyMs) break;
      // Each attempt may cost many pages.
      await wait(Math.min(Math.max(afterMs * 3, FIRST_WAIT_MS), consistencyMs - afterMs));
      afterMs = performance.now() - startedMs;
      forget();
      value = await read();
    }
    hasMissed = true;
    return { value, afterMs: 0 };
  };

  const forget = (): void => {
    epoch += 1;
    remembered.clear();
  };

  const confirmed = new Set<string>();
  /** True for a request without a filter or projection, whose rows may be incomplete. */
  const isPlain = ({ operation: id, query = {} }: Ask): boolean => {
    const { index, size } = ruleOf("page", id) ?? {};
    const usual = new Set([index, size, ...Object.keys(lists.get(id)?.open ?? {})]);
    return Object.keys(query).every((name) => usual.has(name));
  };
  const confirm = ({ operation: { id, method, path }, json }: Answer): void => {
    if (confirmed.has(id) || method !== "GET" || json === undefined) return;
    confirmed.add(id);
    const told = relations.lists[id];
    if (lists.get(id) === undefined && isItemPath(path)) return;
    const info = confirmList(json, lists.get(id), told);
    if (info === undefined) lists.delete(id);
    else lists.set(id, info);
  };

  const made = new Map<string, Made>();
  const forgetDeleted = (path: JsonObject): void => {
    const gone = Object.values(path).at(-1);
    for (const [name, { value }] of made) if (value === gone) made.delete(name);
    for (const [id, known] of found.paths)
      found.paths.set(
        id,
        known.filter((one) => !Object.values(one).includes(gone)),
      );
  };

  const run: Run = {
    document,
    relations,
    sources,
    callers,
    mayWrite,
    isRead,
    isStrict,
    own,
    mayAsk: (ask) => own.mayChange(fill(ask), ask.method ?? operation(ask.operation).method),
    ask: async (given) => {
      const ask = fill(given);
      const known = remembered.get(toIdentity(toRaw(ask)));
      if (known === undefined) return askAgain(given);
      // Another law may have written the same request otherwise.
      return isDeepStrictEqual(known.ask, ask) ? known : { ...known, ask };
    },
    askAgain,
    learn,
    ruleOf,
    operation,
    listInfo: (id) => lists.get(id),
    forget,
    epoch: () => epoch,
    made,
    found,
    created,
    filled,
    references: new Set(),
    succeeded,
    noteRight: ({ isSuccess, ask, operation: { id } }) => {
      if (!isSuccess) return;
      succeeded.add(id);
      const known = found.paths.get(id) ?? [];
      const isNew = !known.some((one) => isDeepStrictEqual(one, ask.path));
      if (ask.path !== undefined && isNew) found.paths.set(id, [...known, ask.path]);
    },
    requests: wire.requests,
    nextName: () => `${own.mark}-${(names += 1)}`,
    settle,
  };
  return run;
}

/** The fields of an object; empty for any other value. */
export const toFields = (value: unknown): JsonObject => (isObject(value) ? value : {});
