// Right requests: every parameter that is needed has a value that is known to be right, every body fits its schema.
import { isObject, type JsonObject } from "@call-media/contract-diff";
import type { Answer, Ask, Caller } from "../ask.ts";
import { isJson, type Media, type Operation } from "../document/document.ts";
import { type Run, toFields } from "../run.ts";
import { candidatesOf, knownValues } from "./candidates.ts";
import { findList } from "./lists.ts";
import { make } from "./make.ts";
import { at, toText } from "./places.ts";

export interface Right {
  readonly ask: Ask;
  /** Every identifier in it is known to exist: a refusal is a fault of the service. */
  readonly isSure: boolean;
}

/** A right request of an operation, or why there is none. Lists that its values come from are read first. */
export async function findRight(run: Run, id: string): Promise<Right | string> {
  const operation = run.operation(id);
  const list = run.listInfo(id) === undefined ? undefined : await findList(run, id);
  const path: Record<string, unknown> = {};
  const query: Record<string, unknown> = { ...list?.query };
  let isSure = true;
  for (const parameter of operation.parameters) {
    const isNeeded = parameter.in === "path" || (parameter.in === "query" && parameter.required);
    if (!isNeeded || query[parameter.name] !== undefined) continue;
    const [best] = candidatesOf(run, parameter);
    if (best === undefined) return `no value of ${parameter.name} was found`;
    isSure &&= best.isKnown;
    (parameter.in === "path" ? path : query)[parameter.name] = best.value;
  }
  const headers = requiredHeaders(run, operation);
  const shared = {
    operation: id,
    path,
    query,
    ...(Object.keys(headers).length > 0 && { headers }),
  };
  if (operation.body === undefined) return { ask: shared, isSure };
  const [body] = bodiesOf(run, operation);
  if (body === undefined)
    return operation.body.required ? "its request body is no JSON" : { ask: shared, isSure };
  return { ask: { ...shared, body: body.value }, isSure: isSure && body.isSure };
}

function requiredHeaders(run: Run, { parameters }: Operation): Record<string, string> {
  const needed = parameters.filter((one) => one.in === "header" && one.required);
  return Object.fromEntries(
    needed.map((one) => [one.name, toText(candidatesOf(run, one)[0]?.value ?? "probe")]),
  );
}

export const jsonMediaOf = ({ body }: Operation): Media | undefined =>
  body?.media.find(({ type }) => isJson(type));

/** The schemas of the fields of an operation's body, without those that only the service writes. */
export function bodyFields(run: Run, operation: Operation): ReadonlyMap<string, string> {
  const { schemas } = run.document;
  const schema = jsonMediaOf(operation)?.schema;
  if (schema === undefined) return new Map();
  const view = schemas.view(schema);
  const [choice] = view.choices;
  const properties = new Map([
    ...(choice === undefined ? [] : schemas.view(choice).properties),
    ...view.properties,
  ]);
  return new Map(
    [...properties].filter(([, pointer]) => schemas.view(pointer).said["readOnly"] !== true),
  );
}

/** Right bodies, best first: one that succeeded before, the document's examples, one of every field, one of the required ones. */
export function bodiesOf(
  run: Run,
  operation: Operation,
): { readonly value: unknown; readonly isSure: boolean }[] {
  const known = run.found.bodies.get(operation.id);
  const media = jsonMediaOf(operation);
  if (media === undefined) return [];
  const made = media.schema === undefined ? {} : make(run.document.schemas, media.schema);
  const required =
    media.schema === undefined
      ? new Set<string>()
      : run.document.schemas.view(media.schema).required;
  const least = Object.fromEntries(
    Object.entries(toFields(made)).filter(([name]) => required.has(name)),
  );
  const written = [...media.examples, made, ...(isObject(made) ? [least] : [])];
  const bodies = written.map((body) => withKnown(run, operation, body));
  return [...(known === undefined ? [] : [{ value: known, isSure: true }]), ...bodies];
}

