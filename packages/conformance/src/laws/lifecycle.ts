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
import { readAll, readBelow } from "../values/lists.ts";
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
  const witness = "something created";
  const name = others.find((one) => !isNormal(one));
  yield { clause: `lifecycle.${clause}`, answer, witness, fault: name && toFault(name) };
  for (const one of others.filter(isNormal))
    yield { clause: "lifecycle.normal", answer, level: "observe", witness, fault: toFault(one) };
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
  yield { clause: "lifecycle.read", answer, witness: "something created", fault };
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
  const fault = afterMs === 0 ? undefined : `it shows after ${(afterMs / 1_000).toFixed(1)} s`;
  if (fault !== undefined)
    yield { clause: `lifecycle.${clause}`, answer, level: "observe", witness: "a write", fault };
}

async function* judgeRead(
  run: Run,
  life: Life,
  before: Awaited<ReturnType<typeof readBelow>>,
): Verdicts {
  const { rule, key, sent } = life;
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
      yield { clause: "lifecycle.read", answer: got, witness: "something created", fault };
    }
  }
  if (rule.list === undefined || before === undefined) return;
  const { list } = rule;
  const own = JSON.stringify(key);
  const settled = await run.settle(
    () => readBelow(run, list, life.above),
    (one) => one?.isWhole !== true || one.keys.includes(own),
  );
  const after = settled.value;
  const { answers } = await readAll(run, {
    operation: list,
    query: before.query,
    path: before.path,
  });
  const [answer] = answers;
  if (answer === undefined || after?.isWhole !== true) return;
  yield* judgeLag("listed", answer, settled);
  yield {
    clause: "lifecycle.listed",
    answer,
    witness: "something created",
    // The query that shows all may not show what was created: a range of days, for one.
    fault: after.keys.includes(own) ? undefined : "what was created is not listed",
  };
  const { total } = run.ruleOf("page", list) ?? {};
  const counted = total === undefined ? undefined : totalOf(answer, total);
  // A total that moves while pages are read counts rows of another moment.
  const isStill = answers.every((one) => totalOf(one, total ?? "") === counted);
  if (total !== undefined && isStill) {
    const fault =
      counted === after.rows.length
        ? undefined
        : {
            at: total,
            fault: `after the creation ${total} is ${show(counted)}, and there are ${after.rows.length} rows`,
          };
    yield { clause: "lifecycle.listed", answer, witness: "something created", fault };
  }
  const lost = before.isWhole ? before.keys.find((one) => !after.keys.includes(one)) : undefined;
  yield {
    clause: "lifecycle.others",
    answer,
    witness: before.keys.length > 0 ? "another row" : undefined,
    fault: lost === undefined ? undefined : `with the creation ${lost} is gone`,
  };
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
  yield {
    clause: "lifecycle.refused-unchanged",
    answer,
    witness: "a refused creation",
    fault: isSame ? undefined : { at: "creation", fault: "a refused creation changed the list" },
  };
}

async function* judgeUpdates(run: Run, life: Life): Verdicts {
  const { rule } = life;
  if (rule.update === undefined || rule.read === undefined) return;
  const update = run.operation(rule.update);
  const fields = changeable(run, update);
  let current = await run.ask(askFor(run, rule.read, life));
  if (!current.isSuccess) return;
  let changes = 0;
  for (const [name, schema] of fields) {
    const shown = toShown(
      fields.map(([one]) => one),
      current.json,
    );
    if (!Object.hasOwn(shown, name) || (changes += 1) > MAX_CHANGES) continue;
    const value = withReferences(run, update, [
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
      const after = yield* judgeUpdate(run, life, { name, value: one, current });
      if (after === undefined) break;
      current = after;
    }
  }
  yield* judgeReplaced(run, life, current);
  yield* judgeRefused(run, life, await run.ask(askFor(run, rule.read, life)));
}

interface Update {
  readonly name: string;
  readonly value: unknown;
  readonly current: Answer;
}

/** @returns what is read after the change, if it was made. */
async function* judgeUpdate(
  run: Run,
  life: Life,
  { name, value, current }: Update,
): AsyncGenerator<Judgement | Unchecked, Answer | undefined> {
  const { rule } = life;
  if (rule.update === undefined || rule.read === undefined) return undefined;
  const update = run.operation(rule.update);
  const fields = [...bodyFields(run, update)].map(([place]) => place);
  const shown = toShown(fields, current.json);
  const schema = mediaOf(update)?.schema;
  const least = schema === undefined ? {} : make(run.document.schemas, schema, true);
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
    const isSure = changed.status !== 409 && isAllowed(run, life, { name, update });
    const level = isSure ? undefined : ("observe" as const);
    const witness = "a right change";
    yield { clause: "lifecycle.update", answer: changed, witness, ...(level && { level }), fault };
    return undefined;
  }
  run.noteRight(changed);
  const after = await run.ask(askFor(run, rule.read, life));
  if (!after.isSuccess) return undefined;
  const sent = at(changed.ask.body, name);
  yield* judgeChange(run, life, { name, value: sent, before: current, after, changed });
  return after;
}

