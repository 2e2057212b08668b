// The tool describe_fields: the fields of a call, as the contract describes them.
import { document, fieldsOf } from "@call-media/api";
import { takeLines } from "./caps.ts";
import type { Tool } from "./tool.ts";

export const describeFields: Tool<object> = {
  name: "describe_fields",
  title: "Describe the fields of a call",
  description:
    "Name, type and meaning of every field that a call can have. Fields marked * can stand in filter, the others only in where.",
  input: { type: "object", properties: {} },
  run: (_input, { describeZone }) =>
    Promise.resolve([describeZone(), ...takeLines(listFields())].join("\n")),
};

function listFields(): readonly string[] {
  const filterFields: ReadonlySet<string> = new Set([
    ...fieldsOf("MetadataFilter"),
    ...fieldsOf("CustomFieldsFilter"),
  ]);
  const properties = document.components.schemas["MetadataRecord"]?.properties ?? {};
  return Object.entries(properties).map(([name, { type = [], description = "" }]) => {
    const kinds = [type].flat().filter((kind) => kind !== "null");
    return `${name}${filterFields.has(name) ? "*" : ""} (${kinds.join(", ")}): ${description.replaceAll(/\s+/g, " ")}`;
  });
}
