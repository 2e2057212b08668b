// What is created can be read, listed, changed and deleted, and nothing else changes with it.
import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@call-media/contract-diff";
import type { Answer, Ask } from "../ask.ts";
import type { Operation } from "../document/document.ts";
import type { RuleOf } from "../relations/kinds.ts";
import { type Run, type Settled, toFields } from "../run.ts";
import { toItems } from "../items.ts";
import { isSameInOtherForm } from "../values/normal.ts";
import { breakValue } from "../values/break.ts";
import { readBelow } from "../values/lists.ts";
import { totalOf } from "../values/pages.ts";
import { change, make, typeOf } from "../values/make.ts";
import { at, show, toObject, toText } from "../values/places.ts";
import { withKey, withReferences } from "../values/bodies.ts";
import { bodyFields, mediaOf, placesOf, toShown } from "../values/fields.ts";
import { askNew, create, findRight, isVersion } from "../values/requests.ts";
import { type Judgement, type Law, type Unchecked, unchecked, type Verdicts } from "./law.ts";
import { isVolatile } from "./same-as.ts";

const MAX_CHANGES = 8;

interface Life {
  /** Path parameters of the creation: what is created stands below them. */
  readonly above: JsonObject;
  readonly rule: RuleOf<"lifecycle">;
  readonly operation: Operation;
  readonly key: unknown;
  /** What was sent, by the places of its fields. */
  readonly sent: JsonObject;
}

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
    // Where the creation went elsewhere, the list of before is another one.
    const isSamePlace = isDeepStrictEqual(above, life.above);
    yield* judgeRead(run, life, isSamePlace ? before : undefined);
    yield* judgeRefusedCreation(run, life);
    yield* judgeUpdates(run, life);
    yield* judgeDelete(run, life);
  },
};

/** Path parameters without the key, which a PUT that creates has in its path. */
const toAbove = (run: Run, operation: Operation, path: JsonObject = {}): JsonObject =>
  Object.fromEntries(
    Object.entries(path).filter(
      ([name]) => operation.method !== "PUT" || name !== run.own.targetOf(operation)?.name,
    ),
  );

/** The request of an operation below the key, which a change may have given another form. */
function askFor(run: Run, id: string, { key, above }: Pick<Life, "key" | "above">): Ask {
  const name = nameOf(run, id);
  if (name === undefined) return { operation: id, path: above };
  const now = run.own.keyNow(run.operation(id), { ...above, [name]: key });
  return { operation: id, path: { ...above, [name]: now } };
}

/** What an operation calls the key. */
function nameOf(run: Run, id: string): string | undefined {
  const operation = run.operation(id);
  const parameter = operation.parameters.findLast((one) => one.in === "path");
  return parameter?.name ?? run.own.targetOf(operation)?.name;
}

/** A change of the thing with these fields, which names it where it must. */
function askChange(run: Run, life: Life, fields: JsonObject): Ask {
  const { update = "" } = life.rule;
  const ask = askFor(run, update, life);
  const keyed = { value: toObject(Object.entries(fields)), path: ask.path ?? {}, isKeyed: false };
  return { ...ask, body: withKey(run, run.operation(update), keyed) };
}

/** What may be changed by an operation, and its schemas. */
const changeable = (run: Run, update: Operation) =>
  [...bodyFields(run, update)].filter(
    ([place]) =>
      !run.own.isKeyName(update, place) &&
      !isVersion(place) &&
      !toItems(update.path).some(({ name }) => name === place.split("/").at(-1)),
  );

const CREATED = "something created";
const DELETED = "something deleted";

const judged = (
  clause: string,
  answer: Answer,
  {
    witness,
    fault,
    isObserved = false,
  }: {
    readonly witness: string | undefined;
    readonly fault?: Judgement["fault"];
    readonly isObserved?: boolean;
  },
): Judgement => ({
  clause: `lifecycle.${clause}`,
  answer,
  witness,
  ...(isObserved && { level: "observe" as const }),
  fault,
});

