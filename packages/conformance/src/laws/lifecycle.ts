// What is created can be read, listed, changed and deleted, and nothing else changes with it.
import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@call-media/contract-diff";
import type { Answer, Ask } from "../ask.ts";
import type { Operation } from "../document/document.ts";
import type { RuleOf } from "../relations/kinds.ts";
import { type Run, type Settled, toFields } from "../run.ts";
import { isSameInOtherForm } from "../values/normal.ts";
import { breakValue } from "../values/break.ts";
import { findList, keyOf, readAll } from "../values/lists.ts";
import { totalOf } from "../values/pages.ts";
import { change, make } from "../values/make.ts";
import { show } from "../values/places.ts";
import { bodyFields, mediaOf } from "../values/fields.ts";
import { askNew, create, findRight } from "../values/requests.ts";
import { type Judgement, type Law, type Unchecked, unchecked, type Verdicts } from "./law.ts";
import { isVolatile } from "./same-as.ts";

const MAX_CHANGES = 8;

interface Life {
  /** Path parameters of the creation: what is created stands below them. */
  readonly above: JsonObject;
  readonly rule: RuleOf<"lifecycle">;
  readonly operation: Operation;
  readonly key: unknown;
  readonly body: JsonObject;
}

export const lifecycleLaw: Law<"lifecycle"> = {
  cost: 24,
  needs: () => ["write"],
  judge: async function* judge(rule, operation, run) {
    const right = await findRight(run, operation.id);
    const above = typeof right === "string" ? {} : (right.ask.path ?? {});
    const before = rule.list === undefined ? undefined : await readList(run, rule.list, above);
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
    const life = { rule, operation, key, body, above: answer.ask.path ?? {} };
    yield* judgeSent(run, "create", { answer, body });
    // Where the creation went elsewhere, the list of before is another one.
    const isSamePlace = isDeepStrictEqual(above, life.above);
    yield* judgeRead(run, life, isSamePlace ? before : undefined);
    yield* judgeRefusedCreation(run, life);
    yield* judgeUpdates(run, life);
    yield* judgeDelete(run, life);
  },
};

/** The request of an operation below the key. */
function askFor(run: Run, id: string, { key, above }: Pick<Life, "key" | "above">): Ask {
  const parameter = run.operation(id).parameters.findLast((one) => one.in === "path");
  return { operation: id, path: { ...above, ...(parameter && { [parameter.name]: key }) } };
}

/** Of what was sent only what the answer shows is compared. What comes in another form of the same is only observed. */
function* judgeSent(
  run: Run,
  clause: "create" | "read",
  { answer, body }: { readonly answer: Answer; readonly body: JsonObject },
): Generator<Judgement> {
  const shown = unwrap(body, answer.json);
  const others = Object.keys(body).filter(
    (name) =>
      Object.hasOwn(shown, name) &&
      !isVolatile(run, name) &&
      !isDeepStrictEqual(shown[name], body[name]),
  );
  const isNormal = (name: string): boolean => isSameInOtherForm(body[name], shown[name]);
  const toFault = (name: string) => ({
    at: name,
    fault: `${name} is ${show(shown[name])}, and ${show(body[name])} was sent`,
  });
  const witness = "something created";
  const name = others.find((one) => !isNormal(one));
  yield { clause: `lifecycle.${clause}`, answer, witness, fault: name && toFault(name) };
  for (const one of others.filter(isNormal))
    yield { clause: "lifecycle.normal", answer, level: "observe", witness, fault: toFault(one) };
}

/** `{ data: { ... } }` around it. */
function unwrap(like: JsonObject, value: unknown): JsonObject {
  const names = Object.keys(like);
  const shares = (one: unknown) =>
    names.filter((name) => Object.hasOwn(toFields(one), name)).length;
  const inner = Object.values(toFields(value)).find((one) => shares(one) > shares(value));
  return toFields(inner ?? value);
}

