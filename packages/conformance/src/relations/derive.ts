// What the document itself shows: which operations return lists, the keys of their rows, and the sources of values.
import type { ApiDocument } from "../document/document.ts";
import type { ListInfo, Relations } from "./relations.ts";
import { toListInfo } from "./shape.ts";
import { createSources, type Sources, toWritten } from "./sources.ts";

export interface Derived {
  /** Responses correct it. */
  readonly lists: Map<string, ListInfo>;
  readonly sources: Sources;
}

/** The owner's information has precedence; the rest is derived. */
export function derive(document: ApiDocument, relations: Relations): Derived {
  const lists = new Map<string, ListInfo>();
  for (const operation of document.operations.values()) {
    const told = relations.lists[operation.id];
    const isReading = operation.method === "GET" || relations.safe.includes(operation.id);
    if (told === undefined && !isReading) continue;
    const info = toListInfo(document, operation, told);
    if (info !== undefined) lists.set(operation.id, info);
  }
  return { lists, sources: createSources(document, lists, relations) };
}

/** Values in the notation of relations: only the name if all operations that accept it have the same source. */
export function toValues({ sources }: Derived): Readonly<Record<string, string>> {
  const known = sources
    .list()
    .flatMap(({ operation, name, source }) =>
      source === undefined || source.isGuess
        ? []
        : [{ operation: operation.id, name, source: toWritten(source) }],
    );
  return Object.fromEntries(
    [...Map.groupBy(known, ({ name }) => name)].flatMap(([name, group]) => {
      const isOne = new Set(group.map(({ source }) => source)).size === 1;
      return isOne
        ? [[name, group[0]?.source ?? ""]]
        : group.map(({ operation, source }) => [`${operation}.${name}`, source]);
    }),
  );
}

/** Path parameters without any known source. Operations with them cannot be requested until `values` names one. */
export function listUnsourced({ schemas }: ApiDocument, { sources }: Derived): readonly string[] {
  const all = sources.list();
  const isSourced = ({ operation, name, source }: (typeof all)[number]): boolean => {
    const parameter = operation.parameters.find((one) => one.name === name && one.in === "path");
    if (parameter === undefined) return true;
    const { schema, examples, literals } = parameter;
    const said = schema === undefined ? {} : schemas.view(schema).said;
    return (
      (source !== undefined && !source.isGuess) ||
      [examples, literals, sources.literalsOf(operation, name)].some(({ length }) => length > 0) ||
      ["example", "examples", "enum", "const"].some((key) => key in said)
    );
  };
  return [...Map.groupBy(all, ({ name }) => name)].flatMap(([name, group]) => {
    const lacking = group.filter((one) => !isSourced(one));
    return lacking.length === group.length
      ? [name]
      : lacking.map(({ operation }) => `${operation.id}.${name}`);
  });
}