/** Of what was sent only what the answer shows is compared. What comes in another form of the same is only observed. */
function* judgeSent(
  run: Run,
  clause: "create" | "read",
  { answer, sent }: { readonly answer: Answer; readonly sent: JsonObject },
): Generator<Judgement> {
  const shown = toShown(Object.keys(sent), answer.json);
  const others = Object.keys(sent).filter(
    (name) =>
      Object.hasOwn(shown, name) &&
      !isVolatile(run, name) &&
      !isDeepStrictEqual(shown[name], sent[name]),
  );
  const isNormal = (name: string): boolean => isSameInOtherForm(sent[name], shown[name]);
  const toFault = (name: string) => ({
    at: name,
    fault: `${name} is ${show(shown[name])}, and ${show(sent[name])} was sent`,
  });
  const name = others.find((one) => !isNormal(one));
  yield judged(clause, answer, { witness: CREATED, fault: name && toFault(name) });
  for (const one of others.filter(isNormal))
    yield judged("normal", answer, { witness: CREATED, isObserved: true, fault: toFault(one) });
}

/** What other rows show, and what was created does not, although it was sent, was lost. */
function* judgeLost(
  run: Run,
  { sent }: Life,
  { answer, rows }: { readonly answer: Answer; readonly rows: readonly unknown[] },
): Generator<Judgement> {
  const names = Object.keys(sent).filter((name) => !isVolatile(run, name) && !isBare(sent[name]));
  const shown = toShown(names, answer.json);
  const others = rows.map((row) => toShown(names, row));
  const name = names.find(
    (one) => !Object.hasOwn(shown, one) && others.some((row) => !isBare(row[one])),
  );
  const fault = name && {
    at: name,
    fault: `${name} was sent, and is not there; other rows have it`,
  };
  yield judged("read", answer, { witness: CREATED, fault });
}

/** What some services leave out. */
const isBare = (value: unknown): boolean =>
  !value || (typeof value === "object" && Object.keys(value).length === 0);

/** A service may show what was written a moment later. */
function* judgeLag(
  clause: string,
  answer: Answer,
  { afterMs }: Settled<unknown>,
): Generator<Judgement> {
  const fault = `it shows after ${(afterMs / 1_000).toFixed(1)} s`;
  if (afterMs > 0) yield judged(clause, answer, { witness: "a write", isObserved: true, fault });
}

type Listed = NonNullable<Awaited<ReturnType<typeof readBelow>>>;

async function* judgeRead(run: Run, life: Life, before: Listed | undefined): Verdicts {
  const { rule, sent } = life;
  if (rule.read !== undefined) {
    const ask = askFor(run, rule.read, life);
    const read = await run.settle(
      () => run.ask(ask),
      ({ status }) => status !== 404,
    );
    const got = read.value;
    run.noteRight(got);
    yield* judgeLag("read", got, read);
    if (got.isSuccess) {
      yield* judgeSent(run, "read", { answer: got, sent });
      const seen = run.found.lists.get(rule.list ?? "")?.rows ?? [];
      yield* judgeLost(run, life, { answer: got, rows: [...seen, ...(before?.rows ?? [])] });
    } else {
      const fault = `what was created is answered ${got.status}`;
      yield judged("read", got, { witness: CREATED, fault });
    }
  }
  if (before === undefined) return;
  const after = yield* judgeListed(run, life, { before, key: life.key, isThere: true });
  if (after !== undefined) yield* judgeTotal(run, after);
}

/** The list before something was created or deleted, and whether that is to be there now. */
interface Expected {
  readonly before: Listed;
  readonly key: unknown;
  readonly isThere: boolean;
}

