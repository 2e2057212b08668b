// Input that a schema rejects must not succeed, tried with one fault at a time. Permitted input must not cause a server error.
import { isDeepStrictEqual } from "node:util";
import { isObject, type JsonObject } from "@call-media/contract-diff";
import type { Answer, Ask } from "../ask.ts";
import { SAFE_METHODS } from "../ask.ts";
import { isJson, type Operation, type Parameter } from "../document/document.ts";
import { unchecked, type Verdicts } from "../laws/law.ts";
import { type Run, toFields } from "../run.ts";
import { breakValue } from "../values/break.ts";
import { isVolatile } from "../laws/same-as.ts";
import { findList, rowsOf } from "../values/lists.ts";
import { change, HARD_TEXT, hardValues, make } from "../values/make.ts";
import { at, toText, withoutValue, withValue } from "../values/places.ts";
import { bodyFields, mediaOf, placesOf, toShown } from "../values/fields.ts";
import { askNew, findRight } from "../values/requests.ts";
import type { DocumentRule } from "./rule.ts";

export const input: DocumentRule = {
  name: "input",
  clauses: ["input.refused", "input.unchanged"],
  cost: ({ parameters, body }) => parameters.length * 2 + (body === undefined ? 0 : 10),
  applies: ({ parameters, body }) => parameters.length > 0 || body !== undefined,
  needs: ({ method }) => (SAFE_METHODS.has(method) ? [] : ["write"]),
  isBetween: false,
  judge: async function* judge(operation, run) {
    const right = await findRight(run, operation.id);
    if (typeof right === "string") {
      yield unchecked("input", right);
      return;
    }
    yield* judgeParameters(run, operation, right.ask);
    if (operation.body !== undefined && isObject(right.ask.body))
      yield* judgeUnchanged(run, operation, { ...right.ask, body: right.ask.body });
  },
};

/** Tries wrong bodies. A strict check also tests whether all of them together changed anything. */
async function* judgeUnchanged(
  run: Run,
  operation: Operation,
  base: Ask & { readonly body: JsonObject },
): Verdicts {
  const heeded = await findHeeded(run, base);
  const isWriting = !SAFE_METHODS.has(operation.method) && run.isStrict;
  const before = isWriting ? await readState(run, operation, base) : undefined;
  let refused: Answer | undefined;
  let isTaken = false;
  for await (const verdict of judgeBody(run, operation, { base, heeded })) {
    if ("answer" in verdict && verdict.answer.isSuccess) isTaken = true;
    else if ("answer" in verdict) refused = verdict.answer;
    yield verdict;
  }
  if (before === undefined || refused === undefined || isTaken) return;
  const after = await readState(run, operation, base);
  yield {
    clause: "input.unchanged",
    answer: refused,
    witness: "a refused body",
    level: "should",
    fault: isDeepStrictEqual(before, after)
      ? undefined
      : "what GET shows has changed, although every body was refused",
  };
}

/** What GET returns at the same path: all rows of a list, or the thing itself. */
async function readState(run: Run, { path }: Operation, base: Ask): Promise<unknown> {
  const reader = [...run.document.operations.values()].find(
    (one) => one.method === "GET" && one.path === path,
  );
  if (reader === undefined) return undefined;
  run.forget();
  if (run.listInfo(reader.id) !== undefined) return (await findList(run, reader.id))?.rows;
  const { json } = await run.ask({ operation: reader.id, ...(base.path && { path: base.path }) });
  return Object.fromEntries(
    Object.entries(toFields(json)).filter(([name]) => !isVolatile(run, name)),
  );
}

/** A document without a response for wrong input does not promise a rejection: many services ignore malformed values. */
const promisesRefusal = ({ responses }: Operation): boolean =>
  responses.some(({ status }) => /^(?:400|422|4XX|default)$/i.test(status));

const lenient = (operation: Operation) =>
  promisesRefusal(operation) ? {} : { level: "should" as const };

