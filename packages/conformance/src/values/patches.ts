// Changes as operations: `[{ op, path, value }]` of JSON Patch (RFC 6902), alone or below a member as in SCIM (RFC 7644, 3.5.2).
import { isObject } from "@call-media/contract-diff";
import type { Operation } from "../document/document.ts";
import type { Run } from "../run.ts";
import { mediaOf } from "./fields.ts";
import { make } from "./make.ts";
import { withValue } from "./places.ts";

const MEMBERS = ["op", "path", "value"];

/** The member of a body that has the operations, empty if it is the body itself. Undefined for any other body. */
export function findOperations(
  { document: { schemas } }: Pick<Run, "document">,
  operation: Operation,
) {
  const { schema } = mediaOf(operation) ?? {};
  const isList = (pointer: string): boolean => {
    const { items } = schemas.view(pointer);
    const item = items === undefined ? undefined : schemas.view(items);
    const all = [item, ...(item?.choices ?? []).map(schemas.view)];
    return all.some((one) => MEMBERS.every((name) => one?.properties.has(name)));
  };
  if (schema === undefined) return undefined;
  if (isList(schema)) return "";
  return [...schemas.view(schema).properties].find(([, pointer]) => isList(pointer))?.[0];
}

/** Operations that replace a text of the run's own thing, whose path is a pointer or a plain name. */
export function makePatches(run: Run, operation: Operation): readonly unknown[] {
  const { schema } = mediaOf(operation) ?? {};
  const place = findOperations(run, operation);
  const sent = run.own.find(operation)?.answer.ask.body;
  if (schema === undefined || place === undefined || !isObject(sent)) return [];
  // A made-up text is free to be another one.
  const texts = Object.entries(sent).filter(([, one]) => typeof one === "string");
  const [name, value] = texts.find(([, one]) => /probe/.test(String(one))) ?? texts[0] ?? [];
  if (name === undefined) return [];
  const least = make(run.document.schemas, schema, true);
  return [`/${name}`, name].map((path) => {
    const operations = [{ op: "replace", path, value: `${String(value)}-2` }];
    return place === "" ? operations : withValue(least, place, operations);
  });
}
