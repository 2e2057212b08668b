// What a request may say: the fields of its body, their schemas, and the key of a thing.
import type { Ask } from "../ask.ts";
import type { ApiDocument, Media, Operation, Parameter } from "../document/document.ts";
import { bodyTypeOf, PARTS } from "../http/body.ts";

/** What is sent as an operation's body: JSON, or a form. */
export const mediaOf = (operation: Operation): Media | undefined =>
  operation.body?.media.find(({ type }) => type === bodyTypeOf(operation));

/** Fields of a body that are files: bytes, and not the text of a value. */
export function filesOf({ schemas }: ApiDocument, operation: Operation): ReadonlySet<string> {
  const { schema, type } = mediaOf(operation) ?? {};
  if (schema === undefined || type !== PARTS) return new Set();
  const files = [...schemas.view(schema).properties].filter(([, pointer]) => {
    const { said, items } = schemas.view(pointer);
    const { format, contentMediaType } = items === undefined ? said : schemas.view(items).said;
    return format === "binary" || contentMediaType !== undefined;
  });
  return new Set(files.map(([name]) => name));
}

interface Documented {
  readonly document: ApiDocument;
}

/** The schemas of the fields of an operation's body, without those that only the service writes. */
export function bodyFields(
  { document: { schemas } }: Documented,
  operation: Operation,
): ReadonlyMap<string, string> {
  const schema = mediaOf(operation)?.schema;
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
export function schemaOf(
  documented: Documented,
  operation: Operation,
  name: string,
): string | undefined {
  const [, field] = /^body\/(.+)$/.exec(name) ?? [];
  return field === undefined
    ? operation.parameters.find((one) => one.name === name)?.schema
    : bodyFields(documented, operation).get(field);
}

/** The same request about the thing of this key. */
export const withKey = (ask: Ask, { name, in: where }: Parameter, key: unknown): Ask =>
  where === "path"
    ? { ...ask, path: { ...ask.path, [name]: key } }
    : { ...ask, query: { ...ask.query, [name]: key } };