const placeOf = ({ in: where }: Parameter) =>
  where === "path" ? "path" : where === "query" ? "query" : undefined;

async function* judgeParameters(run: Run, operation: Operation, base: Ask): Verdicts {
  const { schemas } = run.document;
  for (const parameter of operation.parameters) {
    const where = placeOf(parameter);
    const { name, schema, required } = parameter;
    if (where === undefined || schema === undefined) continue;
    // A service that reads 12x as 12 would change a thing of others.
    if (where === "path" && !run.own.isReading(operation)) continue;
    const faults = breakValue(schemas, schema, true);
    // Many paths share the same identifier: each of them gets one of its faults.
    const index = [...run.document.operations.keys()].indexOf(operation.id);
    const chosen =
      where === "path"
        ? faults.filter((_, turn) => turn === index % faults.length)
        : faults.filter(({ isBound }) => !isBound || isOfPages(run, operation, name));
    for (const { value, how, isBound } of chosen) {
      const answer = await run.ask({ ...base, [where]: { ...base[where], [name]: value } });
      const fault = {
        at: `${name} ${how}`,
        fault: `${name}=${toText(value)} ${how}, and is answered ${answer.status}`,
      };
      if (!isBound)
        yield {
          clause: "input.refused",
          answer,
          witness: `${name} that ${how}`,
          ...(where === "query" && lenient(operation)),
          fault: answer.isSuccess ? fault : undefined,
        };
      else yield* judgeBound(run, answer, { parameter, fault });
    }
    if (where === "query" && required) {
      const answer = await run.ask({ ...base, query: { ...base.query, [name]: undefined } });
      yield {
        clause: "input.refused",
        answer,
        witness: `no ${name}`,
        ...lenient(operation),
        fault: answer.isSuccess
          ? {
              at: name,
              fault: `without ${name}, which is required, the answer is ${answer.status}`,
            }
          : undefined,
      };
    }
    if (where === "query") yield* judgeRight(run, parameter, base);
  }
}

/** Other parameters may accept a value beyond a bound, and the response would not show it. */
function isOfPages(run: Run, { id }: Operation, name: string): boolean {
  const { index, size } = run.ruleOf("page", id) ?? {};
  return name === index || name === size;
}

/** A service may clamp a number to its bounds, if the response respects them. */
async function* judgeBound(
  run: Run,
  answer: Answer,
  {
    parameter,
    fault,
  }: {
    readonly parameter: Parameter;
    readonly fault: { readonly at: string; readonly fault: string };
  },
): Verdicts {
  const { name, schema = "" } = parameter;
  const most = run.document.schemas.view(schema).said["maximum"];
  const rule = run.ruleOf("page", answer.operation.id);
  const isBroken =
    answer.isSuccess &&
    rule?.size === name &&
    typeof most === "number" &&
    rowsOf(run, answer).length > most;
  yield {
    clause: "input.bounds",
    answer,
    witness: `${name} beyond its bounds`,
    ...(!isBroken && { level: "observe" as const }),
    fault: answer.isSuccess ? fault : undefined,
  };
}

/** Each member of an enum, both booleans, the bounds, and text in many scripts. */
async function* judgeRight(run: Run, { name, schema = "" }: Parameter, base: Ask): Verdicts {
  const values = hardValues(run.document.schemas, schema);
  const isText = values.includes(HARD_TEXT);
  for (const value of values.slice(0, isText ? 1 : 3)) {
    const answer = await run.ask({ ...base, query: { ...base.query, [name]: value } });
    const isFree = value === HARD_TEXT || typeof value === "string";
    // Free text may be rejected for its meaning. Only a server error is a fault, which is checked on every response.
    yield {
      clause: "input.right",
      answer,
      witness: `${name}=${toText(value).slice(0, 40)}`,
      ...(isFree && { level: "observe" as const }),
      fault:
        answer.isSuccess || [401, 403, 404].includes(answer.status)
          ? undefined
          : {
              at: name,
              fault: `${name}=${toText(value).slice(0, 40)}, which its schema allows, is answered ${answer.status}`,
            },
    };
  }
}

