// How much of a document the responses of a run have covered: fields and parameters with two values, enum members, statuses.
import { isObject } from "@call-media/contract-diff";
import { type Answer, type Ask, SAFE_METHODS } from "./ask.ts";
import { type ApiDocument, isJson, type Operation, type Response } from "./document/document.ts";
import type { View } from "./document/schemas.ts";
import type { ApiCoverage, Share } from "./report.ts";
import { toIdentity } from "./values/places.ts";

export interface CoverageNotes {
  readonly note: (answer: Answer) => void;
  readonly toCoverage: () => ApiCoverage;
}

const MAX_DEPTH = 6;
/** Only the first elements of a long array count. */
const MAX_ELEMENTS = 100;

export function createCoverage(document: ApiDocument): CoverageNotes {
  const { schemas, operations } = document;
  const statuses = new Set<string>();
  /** Values by field, at most two. */
  const values = new Map<string, Set<string>>();
  /** By schema: members of its enum. */
  const members = new Map<string, Set<string>>();
  /** By parameter and the rest of the request: the result of each value. */
  const effects = new Map<string, Map<string, string>>();
  const told = new Set<string>();

  const noteValue = (name: string, view: View, value: unknown): void => {
    const isWhole = typeof value === "object" && value !== null;
    if (isWhole && Object.keys(value).length === 0) return;
    const seen = values.get(name) ?? new Set();
    // A container with content counts as seen; its content has the values.
    if (isWhole) seen.add("0").add("1");
    else if (seen.size < 2) seen.add(toIdentity(value));
    values.set(name, seen);
    if (Array.isArray(view.said["enum"]))
      members.set(view.pointer, (members.get(view.pointer) ?? new Set()).add(toIdentity(value)));
  };

  const visit = (value: unknown, pointer: string, name: string): void => {
    const view = schemas.view(pointer);
    noteValue(name, view, value);
    if (Array.isArray(value) && view.items !== undefined)
      for (const one of value.slice(0, MAX_ELEMENTS)) visit(one, view.items, toInner(name, "*"));
    if (isObject(value))
      for (const [key, inner] of fieldsOf(document, view))
        if (Object.hasOwn(value, key)) visit(value[key], inner, toInner(name, key));
  };

  const noteParameters = ({ ask, operation, sha256 }: Answer): void => {
    for (const { name, in: where } of operation.parameters) {
      if ((where !== "query" && where !== "path") || told.has(toName(operation, name))) continue;
      const { [name]: value, ...others } = ask[where] ?? {};
      const rest = toIdentity({ ...toRest(ask), [where]: others });
      const key = `${toName(operation, name)} ${rest}`;
      const came = effects.get(key) ?? new Map<string, string>();
      effects.set(key, came.set(toIdentity(value ?? null), sha256));
      if (new Set(came.values()).size > 1) told.add(toName(operation, name));
    }
  };

  return {
    note: (answer) => {
      const { operation, isSuccess, json, status } = answer;
      const response = findResponse(operation, status);
      if (response === undefined) return;
      statuses.add(toName(operation, response.status));
      if (!isSuccess) return;
      noteParameters(answer);
      const schema = schemaOf(response);
      if (json !== undefined && schema !== undefined) visit(json, schema, `${operation.id} `);
    },
    toCoverage: () => {
      const all = [...operations.values()];
      const fields = all.flatMap((operation) => [...listFields(document, operation)]);
      const free = fields.filter(({ view: { said } }) => !isFixed(said));
      // A shared enum gets its name from the first operation that has it.
      const enums = new Map(
        fields
          .toReversed()
          .flatMap(({ name, view }) =>
            Array.isArray(view.said["enum"]) && !isFixed(view.said)
              ? [[view.pointer, { name, listed: view.said["enum"] }] as const]
              : [],
          ),
      );
      return {
        statuses: toShare(
          statuses,
          all.flatMap((one) => one.responses.map(({ status }) => toName(one, status))),
        ),
        fields: toShare(
          new Set([...values].filter(([, seen]) => seen.size > 1).map(([name]) => name)),
          [...new Set(free.map(({ name }) => name))],
        ),
        parameters: toShare(
          told,
          // The response to a write says little about its effect.
          all
            .filter(({ method }) => SAFE_METHODS.has(method))
            .flatMap((one) =>
              one.parameters
                .filter(({ in: where }) => where === "query" || where === "path")
                .map(({ name }) => toName(one, name)),
            ),
        ),
        values: [...enums].map(([pointer, { name, listed }]) => {
          const seen = members.get(pointer) ?? new Set();
          const missing = listed.filter((one) => !seen.has(toIdentity(one)));
          return {
            place: name,
            seen: listed.length - missing.length,
            of: listed.length,
            missing,
          };
        }),
      };
    },
  };
}

const toName = ({ id }: Operation, name: string): string => `${id} ${name}`;

/** `listRows rows/*\/id`: the place follows the operation. */
const toInner = (name: string, key: string): string =>
  name.endsWith(" ") ? `${name}${key}` : `${name}/${key}`;

/** The parts of a request that contain no parameter values. */
const toRest = ({ path, query, headers, caller, method }: Ask) => ({
  path,
  query,
  headers,
  caller: caller === null ? "nobody" : caller?.name,
  method,
});

/** True for a schema that permits only one value. */
const isFixed = (said: View["said"]): boolean =>
  "const" in said || (Array.isArray(said["enum"]) && said["enum"].length < 2);

const schemaOf = ({ media }: Response): string | undefined =>
  media.find(({ type }) => isJson(type))?.schema;

const findResponse = ({ responses }: Operation, status: number): Response | undefined =>
  responses.find((one) => one.status === String(status)) ??
  responses.find((one) => one.status.toUpperCase() === `${Math.floor(status / 100)}XX`) ??
  responses.find((one) => one.status === "default");

/** For a choice of several schemas: the fields of all of them. */
function fieldsOf({ schemas }: ApiDocument, view: View): ReadonlyMap<string, string> {
  const chosen = view.choices.flatMap((one) => [...schemas.view(one).properties]);
  return chosen.length === 0 ? view.properties : new Map([...chosen, ...view.properties]);
}

export interface Field {
  /** `listRows rows/*\/id` */
  readonly name: string;
  readonly view: View;
  readonly isRequired: boolean;
}

/** All fields in successful responses of an operation. Shared fields occur twice. */
export function* listFields(document: ApiDocument, operation: Operation): Generator<Field> {
  const visit = function* (
    pointer: string,
    name: string,
    within: readonly string[],
  ): Generator<Field> {
    const view = document.schemas.view(pointer);
    if (within.length > MAX_DEPTH || within.includes(view.pointer)) return;
    const inside = [...within, view.pointer];
    if (view.items !== undefined) yield* visit(view.items, toInner(name, "*"), inside);
    for (const [key, inner] of fieldsOf(document, view)) {
      yield {
        name: toInner(name, key),
        view: document.schemas.view(inner),
        isRequired: view.required.has(key),
      };
      yield* visit(inner, toInner(name, key), inside);
    }
  };
  for (const response of operation.responses) {
    const schema = response.status.startsWith("2") ? schemaOf(response) : undefined;
    if (schema !== undefined) yield* visit(schema, `${operation.id} `, []);
  }
}

export function toShare(seen: ReadonlySet<string>, all: readonly string[]): Share {
  const missing = all.filter((name) => !seen.has(name));
  return { seen: all.length - missing.length, of: all.length, missing };
}
