// A change is visible and leaves the other fields unchanged; a refused one changes nothing.
import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@call-media/contract-diff";
import type { Answer, Ask } from "../../ask.ts";
import type { Operation } from "../../document/document.ts";
import { type Run, toFields } from "../../run.ts";
import { listOf } from "../../document/schemas.ts";
import { isSameInOtherForm, isWithin } from "../../values/normal.ts";
import { breakValue } from "../../values/break.ts";
import { change, isFit, make, typeOf } from "../../values/make.ts";
import { at, show, toText } from "../../values/places.ts";
import { withReferences } from "../../values/bodies.ts";
import { bodyFields, mediaOf, toShown, withMembers } from "../../values/fields.ts";
import { askNew, isVersion } from "../../values/requests.ts";
import type { Judgement, Unchecked, Verdicts } from "../law.ts";
import { isVolatile } from "../same-as.ts";
import { askChange, askFor, changeable, judged, type Life } from "./life.ts";

const MAX_CHANGES = 8;

export async function* judgeUpdates(run: Run, life: Life): Verdicts {
  const { update: id, read } = life.rule;
  if (id === undefined || read === undefined) return;
  const sent: Record<string, unknown> = { ...life.sent };
  const changing = { ...life, update: run.operation(id), read, sent };
  const fields = withMembers(run.document, changeable(run, changing.update), life.sent);
  const places = fields.map(([place]) => place);
  let current = await run.ask(askFor(run, read, life));
  if (!current.isSuccess) return;
  let changes = 0;
  for (const [name, schema] of fields) {
    const shown = toSent(run, changing, toShown(places, current.json));
    if (!Object.hasOwn(shown, name) || (changes += 1) > MAX_CHANGES) continue;
    const value = withReferences(run, changing.update, [
      name,
      change(run.document.schemas, schema, shown[name]),
    ]);
    if (isDeepStrictEqual(value, shown[name])) continue;
    // A nullable field is set to null after it has a value.
    const isNullable = run.document.schemas.view(schema).types.includes("null");
    const values = [
      ...(value === undefined ? [] : [value]),
      ...(isNullable && value !== null ? [null] : []),
    ];
    for (const one of values) {
      const after = yield* judgeUpdate(run, changing, { name, value: one, current });
      if (after === undefined) break;
      current = after;
      sent[name] = one;
    }
  }
  yield* judgeReplaced(run, changing, current);
  yield* judgeRefused(run, changing, await run.ask(askFor(run, read, life)));
}

/** A life with an operation that changes the thing and one that reads it. */
interface Changing extends Life {
  readonly update: Operation;
  readonly read: string;
}

interface Update {
  readonly name: string;
  readonly value: unknown;
  readonly current: Answer;
}

