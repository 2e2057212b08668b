// The tool describe_fields: what a call has, in the words of the contract.
import { document, fieldsOf } from "@call-media/api";
import type { Tool } from "./tool.ts";

export const describeFields: Tool<object> = {
  name: "describe_fields",
  title: "Describe the fields of a call",
  description:
    "Name, type and meaning of every field that a call can have, and whether search_calls can filter by it or only by where.",
  input: { type: "object", additionalProperties: false, properties: {} },
  output: {
    type: "object",
    required: ["time_zone", "fields"],
    properties: {
      time_zone: { type: "string", description: "How to read the datetimes." },
      fields: {
        type: "array",
        items: {
          type: "object",
          properties: {
            name: { type: "string" },
            type: { type: "array", items: { type: "string" } },
            description: { type: "string" },
            search_by: { type: "string", enum: ["filter", "where"] },
          },
        },
      },
    },
  },
  run: (_input, { timeZone }) => Promise.resolve({ time_zone: timeZone, fields: toFields() }),
};

function toFields(): readonly object[] {
  const filterFields: ReadonlySet<string> = new Set([
    ...fieldsOf("MetadataFilter"),
    ...fieldsOf("CustomFieldsFilter"),
  ]);
  const properties = document.components.schemas["MetadataRecord"]?.properties ?? {};
  return Object.entries(properties).map(([name, { type = [], description }]) => ({
    name,
    type: [type].flat(),
    description,
    search_by: filterFields.has(name) ? "filter" : "where",
  }));
}
