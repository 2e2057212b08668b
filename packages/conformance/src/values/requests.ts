// Valid requests: every required parameter has a value known to be valid, and every body fits its schema.
import { isDeepStrictEqual } from "node:util";
import { isObject, type JsonObject } from "@call-media/contract-diff";
import type { Answer, Ask } from "../ask.ts";
import type { Operation } from "../document/document.ts";
import { toItems } from "../items.ts";
import type { Place } from "../creations.ts";
import { NOTHING_OWN } from "../own.ts";
import { successView } from "../relations/shape.ts";
import { toWritten } from "../relations/sources.ts";
import { type Run, toFields } from "../run.ts";
import { candidatesOf, keyValue, sourceOf } from "./candidates.ts";
import { bodiesOf, listAt, makeKey, toFreshKey } from "./bodies.ts";
import { bodyFields, placesOf, toShown } from "./fields.ts";
import { findList, readBelow } from "./lists.ts";
import { rename } from "./make.ts";
import { at, reach, toText, withValue } from "./places.ts";
import { isForeign, isShown } from "../shown.ts";

const NO_BODY = "nothing is known of how its request body is written";

export interface Right {
  readonly ask: Ask;
  /** True if every identifier in it is known to exist: a refusal is then a fault of the service. */
  readonly isSure: boolean;
}

/**
 * A valid request of an operation, or why there is none. Reads the lists that its values come from first. A request that changes something
 * acts on a thing of this run, which is created if there is none.
 *
 * `attempt`: selects another value of the last path parameter, or of the last query parameter with values from a list, if there are
 * several. Default 0, the nearest.
 */
export async function findRight(run: Run, id: string, attempt = 0): Promise<Right | string> {
  const operation = run.operation(id);
  const list = run.listInfo(id) === undefined ? undefined : await findList(run, id);
  const own = run.own.isReading(operation) ? undefined : await findOwn(run, operation);
  if (typeof own === "string") return own;
  const path: Record<string, unknown> = own ?? {
    ...list?.path,
    ...run.found.paths.get(id)?.[attempt],
  };
  const query: Record<string, unknown> = { ...list?.query };
  const last =
    operation.parameters.findLast((one) => one.in === "path") ??
    operation.parameters.findLast(
      (one) => one.required && run.sources.of(operation, one.name) !== undefined,
    );
  if (attempt > 0 && last?.in === "query") delete query[last.name];
  let isSure = true;
  // In reverse order: the value of a later parameter may determine its parents.
  for (const parameter of operation.parameters.toReversed()) {
    const { name, in: where } = parameter;
    const isNeeded = where === "path" || (where === "query" && parameter.required);
    if (!isNeeded || (where === "path" ? path : query)[name] !== undefined) continue;
    await findSource(run, operation, name);
    const candidates = candidatesOf(run, operation, parameter);
    const best = candidates[parameter === last ? attempt : 0];
    if (best === undefined) return `no ${attempt === 0 ? "" : "other "}value of ${name} was found`;
    isSure &&= best.isKnown;
    (where === "path" ? path : query)[name] = best.value;
    if (where === "path")
      Object.assign(path, { ...aboveOf(run, { operation, name, value: best.value }), ...path });
  }
  const shared = { operation: id, path, query };
  if (operation.body === undefined) return { ask: shared, isSure };
  const [body] = bodiesOf(run, operation, path);
  if (body === undefined) return operation.body.required ? NO_BODY : { ask: shared, isSure };
  return { ask: { ...shared, body: body.value }, isSure: isSure && body.isSure };
}

const making = new WeakMap<Run, Set<Operation>>();

/** Path parameters of a thing that this run created, or why there is none. */
async function findOwn(run: Run, operation: Operation): Promise<Record<string, unknown> | string> {
  if (run.own.isOutOfReach(operation)) return NOTHING_OWN;
  if (
    run.own.targetOf(operation) === undefined ||
    (toItems(operation.path).length === 0 && !run.own.isNamedInBody(operation))
  )
    return {};
  const known = run.own.find(operation);
  if (known !== undefined) return { ...known.path };
  const creator = run.own.creatorOf(operation);
  const busy = making.get(run) ?? new Set();
  if (creator === undefined || busy.has(creator)) return NOTHING_OWN;
  making.set(run, busy.add(creator));
  const made = await create(run, creator.id).finally(() => busy.delete(creator));
  const found = run.own.find(operation)?.path;
  if (found !== undefined) return { ...found };
  return typeof made !== "string"
    ? NOTHING_OWN
    : `${NOTHING_OWN}: ${made.replace(`${NOTHING_OWN}: `, "")}`;
}

