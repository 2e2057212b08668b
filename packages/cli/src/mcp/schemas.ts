// Schemas of tools in the form of the protocol's library, with errors that name the faulty input.
import {
  fromJsonSchema,
  type JsonSchemaType,
  type StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import { toSuggestion } from "@call-media/terminal";
import type { ObjectSchema, PropertySchema } from "./tool.ts";

export function toInputSchema<Input>(schema: ObjectSchema): StandardSchemaWithJSON<Input, Input> {
  const ajv = new AjvJsonSchemaValidator();
  return fromJsonSchema<Input>(toLibrary(schema), {
    getValidator: <Value>(given: JsonSchemaType) => {
      const validate = ajv.getValidator<Value>(given);
      return (input) => {
        const fault = findUnknown(schema, input, "");
        if (fault === undefined) return validate(input);
        return { valid: false, data: undefined, errorMessage: fault };
      };
    },
  });
}

// It is JSON Schema with readonly lists, which the library's type does not know.
const toLibrary = (schema: ObjectSchema) => schema as JsonSchemaType;

/** Finds the forbidden name or value, which the validator does not name. */
function findUnknown(schema: PropertySchema, value: unknown, path: string): string | undefined {
  const { properties } = schema;
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (properties === undefined || !isObject) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const property = properties[name];
    if (property === undefined)
      return `there is no ${join(path, name)}${toPlace(name, properties) ?? toKnown(name, Object.keys(properties))}`;
    const fault = findUnknown(property, inner, join(path, name));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

const join = (path: string, name: string) => (path === "" ? name : `${path}.${name}`);

const toKnown = (name: string, names: readonly string[]) =>
  toSuggestion(name, names) ||
  (names.length === 0 ? ": leave it out" : `: there are ${names.join(", ")}`);

/** Suggests the object to which a misplaced name belongs. */
function toPlace(name: string, beside: Readonly<Record<string, PropertySchema>>) {
  const home = Object.entries(beside).find(([, { properties = {} }]) => name in properties);
  return home && `: put it into ${home[0]}`;
}