/** Whether the document tells all values of a field, or the service took an invented one: else it may have rules of its own. */
function isAllowed(
  run: Run,
  { sent }: Life,
  { name, update }: { readonly name: string; readonly update: Operation },
): boolean {
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
  yield { clause: "lifecycle.validators", answer: stale, witness: "another ETag", fault };
}

/** What a PUT leaves out does not stay (RFC 9110, 9.3.4): many services keep it, and few documents say. */
async function* judgeReplaced(run: Run, life: Life, current: Answer): Verdicts {
  const { rule } = life;
  if (rule.update === undefined || rule.read === undefined) return;
  const update = run.operation(rule.update);
  const schema = mediaOf(update)?.schema;
  if (update.method !== "PUT" || schema === undefined) return;
  const { schemas } = run.document;
  const fields = [...bodyFields(run, update)];
  const places = fields.map(([place]) => place);
  const least = make(schemas, schema, true);
  const isNeeded = (place: string): boolean => at(least, place) !== undefined;
  const shown = toShown(places, current.json);
  const full = fields.map(
    ([name, pointer]) =>
      [name, isNeeded(name) ? shown[name] : (shown[name] ?? make(schemas, pointer))] as const,
  );
  const optional = full.filter(
    ([name, value]) =>
      !isNeeded(name) && !run.own.isKeyName(update, name) && value !== undefined && value !== null,
  );
  if (optional.length === 0) return;
  const set = await run.askAgain(askChange(run, life, Object.fromEntries(full)));
  const needed = full.filter(([name]) => isNeeded(name));
  const bare = await run.askAgain(askChange(run, life, Object.fromEntries(needed)));
  if (!set.isSuccess || !bare.isSuccess) return;
  const after = await run.ask(askFor(run, rule.read, life));
  const is = toShown(places, after.json);
  const kept = optional.find(([name, value]) => isDeepStrictEqual(is[name], value));
  const fault =
    kept === undefined
      ? undefined
      : { at: kept[0], fault: `${kept[0]} was left out of a PUT, and stays ${show(kept[1])}` };
  yield {
    clause: "lifecycle.update",
    answer: after,
    witness: "a PUT that leaves a field out",
    ...(rule.put !== "replaces" && { level: "observe" as const }),
    fault,
  };
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
  readonly answer: Answer;
  readonly how: string;
}

/** What comes in another form of the same is only observed, as after the creation. */
function judgeValue({ name, value, came, answer, how }: Changed): Judgement {
  const isSame = isDeepStrictEqual(came, value);
  const isNormal = !isSame && isSameInOtherForm(value, came);
  return {
    clause: isNormal ? "lifecycle.normal" : "lifecycle.update",
    answer,
    witness: `a change of ${name}`,
    ...(isNormal && { level: "observe" as const }),
    fault: isSame
      ? undefined
      : { at: name, fault: `${name} was changed to ${show(value)}, and ${how} ${show(came)}` },
  };
}

async function* judgeChange(
  run: Run,
  life: Life,
  { name, value, before, after, changed }: Change,
): Verdicts {
  const { rule } = life;
  const written = [...bodyFields(run, run.operation(rule.update ?? "")).keys()];
  const [was, is] = [toShown(written, before.json), toShown(written, after.json)];
  const answered = toShown(written, changed.json);
  const witness = `a change of ${name}`;
  yield judgeValue({ name, value, came: is[name], answer: after, how: "is" });
  if (Object.hasOwn(answered, name))
    yield judgeValue({
      name,
      value,
      came: answered[name],
      answer: changed,
      how: "the answer shows",
    });
  // What the service works out of other fields may follow them.
  const other = Object.keys(was).find(
    (one) =>
      one !== name &&
      !isVersion(one) &&
      !isVolatile(run, one) &&
      !isDeepStrictEqual(was[one], is[one]),
  );
  yield {
    clause: "lifecycle.keeps",
    answer: after,
    witness,
    fault:
      other === undefined
        ? undefined
        : {
            at: other,
            fault: `${other} was not sent, and changed from ${show(was[other])} to ${show(is[other])}`,
          },
  };
  const [old, current] = [before, after].map(({ headers }) => headers.get("ETag"));
  if (!old || !current || rule.read === undefined) return;
  yield {
    clause: "lifecycle.validators",
    answer: after,
    witness,
    fault: old === current ? "the ETag stays while the content changes" : undefined,
  };
  const conditional = await run.ask({
    ...askFor(run, rule.read, life),
    headers: { "If-None-Match": old },
  });
  yield {
    clause: "lifecycle.validators",
    answer: conditional,
    witness,
    fault: conditional.status === 304 ? "an ETag of before the change is answered 304" : undefined,
  };
}

