// From the bundled document to the schemas of its JSON answers, for programs that check them and cannot afford the rest.
import type { OpenApiDocument, SchemaObject } from "../src/document.ts";

const COMPONENT = "#/components/schemas/";

// Advice for readers, which makes two thirds of the document, and what no validator checks (JSON Schema, 8.3).
const isAdvice = (key: string) => /^(?:description|examples?|contentEncoding|x-.*)$/.test(key);

/** A success of JSON as the document writes it: by reference. */
interface Bundled extends OpenApiDocument {
  readonly components: OpenApiDocument["components"] & {
    readonly responses: Readonly<
      Record<string, { readonly content?: Readonly<Record<string, { schema?: SchemaObject }>> }>
    >;
  };
}

export function toAnswerSchemas(json: string): string {
  const { paths, components }: Bundled = JSON.parse(json);
  const answers = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .flatMap(({ operationId, responses }): [string, string][] => {
      const component = nameOf(responses["200"]?.$ref ?? "");
      const schema = components.responses[component]?.content?.["application/json"]?.schema;
      return schema?.$ref === undefined ? [] : [[operationId, nameOf(schema.$ref)]];
    });
  const schemas: Record<string, unknown> = {};
  const add = (name: string): void => {
    if (name in schemas) return;
    const text = JSON.stringify(components.schemas[name]);
    schemas[name] = strip(JSON.parse(text));
    for (const [, other = ""] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) add(other);
  };
  for (const [, name] of answers) add(name);
  return `// Generated from spec/openapi.yaml: do not edit.
// Command: pnpm generate
import type { SchemaObject } from "../src/document.ts";

/** The component that a JSON success fits, by operation. A recording stream has none. */
export const answers: Readonly<Record<string, string>> = ${JSON.stringify(Object.fromEntries(answers), null, 2)};

/** The components, without what they say to readers. A \`$ref\` is the name of another one. */
export const schemas: Readonly<Record<string, SchemaObject>> = ${JSON.stringify(schemas, null, 2)};
`;
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

function strip(schema: Record<string, unknown>): unknown {
  const kept = Object.entries(schema).filter(([key]) => !isAdvice(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, stripValue(key, value)]));
}

// No keyword of the contract but these three holds a schema; the keys of `properties` are names, not keywords.
function stripValue(key: string, value: unknown): unknown {
  if (key === "$ref") return String(value).replace(COMPONENT, "");
  if (key === "items") return strip(value as Record<string, unknown>);
  if (key !== "properties") return value;
  const properties = Object.entries(value as Record<string, Record<string, unknown>>);
  return Object.fromEntries(properties.map(([name, property]) => [name, strip(property)]));
}