/** @returns the thing as read after the change, if it was made. */
async function* judgeUpdate(
  run: Run,
  life: Changing,
  { name, value, current }: Update,
): AsyncGenerator<Judgement | Unchecked, Answer | undefined> {
  const { update } = life;
  const fields = listPlaces(run, life);
  const shown = toSent(run, life, toShown(fields, current.json));
  const least = makeLeast(run, update);
  // PUT replaces the complete thing, PATCH only the given fields (RFC 9110, 9.3.4; RFC 5789). Both include required fields.
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
    // Things of others may cause a conflict. Generators write "or null" at fields that a service then requires.
    const isObserved = changed.status === 409 || value === null || !isAllowed(run, life, name);
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

/** Shown values as they are sent: `rate: "20"` may be shown as 20. */
function toSent(run: Run, { update, sent }: Changing, shown: JsonObject): JsonObject {
  const schemas = bodyFields(run, update);
  const toOne = ([place, one]: readonly [string, unknown]) => {
    const schema = schemas.get(place);
    const isRight = schema === undefined || isFit(run.document.schemas, schema, one);
    return [place, isRight || !Object.hasOwn(sent, place) ? one : sent[place]] as const;
  };
  return Object.fromEntries(Object.entries(shown).map(toOne));
}

/** The places of the fields that a change may have. */
const listPlaces = (run: Run, { update, sent }: Changing): readonly string[] =>
  withMembers(run.document, bodyFields(run, update), sent).map(([place]) => place);

/** The minimal body of an operation. */
function makeLeast(run: Run, operation: Operation): unknown {
  const schema = mediaOf(operation)?.schema;
  return schema === undefined ? {} : make(run.document.schemas, schema, true);
}

/** True if the document lists all values of a field, or the service accepted a made-up one. Otherwise it may have rules of its own. */
function isAllowed(run: Run, { sent, update }: Changing, name: string): boolean {
  const schema = bodyFields(run, update).get(name);
  if (schema === undefined) return false; // a member of a map, whose names and rules only the service knows
  const view = run.document.schemas.view(schema);
  const type = typeOf(view);
  const isFree = type === "array" || (type === "string" && view.said["enum"] === undefined);
  return !isFree || /probe/.test(toText(sent[name]));
}

/** If If-Match is documented, a change based on another state is refused (RFC 9110, 13.1.1). */
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

/** A PUT removes the fields that it leaves out (RFC 9110, 9.3.4). Many services keep them, and few documents say so. */
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
  /** Before the change. */
  readonly was: unknown;
  readonly came: unknown;
  readonly how: string;
  /** True if the change may add to a list, and not replace it. */
  readonly mayAdd: boolean;
}

/** A value in an equivalent form is only observed, as after the creation; and so is a list to which the sent items were added. */
function judgeValue(answer: Answer, changed: Changed): Judgement {
  const { name, value, was, came, how, mayAdd } = changed;
  const isSame = isDeepStrictEqual(came, value);
  const isAdded =
    mayAdd &&
    !isWithin(listOf(value), listOf(was)) &&
    isWithin([value, was].flatMap(listOf), listOf(came));
  const isObserved = !isSame && (isAdded || isSameInOtherForm(value, came));
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
  const written = listPlaces(run, life);
  const [was, is, answered] = [before, after, changed].map(({ json }) =>
    toShown(written, json),
  ) as [JsonObject, JsonObject, JsonObject];
  const witness = `a change of ${name}`;
  const mayAdd = life.update.method !== "PUT" && Array.isArray(value) && Array.isArray(was[name]);
  const told = { name, value, was: was[name], mayAdd };
  yield judgeValue(after, { ...told, came: is[name], how: "is" });
  if (Object.hasOwn(answered, name))
    yield judgeValue(changed, { ...told, came: answered[name], how: "the answer shows" });
  // Fields that the service derives from others may change with them.
  const other = Object.keys(was).find(
    (one) => one !== name && !isVersion(one) && isOther(run, one, [was, is]),
  );
  const fault = other && {
    at: other,
    fault: `${other} was not sent, and changed from ${show(was[other])} to ${show(is[other])}`,
  };
  yield judged("keeps", after, { witness, fault });
  const [old, current] = [before, after].map(({ headers }) => headers.get("ETag"));
  if (!old || !current || isDeepStrictEqual(before.json, after.json)) return;
  const stays = old === current ? "the ETag stays while the content changes" : undefined;
  yield judged("validators", after, { witness, fault: stays });
  const ask = { ...askFor(run, life.read, life), headers: { "If-None-Match": old } };
  const conditional = await run.ask(ask);
  const isTaken = conditional.status === 304;
  const taken = isTaken ? "an ETag of before the change is answered 304" : undefined;
  yield judged("validators", conditional, { witness, fault: taken });
}

/** True if a field that does not change by itself has another value. */
const isOther = (run: Run, name: string, [was, is]: readonly [JsonObject, JsonObject]): boolean =>
  !isVolatile(run, name) && !isDeepStrictEqual(was[name], is[name]);

/** A refused change leaves everything unchanged. */
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