/** What was created is listed, what was deleted is not any more, and all others are. @returns the list, if it was read whole. */
async function* judgeListed(
  run: Run,
  { rule: { list = "" }, above }: Life,
  { before, key, isThere }: Expected,
): AsyncGenerator<Judgement, Listed | undefined> {
  const own = JSON.stringify(key);
  const settled = await run.settle(
    () => readBelow(run, list, above),
    (one) => one?.isWhole !== true || one.keys.includes(own) === isThere,
  );
  const after = settled.value;
  const [answer] = after?.answers ?? [];
  if (answer === undefined || after?.isWhole !== true) return undefined;
  const clause = isThere ? "listed" : "gone";
  yield* judgeLag(clause, answer, settled);
  // The query that shows all may not show what was created: a range of days, for one.
  const told = isThere ? "what was created is not listed" : "what was deleted is still listed";
  const fault = after.keys.includes(own) === isThere ? undefined : told;
  yield judged(clause, answer, { witness: isThere ? CREATED : DELETED, fault });
  const others = before.isWhole ? before.keys.filter((one) => one !== own) : [];
  const lost = others.find((one) => !after.keys.includes(one));
  const cause = isThere ? "the creation" : "what was deleted";
  yield judged("others", answer, {
    witness: before.keys.length > (isThere ? 0 : 1) ? "another row" : undefined,
    fault: lost && `with ${cause} ${lost} is gone`,
  });
  return after;
}

function* judgeTotal(run: Run, { id, answers, rows }: Listed): Generator<Judgement> {
  const { total } = run.ruleOf("page", id) ?? {};
  const [answer] = answers;
  if (total === undefined || answer === undefined) return;
  const counted = totalOf(answer, total);
  // A total that moves while pages are read counts rows of another moment.
  if (!answers.every((one) => totalOf(one, total) === counted)) return;
  const told = `after the creation ${total} is ${show(counted)}, and there are ${rows.length} rows`;
  const fault = counted === rows.length ? undefined : { at: total, fault: told };
  yield judged("listed", answer, { witness: CREATED, fault });
}

/** Below what something was done to, nothing may be added any more: then nothing is. */
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

async function* judgeUpdates(run: Run, life: Life): Verdicts {
  const { update: id, read } = life.rule;
  if (id === undefined || read === undefined) return;
  const changing = { ...life, update: run.operation(id), read };
  const fields = changeable(run, changing.update);
  const places = fields.map(([place]) => place);
  let current = await run.ask(askFor(run, read, life));
  if (!current.isSuccess) return;
  let changes = 0;
  for (const [name, schema] of fields) {
    const shown = toShown(places, current.json);
    if (!Object.hasOwn(shown, name) || (changes += 1) > MAX_CHANGES) continue;
    const value = withReferences(run, changing.update, [
      name,
      change(run.document.schemas, schema, shown[name]),
    ]);
    if (isDeepStrictEqual(value, shown[name])) continue;
    // What may be null is emptied once it has a value.
    const isNullable = run.document.schemas.view(schema).types.includes("null");
    const values = [
      ...(value === undefined ? [] : [value]),
      ...(isNullable && value !== null ? [null] : []),
    ];
    for (const one of values) {
      const after = yield* judgeUpdate(run, changing, { name, value: one, current });
      if (after === undefined) break;
      current = after;
    }
  }
  yield* judgeReplaced(run, changing, current);
  yield* judgeRefused(run, changing, await run.ask(askFor(run, read, life)));
}

/** A life with an operation that changes the thing, and one that reads it. */
interface Changing extends Life {
  readonly update: Operation;
  readonly read: string;
}

interface Update {
  readonly name: string;
  readonly value: unknown;
  readonly current: Answer;
}

/** @returns what is read after the change, if it was made. */
async function* judgeUpdate(
  run: Run,
  life: Changing,
  { name, value, current }: Update,
): AsyncGenerator<Judgement | Unchecked, Answer | undefined> {
  const { update } = life;
  const fields = [...bodyFields(run, update)].map(([place]) => place);
  const shown = toShown(fields, current.json);
  const least = makeLeast(run, update);
  // PUT replaces the whole, PATCH what is given (RFC 9110, 9.3.4; RFC 5789), beside what must be there.
  const whole = Object.fromEntries(
    fields
      .filter((place) => update.method === "PUT" || at(least, place) !== undefined)
      .map((place) => [place, shown[place] ?? at(least, place)] as const)
      .filter(([, one]) => one !== undefined),
  );
  const send = askChange(run, life, { ...whole, [name]: value });
  yield* judgeStale(run, send, current);
  const fixed = Object.keys(whole).filter((one) => one !== name);
  const changed = await askNew(run, send, fixed);
  if (!changed.isSuccess) {
    const fault = { at: name, fault: `a right change of ${name} is answered ${changed.status}` };
    // Something of others may be in the way.
    const isObserved = changed.status === 409 || !isAllowed(run, life, name);
    yield judged("update", changed, { witness: "a right change", isObserved, fault });
    return undefined;
  }
  run.noteRight(changed);
  const after = await run.ask(askFor(run, life.read, life));
  if (!after.isSuccess) return undefined;
  const sent = at(changed.ask.body, name);
  yield* judgeChange(run, life, { name, value: sent, before: current, after, changed });
  return after;
}

