// Edits of the JSON of a success: its top level, its records, their fields.
import type { Answer, Mutate, ProxyRequest } from "../exchange.ts";
import { isJson, withBody } from "./answers.ts";

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json;
}

/** Leaves text unchanged, and turns other values into JSON. */
export function toText(value: Json | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The JSON of a success; undefined for errors, streams and responses to HEAD. */
export function parseSuccess(answer: Answer): JsonObject | undefined {
  if (answer.status !== 200 || !isJson(answer)) return undefined;
  const parsed = JSON.parse(answer.body.toString()) as Json; // what JSON.parse gives
  return isObject(parsed) ? parsed : undefined;
}

/** The records of a success; a recording's single object counts as one. */
export function toRecords(body: JsonObject): JsonObject[] {
  return [body.data ?? []].flat().filter(isObject);
}

/** True if a success has an empty list. */
export function foundNothing(answer: Answer): boolean {
  const content = parseSuccess(answer)?.data;
  return Array.isArray(content) && content.length === 0;
}

/** Applies `mutate` to successes with an empty list. */
export function whenEmpty(mutate: Mutate): Mutate {
  return (answer, request, upstream) =>
    foundNothing(answer) ? mutate(answer, request, upstream) : answer;
}

/** Replaces the complete JSON of a success. */
export function json(edit: (body: JsonObject, request: ProxyRequest) => Json): Mutate {
  return (answer, request) => {
    const parsed = parseSuccess(answer);
    return parsed === undefined ? answer : withBody(answer, JSON.stringify(edit(parsed, request)));
  };
}

/** Replaces `data` of a success. */
export function data(edit: (data: Json, request: ProxyRequest) => Json): Mutate {
  return json((envelope, request) => ({ ...envelope, data: edit(envelope.data ?? null, request) }));
}

/** Replaces the list of records. */
export function list(edit: (records: JsonObject[], request: ProxyRequest) => JsonObject[]): Mutate {
  return data((content, request) =>
    Array.isArray(content) ? edit(content.filter(isObject), request) : content,
  );
}

/** Replaces every record: the elements of `data`, the one recording, or the token. */
export function records(edit: (record: JsonObject, request: ProxyRequest) => JsonObject): Mutate {
  return json((whole, request) => {
    if (!("data" in whole)) return edit(whole, request);
    const { data: content = null } = whole;
    if (isObject(content)) return { ...whole, data: edit(content, request) };
    if (!Array.isArray(content)) return whole;
    return {
      ...whole,
      data: content.map((entry) => (isObject(entry) ? edit(entry, request) : entry)),
    };
  });
}

export function omit(record: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !fields.includes(name)));
}

export function added(fields: JsonObject): Mutate {
  return records((record) => ({ ...record, ...fields }));
}

/** Rewrites the values of fields; null stays null unless `edit` is a plain value. */
export function field(name: string, edit: Json | ((value: Json) => Json)): Mutate {
  const change =
    typeof edit === "function" ? (old: Json) => (old === null ? old : edit(old)) : () => edit;
  return records((record) =>
    name in record ? { ...record, [name]: change(record[name] ?? null) } : record,
  );
}

/** The same fields in another order. */
export function ordered(toOrder: (names: string[]) => string[]): Mutate {
  return records((record) =>
    Object.fromEntries(toOrder(Object.keys(record)).map((name) => [name, record[name] ?? null])),
  );
}