/** A body whose identifiers are those that the service gave. */
function withKnown(
  run: Run,
  operation: Operation,
  body: unknown,
): { value: unknown; isSure: boolean } {
  if (!isObject(body)) return { value: body, isSure: true };
  const fields = bodyFields(run, operation);
  let isSure = true;
  const entries = Object.entries(body).flatMap(([name, value]) => {
    const [known] = knownValues(run, name);
    const isKey =
      run.relations.values[name] !== undefined || isIdentifier(run, name, fields.get(name));
    if (isKey && known === undefined) isSure = false;
    // A key that the creation itself gives out need not be sent, and an example's may be taken.
    if (isKey && known === undefined && value !== undefined && isGiven(run, operation, name))
      return [];
    return [
      [
        name,
        isKey ? (isGiven(run, operation, name) ? undefined : (known ?? value)) : value,
      ] as const,
    ];
  });
  return { value: Object.fromEntries(entries.filter(([, value]) => value !== undefined)), isSure };
}

function isIdentifier(run: Run, name: string, schema: string | undefined): boolean {
  const format =
    schema === undefined ? undefined : run.document.schemas.view(schema).said["format"];
  return format === "uuid" || /(?:^|_|[a-z])(?:id|Id|ID)$/.test(name);
}

/** Whether the field is the key of what this operation creates. */
function isGiven(run: Run, { id }: Operation, name: string): boolean {
  const lifecycle = run.relations.rules.find(
    (rule) => rule.kind === "lifecycle" && rule.of.includes(id),
  );
  const list = lifecycle?.kind === "lifecycle" ? lifecycle.list : undefined;
  const keys = list === undefined ? [] : (run.listInfo(list)?.key ?? []);
  const source = run.relations.values[name];
  return source === id || keys.includes(name) || (list !== undefined && source === list);
}

export interface Created {
  readonly answer: Answer;
  readonly body: JsonObject;
  /** The key that the service gave, by the name under which operations take it. */
  readonly key: unknown;
}

/** Creates something by the first right body that succeeds, or says why nothing could be created. */
export async function create(
  run: Run,
  id: string,
  options: { readonly caller?: Caller; readonly body?: JsonObject } = {},
): Promise<Created | string> {
  if (!run.mayWrite) return "needs --write";
  const right = await findRight(run, id);
  if (typeof right === "string") return right;
  const operation = run.operation(id);
  const bodies =
    options.body === undefined ? bodiesOf(run, operation) : [{ value: options.body, isSure: true }];
  let refused = "it has no request body";
  for (const { value } of bodies.length > 0 ? bodies : [{ value: undefined }]) {
    const answer = await run.askAgain({
      ...right.ask,
      ...(value !== undefined && { body: value }),
      ...(options.caller && { caller: options.caller }),
    });
    if (!answer.isSuccess) {
      refused = `a right body is answered ${answer.status}`;
      continue;
    }
    run.noteRight(answer);
    const body = toFields(value);
    if (options.caller === undefined && options.body === undefined) run.found.bodies.set(id, body);
    return { answer, body, key: noteMade(run, id, answer) };
  }
  return refused;
}

/** Keeps the keys of what was created, for parameters whose values come from this operation or its list. */
function noteMade(run: Run, id: string, { json }: Answer): unknown {
  const lifecycle = run.relations.rules.find(
    (rule) => rule.kind === "lifecycle" && rule.of.includes(id),
  );
  const list = lifecycle?.kind === "lifecycle" ? lifecycle.list : undefined;
  const key = (list === undefined ? undefined : run.listInfo(list)?.key[0]) ?? "id";
  const keep = list === undefined;
  const made = Object.entries(run.relations.values).flatMap(([name, source]) => {
    const [operation, place] = source.split("#", 2);
    if (operation !== id && operation !== list) return [];
    const value =
      (operation === id && place !== undefined ? at(json, place.replace(/^\//, "")) : undefined) ??
      at(json, name) ??
      at(json, key);
    if (value !== undefined && keep) run.made.set(name, value);
    return value === undefined ? [] : [value];
  });
  return made[0] ?? at(json, key);
}
