// Labelled edits of what a client reads: the fields of answers.
import type { LabelledEdit } from "./labelled-edit.ts";
import { add, append, remove, rename, replace, reorder, take } from "./steps.ts";

const schemas = "#/components/schemas";
const record = `${schemas}/MetadataRecord`;
const flag = `${schemas}/PublicFlagRecord`;
const address = `${schemas}/UserAddressRecord`;
const applied = "#/components/headers/Preference-Applied/schema/enum";
const page = `${schemas}/MetadataPageEnvelope`;

export const fieldEdits: readonly LabelledEdit[] = [
  {
    id: "response-field-removed",
    expected: "breaking",
    steps: [remove(`${record}/properties/ivr_path`), take(`${record}/required`, "ivr_path")],
  },
  {
    id: "response-field-renamed",
    expected: "breaking",
    steps: [
      rename(`${flag}/properties/Name`, "Title"),
      take(`${flag}/required`, "Name"),
      append(`${flag}/required`, "Title"),
    ],
  },
  {
    id: "response-field-added-at-the-end",
    expected: "additive",
    steps: [add(`${flag}/properties/Colour`, { type: "string" })],
  },
  {
    id: "required-response-field-added-at-the-end",
    expected: "additive",
    steps: [
      add(`${flag}/properties/Colour`, { type: "string" }),
      append(`${flag}/required`, "Colour"),
    ],
  },
  {
    id: "response-field-added-in-the-middle",
    expected: "additive",
    steps: [
      add(`${flag}/properties/Colour`, { type: "string" }),
      reorder(`${flag}/properties`, ["Id", "Colour", "Type"]),
    ],
  },
  {
    id: "response-field-no-longer-certain",
    expected: "breaking",
    steps: [take(`${record}/required`, "agent")],
  },
  {
    id: "record-fields-in-another-order",
    expected: "breaking",
    steps: [reorder(`${record}/properties`, ["datetime", "dnis", "ani"])],
  },
  {
    id: "address-fields-in-another-order",
    expected: "breaking",
    steps: [reorder(`${address}/properties`, ["username", "id"])],
  },
  {
    id: "required-list-in-another-order",
    expected: "prose",
    steps: [take(`${address}/required`, "id"), append(`${address}/required`, "id")],
  },
  {
    id: "response-field-may-be-null",
    expected: "breaking",
    steps: [replace(`${address}/properties/city/type`, ["string", "null"])],
  },
  {
    id: "response-field-loses-null",
    expected: "additive",
    steps: [replace(`${record}/properties/ani/type`, "string")],
  },
  {
    id: "response-field-type-changed",
    expected: "breaking",
    steps: [replace(`${record}/properties/talk_time/type`, ["string", "null"])],
  },
  {
    id: "response-field-may-also-be-a-string",
    expected: "breaking",
    steps: [replace(`${record}/properties/handle_time/type`, ["integer", "string", "null"])],
  },
  {
    id: "response-field-of-a-known-type",
    expected: "additive",
    steps: [add(`${schemas}/UserSecurityRecord/properties/search_rights/type`, ["string", "null"])],
  },
  {
    id: "response-field-of-any-type",
    expected: "breaking",
    steps: [remove(`${schemas}/ChatMessageRecord/properties/room_id/type`)],
  },
  {
    id: "response-enum-value-added",
    expected: "breaking",
    steps: [append(applied, "return=minimal")],
  },
  {
    id: "response-enum-value-removed",
    expected: "additive",
    steps: [take(applied, "words")],
  },
  {
    id: "response-enum-lifted",
    expected: "breaking",
    steps: [remove(applied)],
  },
  {
    id: "response-enum-imposed",
    expected: "additive",
    steps: [add(`${schemas}/ChatMessageRecord/properties/party_type/enum`, ["agent", "customer"])],
  },
  {
    id: "response-const-changed",
    expected: "breaking",
    steps: [replace(`${schemas}/TokenResponse/properties/type/const`, "DPoP")],
  },
  {
    id: "response-const-lifted",
    expected: "breaking",
    steps: [remove(`${schemas}/ErrorEnvelope/properties/isError/const`)],
  },
  {
    id: "response-minimum-lowered",
    expected: "breaking",
    steps: [replace(`${page}/properties/pageID/minimum`, -1)],
  },
  {
    id: "response-minimum-lifted",
    expected: "breaking",
    steps: [remove(`${page}/properties/recordCount/minimum`)],
  },
  {
    id: "response-minimum-raised",
    expected: "additive",
    steps: [replace(`${page}/properties/recordCount/minimum`, 1)],
  },
  {
    id: "response-page-grows",
    expected: "breaking",
    steps: [replace(`${page}/properties/data/maxItems`, 100)],
  },
  {
    id: "response-length-bound",
    expected: "additive",
    steps: [add(`${schemas}/RecordingRecord/properties/filename/maxLength`, 255)],
  },
  {
    id: "response-format-lifted",
    expected: "breaking",
    steps: [remove(`${flag}/properties/DateCreated/format`)],
  },
  {
    id: "response-format-wider",
    expected: "breaking",
    steps: [replace(`${page}/properties/pageID/format`, "int64")],
  },
  {
    id: "response-pattern-lifted",
    expected: "breaking",
    steps: [remove(`${schemas}/TokenResponse/properties/expires/pattern`)],
  },
  {
    id: "response-array-becomes-an-object",
    expected: "breaking",
    steps: [
      replace(`${schemas}/ChatEnvelope/properties/data`, { $ref: `${schemas}/ChatMessageRecord` }),
    ],
  },
  {
    id: "response-encoding-changed",
    expected: "breaking",
    steps: [replace(`${schemas}/RecordingRecord/properties/base64/contentEncoding`, "base64url")],
  },
  {
    id: "schema-renamed",
    expected: "prose",
    steps: [
      rename(address, "AddressRecord"),
      replace(
        `${schemas}/UserAddressEnvelope/properties/data/items/$ref`,
        `${schemas}/AddressRecord`,
      ),
    ],
  },
  {
    id: "schema-written-in-place",
    expected: "prose",
    steps: [
      replace(`${schemas}/UserBasicRecord/properties/title`, {
        type: ["null", "string"],
        maxLength: 1024,
        description: "Title.",
        "x-decision": "D29",
      }),
    ],
  },
  {
    id: "field-description",
    expected: "prose",
    steps: [replace(`${record}/properties/ani/description`, "Caller.")],
  },
  {
    id: "field-example-changed",
    expected: "prose",
    steps: [replace(`${flag}/properties/Name/examples`, ["Follow up"])],
  },
  {
    id: "field-title-added",
    expected: "prose",
    steps: [add(`${flag}/properties/Name/title`, "Name")],
  },
  {
    id: "field-deprecated",
    expected: "additive",
    steps: [add(`${flag}/properties/Name/deprecated`, true)],
  },
  {
    id: "unused-schema-added",
    expected: "prose",
    steps: [add(`${schemas}/Unused`, { type: "object" })],
  },
  {
    id: "response-list-may-be-empty",
    expected: "prose",
    steps: [add(`${schemas}/PublicFlagEnvelope/properties/data/minItems`, 0)],
  },
  {
    id: "response-list-never-empty",
    expected: "additive",
    steps: [add(`${schemas}/PublicFlagEnvelope/properties/data/minItems`, 1)],
  },
  {
    id: "response-list-without-repeats",
    expected: "additive",
    steps: [add(`${schemas}/PublicFlagEnvelope/properties/data/uniqueItems`, true)],
  },
  {
    id: "response-const-written-as-enum",
    expected: "prose",
    steps: [
      remove(`${schemas}/TokenResponse/properties/type/const`),
      add(`${schemas}/TokenResponse/properties/type/enum`, ["Bearer"]),
    ],
  },
  {
    id: "schema-wrapped",
    expected: "prose",
    steps: [
      replace(`${schemas}/PublicFlagEnvelope/properties/data/items`, { allOf: [{ $ref: flag }] }),
    ],
  },
  {
    id: "null-written-as-a-choice",
    expected: "prose",
    steps: [
      replace(`${record}/properties/city`, { anyOf: [{ type: "string" }, { type: "null" }] }),
    ],
  },
];
