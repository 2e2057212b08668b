// Labelled edits of what a client sends in bodies.
import type { LabelledEdit } from "./labelled-edit.ts";
import { add, remove, rename, replace, reorder } from "./steps.ts";

const schemas = "#/components/schemas";
const filter = `${schemas}/MetadataFilter`;
const search = "#/paths/~1metadata~1search/post";

export const bodyEdits: readonly LabelledEdit[] = [
  {
    id: "request-max-length-imposed",
    expected: "breaking",
    steps: [add(`${filter}/properties/agent/maxLength`, 64)],
  },
  {
    id: "filter-field-removed",
    expected: "breaking",
    steps: [remove(`${filter}/properties/lead_id`)],
  },
  {
    id: "filter-field-renamed",
    expected: "breaking",
    steps: [rename(`${filter}/properties/zip`, "zip_code")],
  },
  {
    id: "filter-field-added",
    expected: "additive",
    steps: [add(`${filter}/properties/notes`, { type: "string" })],
  },
  {
    id: "filter-field-becomes-required",
    expected: "breaking",
    steps: [add(`${filter}/required`, ["agent"])],
  },
  {
    id: "filter-field-takes-null",
    expected: "additive",
    steps: [replace(`${filter}/properties/agent/type`, ["string", "null"])],
  },
  {
    id: "filter-field-type-changed",
    expected: "breaking",
    steps: [replace(`${filter}/properties/talk_time/type`, "string")],
  },
  {
    id: "empty-filter-forbidden",
    expected: "breaking",
    steps: [add(`${schemas}/CustomFieldsFilter/minProperties`, 1)],
  },
  {
    id: "unknown-keys-allowed",
    expected: "additive",
    steps: [replace(`${filter}/additionalProperties`, true)],
  },
  {
    id: "unknown-keys-forbidden",
    expected: "breaking",
    steps: [add(`${schemas}/TokenRequest/additionalProperties`, false)],
  },
  {
    id: "credential-no-longer-required",
    expected: "additive",
    steps: [replace(`${schemas}/TokenRequest/required`, ["secretID"])],
  },
  {
    id: "filter-fields-in-another-order",
    expected: "prose",
    steps: [reorder(`${filter}/properties`, ["company", "media"])],
  },
  {
    id: "request-body-becomes-optional",
    expected: "additive",
    steps: [replace(`${search}/requestBody/required`, false)],
  },
  { id: "request-body-removed", expected: "breaking", steps: [remove(`${search}/requestBody`)] },
  {
    id: "request-media-type-replaced",
    expected: "breaking",
    steps: [
      rename(
        `${search}/requestBody/content/application~1json`,
        "application/x-www-form-urlencoded",
      ),
    ],
  },
  {
    id: "request-media-type-added",
    expected: "additive",
    steps: [add(`${search}/requestBody/content/application~1cbor`, { schema: { $ref: filter } })],
  },
  {
    id: "request-min-length-of-nothing",
    expected: "prose",
    steps: [add(`${filter}/properties/agent/minLength`, 0)],
  },
  {
    id: "request-bound-exclusive",
    expected: "breaking",
    steps: [add(`${filter}/properties/talk_time/exclusiveMinimum`, 0)],
  },
  {
    id: "request-upper-bound-exclusive",
    expected: "breaking",
    steps: [add(`${filter}/properties/talk_time/exclusiveMaximum`, 86_400)],
  },
  {
    id: "request-multiples-alone",
    expected: "breaking",
    steps: [add(`${filter}/properties/talk_time/multipleOf`, 60)],
  },
  {
    id: "request-fields-limited",
    expected: "breaking",
    steps: [add(`${filter}/maxProperties`, 3)],
  },
  {
    id: "request-encoding-imposed",
    expected: "breaking",
    steps: [add(`${schemas}/TokenRequest/properties/secretKey/contentEncoding`, "base64")],
  },
];
