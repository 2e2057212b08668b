// Mutants generated from the document: each field of each JSON answer missing, renamed, doubled, retyped, null or displaced.
import { type OperationId, routes, type SchemaObject } from "@call-media/api";
import { type Json, json, type JsonObject, omit, records } from "../edits/json.ts";
import type { Mutant, MutantClass } from "./mutant.ts";

/** A schema of the document, and the operations whose answers it describes or whose records. */
interface Place {
  readonly edit: typeof json | typeof records;
  readonly schema: SchemaObject;
  readonly operations: readonly OperationId[];
}

interface Fault {
  readonly says: string;
  /** True if the interface itself states the opposite. */
  readonly isStated: boolean;
  readonly mutate: (answer: JsonObject) => JsonObject;
}

/** Undefined where the field cannot break the document in this way. */
type Kind = (name: string, schema: SchemaObject, place: Place) => Fault | undefined;

const kinds: Readonly<Partial<Record<MutantClass, Kind>>> = {
  "field missing": (name) => ({
    says: `${name} is missing`,
    isStated: true,
    mutate: (object) => omit(object, [name]),
  }),
  "field renamed": (name) => ({
    says: `${name} is called ${toOther(name)}`,
    isStated: true,
    mutate: (object) => mapKeys(object, (key) => (key === name ? toOther(name) : key)),
  }),
  "field added": (name) => ({
    says: `${toOther(name)} comes in addition to ${name}`,
    isStated: false,
    mutate: (object) => ({ ...object, [toOther(name)]: object[name] ?? null }),
  }),
  "field retyped": (name, schema) => {
    const [type] = toTypes(schema);
    const value = type === undefined ? undefined : OF_ANOTHER_TYPE[type];
    if (value === undefined) return undefined;
    return { says: `${name} is ${JSON.stringify(value)}`, ...setting(name, value, schema) };
  },
  null: (name, schema) => {
    const types = toTypes(schema);
    if (types.length === 0 || types.includes("null")) return undefined;
    return { says: `${name} is null`, ...setting(name, null, schema) };
  },
  "field order": (name, _schema, { edit, schema, operations }) => {
    const names = Object.keys(schema.properties ?? {});
    const next = names[names.indexOf(name) + 1];
    if (next === undefined) return undefined;
    const swap = { [name]: next, [next]: name };
    return {
      says: `${name} and ${next} have changed places`,
      // The interface gives an order only for the fields of a call record.
      isStated: edit === records && operations.includes("searchMetadata"),
      mutate: (object) =>
        Object.fromEntries(
          Object.keys(object)
            .map((key) => swap[key] ?? key)
            .map((key) => [key, object[key] ?? null]),
        ),
    };
  },
};

const OF_ANOTHER_TYPE: Readonly<Record<string, Json>> = {
  string: 7,
  integer: "7",
  boolean: "true",
  array: "one, two",
  object: [],
};

// Decisions about types on which the interface is silent.
const OPEN_TYPES = /"D02"|"D04"/;

function setting(name: string, value: Json, schema: SchemaObject): Omit<Fault, "says"> {
  const decisions = "x-decision" in schema ? schema["x-decision"] : [];
  return {
    isStated: !OPEN_TYPES.test(JSON.stringify(decisions)),
    mutate: (object) => (name in object ? { ...object, [name]: value } : object),
  };
}

const toTypes = ({ type = [] }: SchemaObject): readonly string[] => [type].flat();

/** `agentName` for `agent_name`, `Id` for `id`. */
function toOther(name: string): string {
  const joined = name.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
  if (joined !== name) return joined;
  const [first = ""] = name;
  const upper = first.toUpperCase();
  return (first === upper ? first.toLowerCase() : upper) + name.slice(1);
}

function mapKeys(object: JsonObject, toKey: (key: string) => string): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [toKey(key), value]));
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

/** The mutants of one kind, one for each field that it fits; operations with the same schema take turns. */
function toMutants(place: Place, kindOf: MutantClass, kind: Kind): readonly Mutant[] {
  const { edit, schema, operations } = place;
  return Object.entries(schema.properties ?? {}).flatMap(([name, property], index) => {
    const operation = operations[index % operations.length];
    const fault = kind(name, property, place);
    if (fault === undefined || operation === undefined) return [];
    return [
      {
        id: `${operation}-${name}-${kindOf.replace("field ", "")}`,
        class: kindOf,
        operation,
        contract: fault.isStated ? "interface" : "decision",
        says: fault.says,
        mutate: edit(fault.mutate),
      },
    ];
  });
}

const groups = listPlaces().flatMap(
  (place) =>
    Object.entries(kinds).map(([name, kind]) => toMutants(place, name as MutantClass, kind)), // the keys of the table
);

/** The mutants of each field of each schema. */
export const everyField: readonly Mutant[] = groups.flat();

/** One of each kind and schema, each of another field. */
export const someFields: readonly Mutant[] = groups.flatMap((mutants, index) =>
  mutants.slice(index % mutants.length).slice(0, 1),
);