/** Path parameters of the parents under which a value was found or created. */
function aboveOf(
  run: Run,
  { operation, name, value }: { operation: Operation; name: string; value: unknown },
): JsonObject {
  const own = run.own.find(operation)?.path;
  if (own !== undefined && own[name] === value) return own;
  const source = sourceOf(run, operation, name);
  const made = source && run.made.get(toWritten(source));
  if (made !== undefined && made.value === value) return made.above;
  return (source && run.found.lists.get(source.operation)?.path) ?? {};
}

/** Reads the list with values of a parameter before they are needed. */
async function findSource(run: Run, operation: Operation, name: string): Promise<void> {
  const source = sourceOf(run, operation, name)?.operation;
  if (source !== undefined && run.listInfo(source) !== undefined) await findList(run, source);
}

export interface Created {
  readonly answer: Answer;
  readonly body: JsonObject;
  /** The key that the service returned, by the parameter name of operations. */
  readonly key: unknown;
}

/** Creates a thing with the first valid body that succeeds, or returns why none did. */
export async function create(run: Run, id: string): Promise<Created | string> {
  if (!run.mayWrite) return "needs --write";
  const operation = run.operation(id);
  // Each further attempt would leave another thing that nobody can prove to be the run's.
  if (run.own.isUnproven(operation)) return run.own.doubtOf(operation);
  const creation = await findCreation(run, operation);
  if (typeof creation === "string") return creation;
  const { path } = creation;
  let refused = NO_BODY;
  await findRows(run, operation);
  const before = await readListed(run, operation, path);
  const bodies = operation.body ? bodiesOf(run, operation, path).map(({ value }) => value) : [];
  // Only a name of this run distinguishes its row from those of others.
  const named =
    before === undefined ? [] : bodies.map((body) => withNames(run, operation, { body }));
  for (const value of operation.body ? [...named, ...bodies] : [undefined]) {
    let answer = await askNew(run, { ...creation, ...(value !== undefined && { body: value }) });
    if (!answer.isSuccess) {
      refused = `a body by its schema is answered ${answer.status}${toSaid(answer)}`;
      run.own.noteNoCreation(operation);
      continue;
    }
    run.noteRight(answer);
    if (run.own.isDoubtful(answer) && isConflict(await run.askAgain(answer.ask)))
      run.own.confirm(answer);
    if (before !== undefined && run.own.listPlaces(answer).length === 0)
      await findNew(run, answer, before);
    if (run.own.isDoubtful(answer)) answer = (await createByName(run, answer)) ?? answer;
    const body = toFields(answer.ask.body);
    if (isObject(answer.ask.body)) run.found.bodies.set(id, body);
    run.found.successes.set(id, answer);
    const places = run.own.placesOf(answer);
    if (places === undefined) {
      run.own.noteUnproven(operation);
      return run.own.doubtOf(operation);
    }
    if (await wasThere(run, operation, places)) return run.own.doubtOf(operation);
    if (answer.status === 202) await noteQueued(run, places);
    if (run.own.isUnshown(answer)) return `its answer may be about a job`;
    noteReferences(run, operation, body);
    return { answer, body, key: noteMade(run, places, answer) };
  }
  return refused;
}

/**
 * A get-or-create returns the same thing for the same name. For two names that the run made up it returns two keys that the complete list
 * did not have: these are new.
 */
async function createByName(run: Run, { operation, ask }: Answer): Promise<Answer | undefined> {
  const list = run.found.lists.get(listAt(run, operation.path) ?? "");
  if (list?.isWhole !== true) return undefined;
  const made: Answer[] = [];
  while (made.length < 2) {
    const body = withNames(run, operation, { body: ask.body });
    if (!run.own.isMarked(body)) return undefined;
    made.push(await run.askAgain({ ...ask, body }));
  }
  const isNew = (answer: Answer): boolean => {
    const [place] = run.own.listPlaces(answer);
    const isKnown = place === undefined || run.own.isOld(answer) || isForeign(run, place);
    return answer.isSuccess && !isKnown && run.own.isMarked(answer.json);
  };
  const keys = new Set(made.map((one) => run.own.listPlaces(one)[0]?.address));
  if (keys.size < 2 || !made.every(isNew)) return undefined;
  for (const one of made) run.own.confirm(one);
  return made[1];
}