interface Wrong {
  readonly base: Ask & { readonly body: JsonObject };
  /** Fields that the service uses. */
  readonly heeded: ReadonlySet<string>;
}

async function* judgeBody(run: Run, operation: Operation, { base, heeded }: Wrong): Verdicts {
  const { schemas } = run.document;
  const media = mediaOf(operation);
  if (media?.schema === undefined) return;
  const least = make(schemas, media.schema, true);
  const isRequired = (name: string): boolean => at(least, name) !== undefined;
  const fields = bodyFields(run, operation);
  const told = (answer: Answer, how: string, isHeeded = true) => ({
    clause: "input.refused",
    answer,
    witness: `a body ${how}`,
    ...lenient(operation),
    // A field that the service does not use may have any value.
    ...(!isHeeded && { level: "observe" as const }),
    fault: answer.isSuccess
      ? { at: how, fault: `a body ${how} is answered ${answer.status}` }
      : undefined,
  });
  // A PATCH may omit fields that the same schema requires for the complete thing. A field with a default need not be sent.
  const isNeeded = (schema: string): boolean =>
    operation.method !== "PATCH" && schemas.view(schema).said["default"] === undefined;
  for (const [name, schema] of fields) {
    if (!isRequired(name) || at(base.body, name) === undefined) continue;
    const answer = await run.askAgain({ ...base, body: withoutValue(base.body, name) });
    yield told(answer, `without ${name}, which is required,`, isNeeded(schema));
  }
  for (const [name, schema] of fields) {
    if (run.own.isKeyName(operation, name)) continue;
    const faults = breakValue(schemas, schema, !isJson(media.type));
    const chosen = [
      ...faults
        .filter(({ isBound }) => !isBound)
        .slice(0, isTold(schemas.view(schema).said) ? 2 : 1),
      ...faults.filter(({ isBound }) => isBound),
    ];
    for (const { value, how } of chosen) {
      const answer = await run.askAgain({ ...base, body: withValue(base.body, name, value) });
      const isHeeded =
        isRequired(name) ||
        (heeded.has(name) && (!answer.isSuccess || (await isUsed(run, base, [name, schema]))));
      yield told(answer, `whose ${name} ${how}`, isHeeded);
    }
  }
  if (!isJson(media.type)) return;
  yield told(await run.askAgain({ ...base, text: '{"a":' }), "that is no JSON");
  yield told(await run.askAgain({ ...base, text: "[]" }), "that is an array");
}

/** Fields whose value the response repeats, so that the service uses them. */
async function findHeeded(
  run: Run,
  base: Ask & { readonly body: JsonObject },
): Promise<ReadonlySet<string>> {
  const { bodies, successes } = run.found;
  const body = bodies.get(base.operation) ?? base.body;
  const answer = successes.get(base.operation) ?? (await run.askAgain({ ...base, body }));
  const places = placesOf(run, answer.operation, body);
  const shown = toShown(places, answer.json);
  return new Set(places.filter((place) => isDeepStrictEqual(shown[place], at(body, place))));
}

/** True if another value of the field is also repeated: the first one may have been a constant of the service. */
async function isUsed(
  run: Run,
  base: Ask & { readonly body: JsonObject },
  [name, schema]: readonly [name: string, schema: string],
): Promise<boolean> {
  const other = change(run.document.schemas, schema, at(base.body, name));
  if (other === undefined) return true;
  const answer = await askNew(run, { ...base, body: withValue(base.body, name, other) }, [name]);
  const shown = toShown([name], answer.json);
  return !answer.isSuccess || !Object.hasOwn(shown, name) || isDeepStrictEqual(shown[name], other);
}

/** Formats and enums are validated by other code than the type. */
const isTold = ({ format, enum: choices }: JsonObject): boolean =>
  format !== undefined || choices !== undefined;