/** A change that is refused leaves everything as it was. */
async function* judgeRefused(run: Run, life: Life, before: Answer): Verdicts {
  const { rule } = life;
  if (rule.update === undefined || rule.read === undefined) return;
  const { schemas } = run.document;
  const update = run.operation(rule.update);
  const fields = changeable(run, update);
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
  const after = await run.askAgain(askFor(run, rule.read, life));
  const [was, is] = [before, after].map(({ json }) => toFields(json)) as [JsonObject, JsonObject];
  const changed = Object.keys(was).find(
    (name) => !isVolatile(run, name) && !isDeepStrictEqual(was[name], is[name]),
  );
  yield {
    clause: "lifecycle.refused-unchanged",
    answer: after,
    witness: "a refused change",
    fault:
      changed === undefined
        ? undefined
        : { at: changed, fault: `a refused change changed ${changed}` },
  };
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
  yield {
    clause: "lifecycle.gone",
    answer,
    witness: "something deleted",
    fault:
      answer.isSuccess && answer.status !== 201
        ? { at: update, fault: `a change of what was deleted is answered ${answer.status}` }
        : undefined,
  };
}

async function* judgeDelete(run: Run, life: Life): Verdicts {
  const { rule } = life;
  if (rule.delete === undefined) return;
  const before = rule.list === undefined ? undefined : await readBelow(run, rule.list, life.above);
  const ask = askFor(run, rule.delete, life);
  const deleted = await run.askAgain(ask);
  run.noteRight(deleted);
  yield {
    clause: "lifecycle.delete",
    answer: deleted,
    witness: "something created",
    fault: deleted.isSuccess
      ? undefined
      : `deleting what was created is answered ${deleted.status}`,
  };
  if (!deleted.isSuccess) return;
  if (rule.read !== undefined) {
    const reading = askFor(run, rule.read, life);
    const read = await run.settle(
      () => run.askAgain(reading),
      ({ isSuccess, json }) => !isSuccess || isMarked(json),
    );
    const gone = read.value;
    const isGone =
      rule.gone === undefined ? [404, 410].includes(gone.status) : gone.status === rule.gone;
    const isTold = rule.gone === undefined && isMarked(gone.json);
    yield* judgeLag("gone", gone, read);
    yield {
      clause: "lifecycle.gone",
      answer: gone,
      witness: "something deleted",
      ...(isTold && { level: "observe" as const }),
      fault: isGone ? undefined : `what was deleted is answered ${gone.status}`,
    };
  }
  const again = await run.askAgain(ask);
  yield { clause: "lifecycle.again", answer: again, witness: "something deleted" };
  if (before?.isWhole === true) yield* judgeUnlisted(run, life, before);
  // Last: a PUT may create it again.
  yield* judgeUpdateOfGone(run, life);
}

/** Some services go on showing what was deleted, and say that it was. */
const isMarked = (json: unknown): boolean =>
  [json, ...Object.values(toFields(json))]
    .map(toFields)
    .some((one) => one["deleted"] === true || one["status"] === "deleted");

/** What was deleted is not in the list any more, and all others are. */
async function* judgeUnlisted(
  run: Run,
  life: Life,
  before: NonNullable<Awaited<ReturnType<typeof readBelow>>>,
): Verdicts {
  const { above } = life;
  const { list, delete: removal = "" } = life.rule;
  if (list === undefined) return;
  const own = JSON.stringify(askFor(run, removal, life).path?.[nameOf(run, removal) ?? ""]);
  const settled = await run.settle(
    () => readBelow(run, list, above),
    (one) => one?.isWhole !== true || !one.keys.includes(own),
  );
  const after = settled.value;
  const [answer] = (await readAll(run, { operation: list, query: before.query, path: before.path }))
    .answers;
  if (answer === undefined || after?.isWhole !== true) return;
  yield* judgeLag("gone", answer, settled);
  yield {
    clause: "lifecycle.gone",
    answer,
    witness: "something deleted",
    fault: after.keys.includes(own) ? "what was deleted is still listed" : undefined,
  };
  const lost = before.keys.find((one) => one !== own && !after.keys.includes(one));
  yield {
    clause: "lifecycle.others",
    answer,
    witness: before.keys.length > 1 ? "another row" : undefined,
    fault: lost === undefined ? undefined : `with what was deleted ${lost} is gone`,
  };
}
