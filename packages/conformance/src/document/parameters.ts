// The parameters of an operation: how they are named, written and told apart.
import { isObject, type JsonObject, lookUp } from "@call-media/contract-diff";
import { toText } from "../values/places.ts";
import { examplesOf, resolveObject } from "./resolve.ts";
import { listOf, type Schemas } from "./schemas.ts";

export interface Parameter {
  readonly name: string;
  readonly in: "query" | "path" | "header" | "cookie";
  readonly required: boolean;
  /** Pointer to its schema. Undefined if it has none, or one per media type. */
  readonly schema: string | undefined;
  readonly examples: readonly unknown[];
  /** Path parameters only: words in backquotes in the description that may be values, such as `0` or `me`. */
  readonly literals: readonly string[];
  /** The words of its description. */
  readonly words: ReadonlySet<string>;
  /** Between the items of a list in a query, as it stands in a URL. Undefined if each item is written as a parameter. */
  readonly separator: string | undefined;
}

/** Sorts the path parameters in the order of the path: the last one is the key. */
export function toOrder(path: string, parameters: readonly Parameter[]): readonly Parameter[] {
  const inPath = parameters.filter((one) => one.in === "path");
  const sorted = inPath.toSorted(
    (one, other) => path.indexOf(`{${one.name}}`) - path.indexOf(`{${other.name}}`),
  );
  return parameters.map((one) => (one.in === "path" ? (sorted.shift() ?? one) : one));
}

/** OpenAPI ignores parameters with these names: other parts of a document define them. */
const IGNORED = /^(?:accept|content-type|authorization)$/i;

/** `pointer`: to a list of parameters, which may be missing. */
export function toParameters(document: JsonObject, schemas: Schemas, pointer: string): Parameter[] {
  const all = listOf(lookUp(document, pointer)).flatMap((_, index) => {
    const { node, pointer: at } = resolveObject(document, `${pointer}/${index}`);
    const schema = isObject(node["schema"]) ? `${at}/schema` : undefined;
    const parameter: Parameter = {
      name: String(node["name"]),
      in: node["in"] as Parameter["in"], // one of four by OpenAPI
      required: node["required"] === true,
      schema,
      examples: examplesOf(document, at),
      literals: node["in"] === "path" ? toLiterals(node["description"]) : [],
      words: new Set(toText(node["description"] ?? "").split(/\W+/)),
      separator: toSeparator(node),
    };
    return toMembers(schemas, node, parameter);
  });
  return all.filter(({ name, in: where }) => where !== "header" || !IGNORED.test(name));
}

const toLiterals = (description: unknown): readonly string[] =>
  [...(typeof description === "string" ? description : "").matchAll(/`([\w-]{1,24})`/g)].map(
    ([, word = ""]) => word,
  );

function toSeparator({
  style = "form",
  explode = style === "form",
}: JsonObject): string | undefined {
  if (explode === true) return undefined;
  return style === "spaceDelimited" ? "%20" : style === "pipeDelimited" ? "%7C" : ",";
}

/**
 * An object in a query is written as one parameter for each member: `limit=2`, or `page[limit]=2` in the style `deepObject`. If it is
 * required and none of its members is, nobody can say which of them to send.
 */
function toMembers(
  schemas: Schemas,
  { style = "form" }: JsonObject,
  parameter: Parameter,
): readonly Parameter[] {
  const { name, schema, required, separator } = parameter;
  const view = schema === undefined ? undefined : schemas.view(schema);
  const isDeep = style === "deepObject";
  const isWhole = required && view?.required.size === 0;
  const isOne = isWhole || (!isDeep && separator !== undefined) || view?.properties.size === 0;
  if (parameter.in !== "query" || view === undefined || isOne) return [parameter];
  return [...view.properties].map(([member, pointer]) => ({
    ...parameter,
    name: isDeep ? `${name}[${member}]` : member,
    required: required && view.required.has(member),
    schema: pointer,
    examples: [],
    separator: undefined,
  }));
}
