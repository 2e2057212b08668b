// Mutants generated from the document. Each field of each JSON response is missing, renamed, added, retyped, null or out of order.
import { type OperationId, routes, type SchemaObject } from "@call-media/api";
import { fieldDrifts } from "@call-media/conformance";
import { json, type JsonObject, records } from "../edits/json.ts";
import type { Mutant, MutantClass } from "./mutant.ts";

/** A schema of the document, and the operations whose responses or records it describes. */
interface Place {
  readonly edit: typeof json | typeof records;
  readonly schema: SchemaObject;
  readonly operations: readonly OperationId[];
}

type Kind = keyof typeof fieldDrifts | "order";

const CLASSES: Readonly<Record<Kind, MutantClass>> = {
  lost: "field missing",
  renamed: "field renamed",
  added: "field added",
  retyped: "field retyped",
  null: "null",
  order: "field order",
};

interface Fault {
  readonly says: string;
  readonly change: (object: JsonObject) => JsonObject;
}

/** Undefined if the field cannot break the document in this way. */
function toFault(
  kind: Kind,
  name: string,
  { properties = {}, required = [] }: SchemaObject,
): Fault | undefined {
  if (kind === "order") return toSwap(name, Object.keys(properties));
  const types = [properties[name]?.type ?? []].flat();
  return fieldDrifts[kind]({ name, types, isRequired: required.includes(name) });
}

function toSwap(name: string, names: readonly string[]): Fault | undefined {
  const next = names[names.indexOf(name) + 1];
  if (next === undefined) return undefined;
  const swap = { [name]: next, [next]: name };
  return {
    says: `${name} and ${next} have changed places`,
    change: (object) =>
      Object.fromEntries(
        Object.keys(object)
          .map((key) => swap[key] ?? key)
          .map((key) => [key, object[key] ?? null]),
      ),
  };
}

// Decisions about types where the interface is silent.
const OPEN_TYPES = /"D02"|"D04"/;

/** True if the interface itself contradicts the mutant. It gives an order only for the fields of a call record. */
function isStated(kind: Kind, { edit, operations }: Place, property: SchemaObject): boolean {
  if (kind === "order") return edit === records && operations.includes("searchMetadata");
  const decisions = "x-decision" in property ? property["x-decision"] : [];
  const isOfType = kind === "retyped" || kind === "null";
  return kind !== "added" && !(isOfType && OPEN_TYPES.test(JSON.stringify(decisions)));
}

function listPlaces(): readonly Place[] {
  const found = routes.flatMap(({ operationId, responses }) => {
    const schema = responses["200"]?.content?.["application/json"]?.schema;
    const data = schema?.properties?.["data"];
    const record = data?.items ?? data;
    return [
      ...(schema === undefined ? [] : [{ edit: json, schema, operationId }]),
      ...(record === undefined ? [] : [{ edit: records, schema: record, operationId }]),
    ];
  });
  return [...Map.groupBy(found, ({ schema }) => JSON.stringify(schema)).values()].flatMap((same) =>
    same.slice(0, 1).map(({ edit, schema }) => ({
      edit,
      schema,
      operations: same.map(({ operationId }) => operationId),
    })),
  );
}

/** The mutants of one kind, one for each field that allows it. Operations with the same schema alternate. */
function toMutants(place: Place, kind: Kind): readonly Mutant[] {
  const { edit, schema, operations } = place;
  return Object.entries(schema.properties ?? {}).flatMap(([name, property], index) => {
    const operation = operations[index % operations.length];
    const fault = toFault(kind, name, schema);
    if (fault === undefined || operation === undefined) return [];
    return [
      {
        id: `${operation}-${name}-${CLASSES[kind].replace("field ", "")}`,
        class: CLASSES[kind],
        operation,
        contract: isStated(kind, place, property) ? "interface" : "decision",
        says: fault.says,
        mutate: edit(fault.change),
      },
    ];
  });
}

const groups = listPlaces().flatMap(
  (place) => (Object.keys(CLASSES) as Kind[]).map((kind) => toMutants(place, kind)), // the keys of the table
);

/** The mutants of each field of each schema. */
export const everyField: readonly Mutant[] = groups.flat();

/** One mutant of each kind and schema, each with another field. */
export const someFields: readonly Mutant[] = groups.flatMap((mutants, index) =>
  mutants.slice(index % mutants.length).slice(0, 1),
);
