// The basis of guesses: parameters of a request, values next to the rows of a response, and the fields of rows.
import { isObject, type JsonObject } from "@call-media/contract-diff";
import type { Answer } from "../ask.ts";
import { type ApiDocument, isJson, type Operation } from "../document/document.ts";
import type { Kind } from "../relations/kinds.ts";
import type { ListInfo } from "../relations/relations.ts";
import { rowView, successView } from "../relations/shape.ts";
import { reach } from "../values/places.ts";

export interface Guess {
  readonly kind: Kind;
  /** The fields in a relations file. */
  readonly fields: JsonObject;
  /** Why it is not a rule even if it holds. */
  readonly doubt?: string;
}

/** Guesses in order of preference: the first one that holds becomes the rule. */
export type Choice = readonly Guess[];

/** The basis of a guess. */
export interface Known {
  readonly document: ApiDocument;
  readonly operation: Operation;
  /** For a list only. */
  readonly list: ListInfo | undefined;
  /** For a list that was read: its rows, and a page that lacks some of them. */
  readonly rows: readonly unknown[];
  readonly page: Answer | undefined;
  /** Paging parameters of the list. */
  readonly paged: ReadonlySet<string>;
}

/** Query parameters and body fields, as rules name them. */
export interface Asked {
  readonly name: string;
  readonly by: string;
  readonly schema: string;
}

export function listAsked({ document: { schemas }, operation }: Known): readonly Asked[] {
  const { parameters, body } = operation;
  const media = body?.media.find(({ type }) => isJson(type));
  const fields = media?.schema === undefined ? [] : [...schemas.view(media.schema).properties];
  return [
    ...parameters.flatMap(({ name, in: where, schema }) =>
      where === "query" && schema !== undefined ? [{ name, by: name, schema }] : [],
    ),
    ...fields.map(([name, schema]) => ({ name, by: `body/${name}`, schema })),
  ];
}

export const typesOf = ({ document: { schemas } }: Known, schema: string): readonly string[] =>
  schemas.view(schema).types.filter((type) => type !== "null");

export const schemaType = (known: Known, schema: string): string => {
  const [type = "string"] = typesOf(known, schema);
  return type === "integer" ? "number" : type;
};

/** A value next to the rows, with its types from the response or else from the document. */
export interface Beside {
  readonly place: string;
  readonly name: string;
  readonly types: readonly string[];
  readonly value?: unknown;
}

const MAX_DEPTH = 3;

export function listBeside(known: Known): readonly Beside[] {
  const { document, operation, page, list } = known;
  const rows = list?.items.split("/") ?? [];
  const isRows = (steps: readonly string[]) => steps.join("/") === rows.join("/");
  const fromSchema = (pointer: string, steps: readonly string[]): Beside[] => {
    const { properties, types } = document.schemas.view(pointer);
    if (steps.length > MAX_DEPTH || isRows(steps)) return [];
    if (properties.size === 0) return [{ place: steps.join("/"), name: steps.at(-1) ?? "", types }];
    return [...properties].flatMap(([name, inner]) => fromSchema(inner, [...steps, name]));
  };
  const fromValue = (value: unknown, steps: readonly string[]): Beside[] => {
    if (steps.length > MAX_DEPTH || Array.isArray(value)) return [];
    if (isObject(value))
      return Object.entries(value).flatMap(([name, inner]) => fromValue(inner, [...steps, name]));
    const types = [typeof value === "number" ? "integer" : typeof value];
    return [{ place: steps.join("/"), name: steps.at(-1) ?? "", types, value }];
  };
  const view = successView(document, operation);
  if (page !== undefined) return fromValue(page.json, []);
  return view === undefined ? [] : fromSchema(view.pointer, []);
}

/** Places of scalar values in rows, with their types from the responses or else from the document. */
export function listFields({
  document,
  operation,
  rows,
  list,
}: Known): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  const note = (place: string, value: unknown): void => {
    if (value !== null && typeof value !== "object") fields.set(place, typeof value);
  };
  for (const row of rows)
    for (const [name, value] of Object.entries(isObject(row) ? row : {})) {
      note(name, value);
      if (Array.isArray(value)) note(`${name}/*`, value[0] ?? null);
      if (isObject(value))
        for (const [inner, one] of Object.entries(value)) {
          note(`${name}/${inner}`, one);
          if (Array.isArray(one)) note(`${name}/${inner}/*`, one[0] ?? null);
        }
    }
  if (rows.length > 0 || list === undefined) return fields;
  const view = successView(document, operation);
  for (const [name, pointer] of (view && rowView(document, view, list.items))?.properties ?? []) {
    const { types } = document.schemas.view(pointer);
    const type = types.find((one) => one !== "null") ?? "object";
    if (!["object", "array"].includes(type)) fields.set(name, type === "integer" ? "number" : type);
  }
  return fields;
}

export const firstOf = ({ rows }: Known, place: string): unknown =>
  rows.flatMap((row) => reach(row, place)).find((value) => value !== null);

/** True for names of the same thing: `team_id` and `team/id`, `assignees` and `assignee`. */
export function isNear(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => text.replaceAll(/\D/g, ""));
  if (first !== second && first !== "" && second !== "") return false; // `line_1` is not `line_2`
  const [mine, theirs] = [one, other].map((text) =>
    text.toLowerCase().replaceAll(/[^a-z]|ids?$|s$/g, ""),
  );
  if (mine === undefined || theirs === undefined || mine === "" || theirs === "") return false;
  return mine === theirs || (theirs.length > 2 && (mine.includes(theirs) || theirs.includes(mine)));
}
