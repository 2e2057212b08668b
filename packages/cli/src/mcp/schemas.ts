// Schemas of tools as the protocol's library takes them; what is wrong with an input is named.
import {
  fromJsonSchema,
  type JsonSchemaType,
  type StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import { toSuggestion } from "../suggestion.ts";
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

export const toOutputSchema = (schema: ObjectSchema) => fromJsonSchema(toLibrary(schema));

// It is JSON Schema, whose lists are not for writing; the library's type does not know of such.
const toLibrary = (schema: ObjectSchema) => schema as JsonSchemaType;

/** JSON Schema says only that there is a name too many, not which. */
function findUnknown(schema: PropertySchema, value: unknown, path: string): string | undefined {
  const { properties } = schema;
  if (properties === undefined || typeof value !== "object" || value === null) return undefined;
  const names = Object.keys(properties);
  for (const [name, inner] of Object.entries(value)) {
    const property = properties[name];
    if (property === undefined)
      return `there is no ${path}${name}${toSuggestion(name, names) || `: there are ${names.join(", ")}`}`;
    const fault = findUnknown(property, inner, `${path}${name}.`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