/** What a body of an operation has at least. */
function makeLeast(run: Run, operation: Operation): unknown {
  const schema = mediaOf(operation)?.schema;
  return schema === undefined ? {} : make(run.document.schemas, schema, true);
}

/** Whether the document tells all values of a field, or the service took an invented one: else it may have rules of its own. */
function isAllowed(run: Run, { sent, update }: Changing, name: string): boolean {
  const view = run.document.schemas.view(bodyFields(run, update).get(name) ?? "");
  const isText = typeOf(view) === "string" && view.said["enum"] === undefined;
  return !isText || /probe/.test(toText(sent[name]));
}

/** Where If-Match is documented, a change that is based on another state is refused (RFC 9110, 13.1.1). */
async function* judgeStale(run: Run, ask: Ask, current: Answer): Verdicts {
  const { parameters, responses } = run.operation(ask.operation);
  const isTold =
    parameters.some(({ name }) => name.toLowerCase() === "if-match") ||
    responses.some(({ status }) => status === "412");
  if (!isTold || !current.headers.has("ETag")) return;
  const stale = await run.ask({ ...ask, headers: { "If-Match": '"no-such-state"' } });
  const fault =
    stale.status === 412 ? undefined : `If-Match with another ETag is answered ${stale.status}`;
  yield judged("validators", stale, { witness: "another ETag", fault });
}

/** What a PUT leaves out does not stay (RFC 9110, 9.3.4): many services keep it, and few documents say. */
async function* judgeReplaced(run: Run, life: Changing, current: Answer): Verdicts {
  const { rule, update, read } = life;
  if (update.method !== "PUT" || mediaOf(update)?.schema === undefined) return;
  const fields = [...bodyFields(run, update)];
  const places = fields.map(([place]) => place);
  const least = makeLeast(run, update);
  const isNeeded = (place: string): boolean => at(least, place) !== undefined;
  const shown = toShown(places, current.json);
  const full = fields.map(([name, schema]) => {
    const value = shown[name] ?? (isNeeded(name) ? undefined : make(run.document.schemas, schema));
    return [name, value] as const;
  });
  const optional = full.filter(
    ([name, value]) =>
      !isNeeded(name) && !run.own.isKeyName(update, name) && value !== undefined && value !== null,
  );
  if (optional.length === 0) return;
  const set = await run.askAgain(askChange(run, life, Object.fromEntries(full)));
  const needed = full.filter(([name]) => isNeeded(name));
  const bare = await run.askAgain(askChange(run, life, Object.fromEntries(needed)));
  if (!set.isSuccess || !bare.isSuccess) return;
  const after = await run.ask(askFor(run, read, life));
  const is = toShown(places, after.json);
  const [name, value] = optional.find(([one, sent]) => isDeepStrictEqual(is[one], sent)) ?? [];
  yield judged("update", after, {
    witness: "a PUT that leaves a field out",
    isObserved: rule.put !== "replaces",
    fault: name && { at: name, fault: `${name} was left out of a PUT, and stays ${show(value)}` },
  });
}

interface Change {
  readonly name: string;
  readonly value: unknown;
  readonly before: Answer;
  readonly after: Answer;
  readonly changed: Answer;
}

interface Changed {
  readonly name: string;
  readonly value: unknown;
  readonly came: unknown;
  readonly how: string;
}