/** What the service says of a refused body: a person may know what the document does not tell. */
function toSaid({ json }: Answer): string {
  const inner = [json, ...Object.values(toFields(json))].flat().map(toFields);
  const said = inner.flatMap((one) => SAYING.map((name) => one[name])).find(isSentence);
  return said === undefined ? "" : `: ${said.length > 120 ? `${said.slice(0, 120)}...` : said}`;
}

const SAYING = ["message", "detail", "error_description", "error", "title", "description"];
const isSentence = (value: unknown): value is string => typeof value === "string" && value !== "";

/** The request of a creation without its body: a POST below an existing thing, or a PUT at an unused key. */
async function findCreation(run: Run, operation: Operation): Promise<Ask | string> {
  const { id } = operation;
  const item = run.own.targetOf(operation);
  const reader = item && run.own.readerAt(item.template);
  const isPut = operation.method === "PUT" && run.own.creatorOf(operation) === operation;
  if (!isPut || item === undefined || reader === undefined) {
    const right = await findRight(run, id);
    return typeof right === "string" ? right : right.ask;
  }
  const parent = run.own.parentOf(operation);
  const above = parent === undefined ? {} : await findOwn(run, parent);
  if (typeof above === "string") return above;
  const schema = operation.parameters.find(({ name }) => name === item.name)?.schema;
  const path = { ...above, [item.name]: makeKey(run, schema ?? "") };
  const { status } = await run.ask({ operation: reader.id, path });
  if (status === 404) return { operation: id, path };
  run.own.noteNoCreation(operation);
  return `a key that nothing has is answered ${status}`;
}

/**
 * True if a creation answered a thing that was there. A service gives some values to all new things, such as a first state: another creation
 * shows which.
 */
async function wasThere(
  run: Run,
  operation: Operation,
  [place]: readonly Place[],
): Promise<boolean> {
  if (place === undefined || !isChangeable(run, place)) return false;
  const { ask, json } = place.answer;
  // A creation without a body shows its thing by a GET alone.
  const isOld = async (): Promise<boolean> => {
    if (json !== undefined) return isForeign(run, place);
    const isNew = await isShown(run, place);
    if (isNew) run.own.noteShown(place, true);
    return !isNew && run.own.isUnproven(operation);
  };
  if (!(await isOld())) return false;
  const body = withNames(run, operation, { body: ask.body });
  if (run.own.peersOf(place).length > 0 || isDeepStrictEqual(body, ask.body)) return true;
  const again = await run.askAgain({ ...ask, body });
  if (!again.isSuccess) return true;
  run.own.noteOwn(place);
  return isOld();
}

/** True if the document has an operation that changes, deletes or uses the thing. */
const isChangeable = ({ document, own }: Run, { template }: Place): boolean =>
  [...document.operations.values()].some(
    (one) => !own.isReading(one) && own.targetOf(one)?.template === template,
  );

/** A creation that was only accepted may have no thing yet, and return a key of its own. */
async function noteQueued(run: Run, [place]: readonly Place[]): Promise<void> {
  if (place !== undefined && !run.own.isUnshown(place.answer))
    run.own.noteShown(place, await isShown(run, place));
}

/** Reads the rows once: a body must not have what only one of them has. */
async function findRows(run: Run, operation: Operation): Promise<void> {
  const list = run.own.lifecycleOf(operation)?.list ?? listAt(run, operation.path);
  if (list !== undefined && !run.found.lists.has(list)) await findList(run, list);
}

/** The list before a creation, needed if no documented response shows the key of the created thing. */
async function readListed(run: Run, operation: Operation, path: JsonObject = {}) {
  const list = run.own.lifecycleOf(operation)?.list ?? listAt(run, operation.path);
  const isTold = successView(run.document, operation) !== undefined;
  return list === undefined || isTold || run.own.itemsOf(operation).length === 0
    ? undefined
    : await readBelow(run, list, path);
}