/** A list below the same parents. */
async function readList(run: Run, id: string, above: JsonObject) {
  const list = run.listInfo(id) && (await findList(run, id));
  if (list === undefined) return undefined;
  const names = new Set(
    run
      .operation(id)
      .parameters.filter((one) => one.in === "path")
      .map(({ name }) => name),
  );
  const path = {
    ...list.path,
    ...Object.fromEntries(Object.entries(above).filter(([name]) => names.has(name))),
  };
  const read = await readAll(run, { operation: id, query: list.query, path });
  return { ...list, ...read, path, keys: read.rows.map((row) => keyOf(run, id, row)) };
}

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
  before: Awaited<ReturnType<typeof readList>>,
): Verdicts {
  const { rule, key, body } = life;
  if (rule.read !== undefined) {
    const ask = askFor(run, rule.read, life);
    const read = await run.settle(
      () => run.ask(ask),
      ({ status }) => status !== 404,
    );
    const got = read.value;
    run.noteRight(got);
    yield* judgeLag("read", got, read);
    if (got.isSuccess) yield* judgeSent(run, "read", { answer: got, body });
    else {
      const fault = `what was created is answered ${got.status}`;
      yield { clause: "lifecycle.read", answer: got, witness: "something created", fault };
    }
  }
  if (rule.list === undefined || before === undefined) return;
  const { list } = rule;
  const own = JSON.stringify(key);
  const settled = await run.settle(
    () => readList(run, list, life.above),
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
async function* judgeRefusedCreation(run: Run, { rule, operation, body }: Life): Verdicts {
  const path = run.own.find(operation, true)?.path;
  if (path === undefined || rule.list === undefined) return;
  const before = await readList(run, rule.list, path);
  const answer = await run.askAgain({ operation: operation.id, path, body });
  if (answer.isSuccess || before?.isWhole !== true) return;
  run.forget();
  const after = await readList(run, rule.list, path);
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
  const fields = [...bodyFields(run, update)].filter(([name]) => !run.own.isKeyName(update, name));
  let current = await run.ask(askFor(run, rule.read, life));
  if (!current.isSuccess) return;
  for (const [name, schema] of fields.slice(0, MAX_CHANGES)) {
    const shown = unwrap(life.body, current.json);
    if (!Object.hasOwn(shown, name)) continue;
    const value = change(run.document.schemas, schema, shown[name]);
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
  const shown = unwrap(life.body, current.json);
  const fields = [...bodyFields(run, update)];
  // PUT replaces the whole, PATCH what is given (RFC 9110, 9.3.4; RFC 5789).
  const known = fields
    .map(([one]) => [one, shown[one]] as const)
    .filter(([, one]) => one !== undefined);
  const whole = update.method === "PUT" ? Object.fromEntries(known) : {};
  const send = { ...askFor(run, rule.update, life), body: { ...whole, [name]: value } };
  yield* judgeStale(run, send, current);
  const fixed = Object.keys(whole).filter((one) => one !== name);
  const changed = await askNew(run, send, fixed);
  if (!changed.isSuccess) {
    const fault = { at: name, fault: `a right change of ${name} is answered ${changed.status}` };
    // Something of others may be in the way.
    const level = changed.status === 409 ? ("observe" as const) : undefined;
    const witness = "a right change";
    yield { clause: "lifecycle.update", answer: changed, witness, ...(level && { level }), fault };
    return undefined;
  }
  run.noteRight(changed);
  const after = await run.ask(askFor(run, rule.read, life));
  if (!after.isSuccess) return undefined;
  const sent = toFields(changed.ask.body)[name];
  yield* judgeChange(run, life, { name, value: sent, before: current, after, changed });
  return after;
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
  const { required } = schemas.view(schema);
  const shown = unwrap(life.body, current.json);
  const fields = [...bodyFields(run, update)];
  const full = fields.map(
    ([name, pointer]) =>
      [name, required.has(name) ? shown[name] : (shown[name] ?? make(schemas, pointer))] as const,
  );
  const optional = full.filter(
    ([name, value]) => !required.has(name) && value !== undefined && value !== null,
  );
  if (optional.length === 0) return;
  const ask = askFor(run, rule.update, life);
  const set = await run.askAgain({ ...ask, body: Object.fromEntries(full) });
  const bare = await run.askAgain({
    ...ask,
    body: Object.fromEntries(full.filter(([name]) => required.has(name))),
  });
  if (!set.isSuccess || !bare.isSuccess) return;
  const after = await run.ask(askFor(run, rule.read, life));
  const is = unwrap(life.body, after.json);
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

async function* judgeChange(
  run: Run,
  life: Life,
  { name, value, before, after, changed }: Change,
): Verdicts {
  const { body, rule } = life;
  const [was, is] = [unwrap(body, before.json), unwrap(body, after.json)];
  const witness = `a change of ${name}`;
  const fault = isDeepStrictEqual(is[name], value)
    ? undefined
    : { at: name, fault: `${name} was changed to ${show(value)}, and is ${show(is[name])}` };
  yield { clause: "lifecycle.update", answer: after, witness, fault };
  const answered = unwrap(body, changed.json);
  const isOther =
    changed.json !== undefined &&
    Object.hasOwn(answered, name) &&
    !isDeepStrictEqual(answered[name], value);
  yield {
    clause: "lifecycle.update",
    answer: changed,
    witness,
    fault: isOther
      ? {
          at: name,
          fault: `${name} was changed to ${show(value)}, and the answer shows ${show(answered[name])}`,
        }
      : undefined,
  };
  // What the service works out of other fields may follow them.
  const written = bodyFields(run, run.operation(rule.update ?? ""));
  const other = Object.keys(was).find(
    (one) =>
      one !== name &&
      written.has(one) &&
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
  const { rule, body } = life;
  if (rule.update === undefined || rule.read === undefined) return;
  const { schemas } = run.document;
  const update = run.operation(rule.update);
  const fields = [...bodyFields(run, update)].filter(([name]) => !run.own.isKeyName(update, name));
  const [bad] = fields.flatMap(([name, schema]) =>
    breakValue(schemas, schema, false)
      .filter(({ isBound }) => !isBound)
      .map(({ value }) => [name, value] as const),
  );
  if (bad === undefined) return;
  const other = fields.find(([name]) => name !== bad[0]);
  const good =
    other === undefined
      ? {}
      : { [other[0]]: change(schemas, other[1], unwrap(body, before.json)[other[0]]) };
  const refused = await run.askAgain({
    ...askFor(run, rule.update, life),
    body: { ...good, [bad[0]]: bad[1] },
  });
  if (refused.isSuccess) return;
  const after = await run.askAgain(askFor(run, rule.read, life));
  const [was, is] = [unwrap(body, before.json), unwrap(body, after.json)];
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
  if (update === undefined || (body === undefined && run.operation(update).method !== "PATCH"))
    return;
  const answer = await run.askAgain({ ...askFor(run, update, life), body: body ?? {} });
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
  const before = rule.list === undefined ? undefined : await readList(run, rule.list, life.above);
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
      ({ isSuccess }) => !isSuccess,
    );
    const gone = read.value;
    const isGone =
      rule.gone === undefined ? [404, 410].includes(gone.status) : gone.status === rule.gone;
    yield* judgeLag("gone", gone, read);
    yield {
      clause: "lifecycle.gone",
      answer: gone,
      witness: "something deleted",
      fault: isGone ? undefined : `what was deleted is answered ${gone.status}`,
    };
  }
  const again = await run.askAgain(ask);
  yield { clause: "lifecycle.again", answer: again, witness: "something deleted" };
  if (before?.isWhole === true) yield* judgeUnlisted(run, life, before);
  // Last: a PUT may create it again.
  yield* judgeUpdateOfGone(run, life);
}

/** What was deleted is not in the list any more, and all others are. */
async function* judgeUnlisted(
  run: Run,
  { rule, key, above }: Life,
  before: NonNullable<Awaited<ReturnType<typeof readList>>>,
): Verdicts {
  const { list } = rule;
  if (list === undefined) return;
  const own = JSON.stringify(key);
  const settled = await run.settle(
    () => readList(run, list, above),
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