/** What comes in another form of the same is only observed, as after the creation. */
function judgeValue(answer: Answer, { name, value, came, how }: Changed): Judgement {
  const isSame = isDeepStrictEqual(came, value);
  const isObserved = !isSame && isSameInOtherForm(value, came);
  const told = `${name} was changed to ${show(value)}, and ${how} ${show(came)}`;
  const fault = isSame ? undefined : { at: name, fault: told };
  const witness = `a change of ${name}`;
  return judged(isObserved ? "normal" : "update", answer, { witness, isObserved, fault });
}

async function* judgeChange(
  run: Run,
  life: Changing,
  { name, value, before, after, changed }: Change,
): Verdicts {
  const written = [...bodyFields(run, life.update).keys()];
  const [was, is, answered] = [before, after, changed].map(({ json }) =>
    toShown(written, json),
  ) as [JsonObject, JsonObject, JsonObject];
  const witness = `a change of ${name}`;
  yield judgeValue(after, { name, value, came: is[name], how: "is" });
  if (Object.hasOwn(answered, name))
    yield judgeValue(changed, { name, value, came: answered[name], how: "the answer shows" });
  // What the service works out of other fields may follow them.
  const other = Object.keys(was).find(
    (one) => one !== name && !isVersion(one) && isOther(run, one, [was, is]),
  );
  const fault = other && {
    at: other,
    fault: `${other} was not sent, and changed from ${show(was[other])} to ${show(is[other])}`,
  };
  yield judged("keeps", after, { witness, fault });
  const [old, current] = [before, after].map(({ headers }) => headers.get("ETag"));
  if (!old || !current) return;
  const stays = old === current ? "the ETag stays while the content changes" : undefined;
  yield judged("validators", after, { witness, fault: stays });
  const ask = { ...askFor(run, life.read, life), headers: { "If-None-Match": old } };
  const conditional = await run.ask(ask);
  const isTaken = conditional.status === 304;
  const taken = isTaken ? "an ETag of before the change is answered 304" : undefined;
  yield judged("validators", conditional, { witness, fault: taken });
}

/** Whether a field that does not change by itself has another value. */
const isOther = (run: Run, name: string, [was, is]: readonly [JsonObject, JsonObject]): boolean =>
  !isVolatile(run, name) && !isDeepStrictEqual(was[name], is[name]);

/** A change that is refused leaves everything as it was. */
async function* judgeRefused(run: Run, life: Changing, before: Answer): Verdicts {
  const { schemas } = run.document;
  const fields = changeable(run, life.update);
  const shown = toShown(
    fields.map(([place]) => place),
    before.json,
  );
  const [bad] = fields.flatMap(([name, schema]) =>
    breakValue(schemas, schema, false)
      .filter(({ isBound }) => !isBound)
      .map(({ value }) => [name, value] as const),
  );
  if (bad === undefined) return;
  const other = fields.find(([name]) => name !== bad[0]);
  const good =
    other === undefined ? {} : { [other[0]]: change(schemas, other[1], shown[other[0]]) };
  const refused = await run.askAgain(askChange(run, life, { ...good, [bad[0]]: bad[1] }));
  if (refused.isSuccess) return;
  const after = await run.askAgain(askFor(run, life.read, life));
  const [was, is] = [before, after].map(({ json }) => toFields(json)) as [JsonObject, JsonObject];
  const changed = Object.keys(was).find((name) => isOther(run, name, [was, is]));
  yield judged("refused-unchanged", after, {
    witness: "a refused change",
    fault: changed && { at: changed, fault: `a refused change changed ${changed}` },
  });
}

/** What was deleted cannot be changed; a PUT may create it again. */
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

async function* judgeDelete(run: Run, life: Life): Verdicts {
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
  // Last: a PUT may create it again.
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

/** Some services go on showing what was deleted, and say that it was. */
const isMarked = (json: unknown): boolean =>
  [json, ...Object.values(toFields(json))]
    .map(toFields)
    .some((one) => one["deleted"] === true || one["status"] === "deleted");