/** The only new row, if it has all sent values including a name: others may create rows meanwhile. */
async function findNew(
  run: Run,
  answer: Answer,
  before: NonNullable<Awaited<ReturnType<typeof readListed>>>,
): Promise<void> {
  if (!before.isWhole || !isObject(answer.ask.body)) return;
  const places = placesOf(run, answer.operation, answer.ask.body);
  const { body } = answer.ask;
  const isSent = (row: unknown): boolean => {
    const shown = Object.entries(toShown(places, row));
    return (
      shown.some(([, value]) => run.own.isMarked(value)) &&
      shown.every(([place, value]) => isDeepStrictEqual(value, at(body, place)))
    );
  };
  const { value: after } = await run.settle(
    () => readBelow(run, before.id, answer.ask.path ?? {}),
    (one) => one?.keys.some((key) => !before.keys.includes(key)) === true,
  );
  const fresh =
    after?.rows.filter((_, index) => !before.keys.includes(after.keys[index] ?? "")) ?? [];
  const [row] = fresh;
  if (fresh.length !== 1 || !isSent(row)) return;
  run.own.noteKey(answer, keyValue(run, before.id, row));
  run.own.confirm(answer);
}

/**
 * The response to a creation. If a thing with the same name causes a conflict, sends the creation once more with new names. `fixed`: fields
 * that are sent unchanged.
 */
export async function askNew(run: Run, ask: Ask, fixed: readonly string[] = []): Promise<Answer> {
  const answer = await run.askAgain(ask);
  const isTaken =
    answer.status === 409 || (isConflict(answer) && run.found.bodies.has(ask.operation));
  if (!isTaken || !isObject(ask.body)) return answer;
  const operation = run.operation(ask.operation);
  const isNew = run.own.itemsOf(operation).length > 0;
  const next = isNew ? undefined : withNextVersion(ask.body);
  if (next !== undefined) {
    const changed = await run.askAgain({ ...ask, body: next });
    if (changed.isSuccess) return changed;
  }
  return run.askAgain({ ...ask, body: withNames(run, operation, { body: ask.body, fixed }) });
}

/** A body with new names and a new key, if its schema permits them. */
function withNames(
  run: Run,
  operation: Operation,
  { body, fixed = [] }: { readonly body: unknown; readonly fixed?: readonly string[] },
): unknown {
  const isNew = run.own.itemsOf(operation).length > 0;
  return [...bodyFields(run, operation)].reduce<unknown>((made, [place, schema]) => {
    const value = at(made, place);
    const isKey = run.own.isKeyName(operation, place);
    if (value === undefined || fixed.includes(place)) return made;
    if (isKey) return isNew ? withValue(made, place, toFreshKey(run, operation, place)) : made;
    if (run.sources.of(operation, place) !== undefined) return made;
    return withValue(
      made,
      place,
      rename(run.document.schemas, schema, { value, name: run.nextName() }),
    );
  }, body);
}

/** Where a change must state its version number, such as `version: { number: 2 }` after the first. */
const VERSIONS = ["version/number", "version", "revision", "lock_version", "lockVersion"];
export const isVersion = (place: string): boolean =>
  VERSIONS.some((one) => place === one || place === one.split("/", 1).join(""));

function withNextVersion(body: JsonObject): unknown {
  const place = VERSIONS.find((one) => typeof at(body, one) === "number");
  return place && withValue(body, place, Number(at(body, place)) + 1);
}

const isConflict = ({ status }: Answer): boolean => [400, 409, 422].includes(status);

/** A created thing may refer to existing ones. The report names them, because the reference may affect them. */
function noteReferences(run: Run, operation: Operation, body: JsonObject): void {
  for (const [name, value] of Object.entries(body)) {
    const source = sourceOf(run, operation, name);
    if (source === undefined) continue;
    const rows = run.found.lists.get(source.operation)?.rows ?? [];
    const isOld = rows.some((row) => reach(row, source.place ?? "").includes(value));
    if (isOld && run.made.get(toWritten(source))?.value !== value)
      run.references.add(`${operation.id} has ${name} ${toText(value)}, which was there before`);
  }
}

/** Stores the keys of created things, for parameters with values from this operation or its list. */
function noteMade(run: Run, places: readonly Place[], { json, ask, operation }: Answer): unknown {
  const { id } = operation;
  const { list } = run.ruleOf("lifecycle", id) ?? {};
  const [place] = places;
  const made = run.sources.list().flatMap(({ name, source }) => {
    if (source === undefined || ![id, list].includes(source.operation)) return [];
    const { written } = source;
    const value =
      (source.operation === id && written !== undefined ? at(json, written) : undefined) ??
      at(json, name) ??
      place?.key;
    if (value === undefined) return [];
    run.made.set(toWritten(source), { value, above: ask.path ?? {} });
    return [value];
  });
  return place?.key ?? made[0];
}
