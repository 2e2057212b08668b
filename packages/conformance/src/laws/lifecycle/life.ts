// The life of a created thing: its location, the requests for it, and the form of its clauses.
import { isObject, type JsonObject } from "@call-media/contract-diff";
import type { Answer, Ask } from "../../ask.ts";
import type { Operation } from "../../document/document.ts";
import type { RuleOf } from "../../relations/kinds.ts";
import type { Run, Settled } from "../../run.ts";
import { toItems } from "../../items.ts";
import { toObject } from "../../values/places.ts";
import { withKey } from "../../values/bodies.ts";
import { bodyFields } from "../../values/fields.ts";
import { isVersion } from "../../values/requests.ts";
import type { Judgement } from "../law.ts";

export interface Life {
  /** Path parameters of the creation: the thing is located below them. */
  readonly above: JsonObject;
  readonly rule: RuleOf<"lifecycle">;
  readonly operation: Operation;
  readonly key: unknown;
  /** The values sent, by the places of their fields. */
  readonly sent: JsonObject;
}

/** Path parameters without the key. A PUT that creates has the key in its path. */
export const toAbove = (run: Run, operation: Operation, path: JsonObject = {}): JsonObject =>
  Object.fromEntries(
    Object.entries(path).filter(
      ([name]) => operation.method !== "PUT" || name !== run.own.targetOf(operation)?.name,
    ),
  );

/** The request of an operation for the thing's current key, which a change may have replaced. */
export function askFor(run: Run, id: string, { key, above }: Pick<Life, "key" | "above">): Ask {
  const name = nameOf(run, id);
  if (name === undefined) return { operation: id, path: above };
  const now = run.own.keyNow(run.operation(id), { ...above, [name]: key });
  return { operation: id, path: { ...above, [name]: now } };
}

/** The name of the key in an operation. */
export function nameOf(run: Run, id: string): string | undefined {
  const operation = run.operation(id);
  const parameter = operation.parameters.findLast((one) => one.in === "path");
  return parameter?.name ?? run.own.targetOf(operation)?.name;
}

/** A change of the thing with these fields. The body names the thing if it must. */
export function askChange(run: Run, life: Life, fields: JsonObject): Ask {
  const { update = "" } = life.rule;
  const ask = askFor(run, update, life);
  const keyed = { value: toObject(Object.entries(fields)), path: ask.path ?? {}, isKeyed: false };
  return { ...ask, body: withKey(run, run.operation(update), keyed) };
}

/** The fields that an operation may change, with their schemas. */
export const changeable = (run: Run, update: Operation) =>
  [...bodyFields(run, update)].filter(
    ([place, pointer]) =>
      !run.own.isKeyName(update, place) &&
      !isVersion(place) &&
      !isDiscriminator(run, pointer) &&
      !toItems(update.path).some(({ name }) => name === place.split("/").at(-1)),
  );

/** True for the field that says which schema a thing has: another value makes it another thing. */
function isDiscriminator({ document: { schemas } }: Run, pointer: string): boolean {
  const [, parent, name] = /^(.*)\/properties\/([^/]+)$/.exec(pointer) ?? [];
  const { discriminator } = parent === undefined ? {} : schemas.view(parent).said;
  return isObject(discriminator) && discriminator["propertyName"] === name;
}

export const CREATED = "something created";
export const DELETED = "something deleted";

export const judged = (
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

/** A service may take a moment to show a write. */
export function* judgeLag(
  clause: string,
  answer: Answer,
  { afterMs }: Settled<unknown>,
): Generator<Judgement> {
  const fault = `it shows after ${(afterMs / 1_000).toFixed(1)} s`;
  if (afterMs > 0) yield judged(clause, answer, { witness: "a write", isObserved: true, fault });
}
