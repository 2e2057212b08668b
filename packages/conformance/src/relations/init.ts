// A first relations file, as far as the document shows it. A guess is only observed: it never fails a check.
import { type ApiDocument, isJson, type Operation } from "../document/document.ts";
import { NO_RELATIONS } from "./read.ts";
import { derive, listUnsourced, toValues } from "./derive.ts";
import { itemOperation, rowView, successView } from "./shape.ts";

const INDEX = /^(?:page|pageNumber|page_number|pageIndex|page_index|p)$/i;
const OFFSET = /^(?:offset|skip|start)$/i;
const SIZE = /^(?:limit|size|page_?size|per_?page|count)$/i;
const CURSOR = /^(?:cursor|after|marker|(?:page_?|continuation_?|next_?)token|starting_after)$/i;
const NEXT = /^(?:next|end_?cursor|next_?(?:cursor|marker|(?:page_?)?token)|continuation_?token)$/i;
const SEARCH = /[/:](?:search|query|find|filter|lookup)$/i;
const TOTAL = /^(?:total|count|(?:total|record)_?count|total_?(?:items|results|rows))$/i;
const SCHEMA = "https://unpkg.com/@call-media/conformance/relations.schema.json";

/** YAML, with a comment at each line that is a guess. */
export function toFirstRelations(document: ApiDocument): string {
  const safe = [...document.operations.values()]
    .filter((one) => one.method === "POST" && SEARCH.test(one.path))
    .map(({ id }) => id);
  const derived = derive(document, { ...NO_RELATIONS, safe });
  const { lists } = derived;
  const [values, unsourced] = [toValues(derived), listUnsourced(document, derived)];
  const free = [...lists.keys()].find((id) => !document.operations.get(id)?.path.includes("{"));
  const rules = [...document.operations.values()].flatMap((operation) => [
    ...guessRules(document, operation, lists.get(operation.id)?.items),
  ]);
  const lines = [
    `# yaml-language-server: $schema=${SCHEMA}`,
    'relations: "1"',
    ...(safe.length === 0
      ? []
      : [
          "# If these only read, take the # away: without this line they are sent with --write alone.",
          `# safe: [${safe.map(quote).join(", ")}]`,
        ]),
    "lists:",
    ...[...lists].map(
      ([id, { items, key, open }]) =>
        `  ${quote(id)}: { items: ${JSON.stringify(items)}, key: ${JSON.stringify(key.length === 1 ? key[0] : key)}${Object.keys(open).length === 0 ? "" : `, open: ${JSON.stringify(open)}`} }`,
    ),
    ...(lists.size === 0 ? ["  {}"] : []),
    "values:",
    ...Object.entries(values).map(([name, source]) => `  ${quote(name)}: ${quote(source)}`),
    ...(Object.keys(values).length === 0 ? ["  {}"] : []),
    ...(unsourced.length === 0
      ? []
      : [
          "# Say where values of these come from, or nothing that needs them is asked: an operation, and the place in its answer.",
          ...unsourced.map(
            (name) => `#  ${quote(name)}: ${quote(`${free ?? "listThings"}#*/${name}`)}`,
          ),
        ]),
    "# Look at each guess: correct it, and take its level out, so that it is a rule. Delete what does not hold.",
    "rules:",
    ...rules.map((rule) => `  - ${rule} # guessed`),
    ...(rules.length === 0 ? ["  []"] : []),
  ];
  return `${lines.join("\n")}\n`;
}

/** What YAML reads as the text that it is: `GET /things/{id}` has braces, and `no` is a boolean to some. */
const quote = (text: string): string =>
  /^[a-z_][\w.\-/#*]*$/i.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text)
    ? text
    : JSON.stringify(text);

const toRule = (kind: string, fields: Readonly<Record<string, string | number>>): string =>
  `${kind}: { ${Object.entries({ ...fields, level: "observe" })
    .map(([name, value]) => `${name}: ${typeof value === "string" ? quote(value) : value}`)
    .join(", ")} }`;

function* guessRules(
  document: ApiDocument,
  operation: Operation,
  items: string | undefined,
): Generator<string> {
  const of = operation.id;
  const view = successView(document, operation);
  if (items !== undefined) {
    const asked = listAsked(document, operation);
    const find = (pattern: RegExp) => asked.find(({ name }) => pattern.test(name))?.by;
    const [index, offset, size] = [find(INDEX), find(OFFSET), find(SIZE)];
    const by = index ?? offset;
    if (by !== undefined)
      yield toRule("page", {
        of,
        index: by,
        ...(index === undefined && { unit: "row" }),
        from: index === undefined ? 0 : 1,
        ...(size !== undefined && { size }),
      });
    const cursor = find(CURSOR);
    const next = [...(view?.properties ?? [])].find(
      ([name, pointer]) =>
        NEXT.test(name) && document.schemas.view(pointer).types.includes("string"),
    );
    if (by === undefined && cursor !== undefined && next !== undefined)
      yield toRule("page", { of, cursor, next: next[0], ...(size !== undefined && { size }) });
    const total = [...(view?.properties ?? [])].find(
      ([name, pointer]) =>
        TOTAL.test(name) && document.schemas.view(pointer).types.includes("integer"),
    );
    if (total !== undefined) yield toRule("count", { of, total: total[0] });
    const row = view && rowView(document, view, items);
    const typesOf = (pointer: string) =>
      document.schemas
        .view(pointer)
        .types.filter((type) => type !== "null")
        .join();
    for (const { name, by: place, schema } of asked) {
      const field = row?.properties.get(name);
      if (field === undefined || [index, offset, size, cursor].includes(place)) continue;
      if (typesOf(schema) === typesOf(field))
        yield toRule("filter", { of, by: place, field: name });
    }
    const below = itemOperation(document, operation);
    if (below !== undefined) yield toRule("sameAs", { of: below.id, as: of });
  }
  yield* guessLifecycle(document, operation);
}

interface Asked {
  readonly name: string;
  /** As rules write it. */
  readonly by: string;
  readonly schema: string;
}

/** Parameters of the query, and fields of the body. */
function listAsked({ schemas }: ApiDocument, { parameters, body }: Operation): readonly Asked[] {
  const media = body?.media.find(({ type }) => isJson(type));
  const fields = media?.schema === undefined ? [] : [...schemas.view(media.schema).properties];
  return [
    ...parameters.flatMap(({ name, in: where, schema }) =>
      where === "query" && schema !== undefined ? [{ name, by: name, schema }] : [],
    ),
    ...fields.map(([name, schema]) => ({ name, by: `body/${name}`, schema })),
  ];
}

/** POST and GET at a collection; GET, PATCH or PUT, and DELETE below it. */
function* guessLifecycle(
  document: ApiDocument,
  { id, method, path }: Operation,
): Generator<string> {
  if (method !== "POST") return;
  const all = [...document.operations.values()];
  const list = all.find((one) => one.method === "GET" && one.path === path);
  const below = all.filter(
    (one) => one.path.startsWith(`${path}/{`) && /^\/\{[^}/]+\}$/.test(one.path.slice(path.length)),
  );
  const by = (...methods: readonly string[]) =>
    below.find((one) => methods.includes(one.method))?.id;
  const [read, update, remove] = [by("GET"), by("PATCH", "PUT"), by("DELETE")];
  if (read === undefined) return;
  yield toRule("lifecycle", {
    of: id,
    read,
    ...(update !== undefined && { update }),
    ...(remove !== undefined && { delete: remove }),
    ...(list !== undefined && { list: list.id }),
  });
  yield toRule("echo", { of: id, body: "all" });
}
