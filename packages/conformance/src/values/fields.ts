// What a request may say: the fields of its body, their schemas, and the key of a thing.
import type { Ask } from "../ask.ts";
import { isJson, type Media, type Operation, type Parameter } from "../document/document.ts";
import type { Run } from "../run.ts";

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

/** The schema of a parameter, or of a field of the body for `body/agent`. */
export function schemaOf(run: Run, operation: Operation, name: string): string | undefined {
  const [, field] = /^body\/(.+)$/.exec(name) ?? [];
  return field === undefined
    ? operation.parameters.find((one) => one.name === name)?.schema
    : bodyFields(run, operation).get(field);
}

/** The same request about the thing of this key. */
export const withKey = (ask: Ask, { name, in: where }: Parameter, key: unknown): Ask =>
  where === "path"
    ? { ...ask, path: { ...ask.path, [name]: key } }
    : { ...ask, query: { ...ask.query, [name]: key } };
