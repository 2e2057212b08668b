// Labelled edits of what a client sends in paths, queries and headers.
import type { LabelledEdit } from "./labelled-edit.ts";
import { add, append, remove, replace, take } from "./steps.ts";

const parameters = "#/components/parameters";
const byCall = "#/paths/~1recording~1by-call-id~1{call_id}/get";
const search = "#/paths/~1metadata~1search/post";

export const parameterEdits: readonly LabelledEdit[] = [
  {
    id: "optional-parameter-removed",
    expected: "breaking",
    steps: [take(`${byCall}/parameters`, `${parameters}/Part`)],
  },
  {
    id: "parameter-renamed",
    expected: "breaking",
    steps: [replace(`${parameters}/PageIndex/name`, "page")],
  },
  {
    id: "optional-parameter-becomes-required",
    expected: "breaking",
    steps: [replace(`${parameters}/Part/required`, true)],
  },
  {
    id: "required-parameter-added",
    expected: "breaking",
    steps: [
      append(`${search}/parameters`, {
        name: "zone",
        in: "query",
        required: true,
        schema: { type: "string" },
      }),
    ],
  },
  {
    id: "optional-parameter-added",
    expected: "additive",
    steps: [
      append(`${search}/parameters`, {
        name: "zone",
        in: "query",
        required: false,
        schema: { type: "string" },
      }),
    ],
  },
  {
    id: "required-parameter-becomes-optional",
    expected: "additive",
    steps: [replace(`${parameters}/PageIndex/required`, false)],
  },
  {
    id: "parameter-type-changed",
    expected: "breaking",
    steps: [replace(`${parameters}/CallId/schema/type`, "integer")],
  },
  {
    // An address has no quotes: every integer in it is a text.
    id: "parameter-takes-any-text",
    expected: "additive",
    steps: [replace(`${parameters}/UserId/schema/type`, "string")],
  },
  {
    id: "parameter-takes-integers-too",
    expected: "prose",
    steps: [replace(`${parameters}/CallId/schema/type`, ["string", "integer"])],
  },
  {
    id: "request-enum-value-added",
    expected: "additive",
    steps: [append(`${parameters}/UserStatus/schema/enum`, "locked")],
  },
  {
    id: "request-enum-value-removed",
    expected: "breaking",
    steps: [take(`${parameters}/UserStatus/schema/enum`, "all")],
  },
  {
    id: "request-enum-in-another-order",
    expected: "prose",
    steps: [
      replace(`${parameters}/UserStatus/schema/enum`, ["all", "deleted", "inactive", "active"]),
    ],
  },
  {
    id: "request-enum-lifted",
    expected: "additive",
    steps: [remove(`${parameters}/UserStatus/schema/enum`)],
  },
  {
    id: "request-enum-imposed",
    expected: "breaking",
    steps: [add(`${parameters}/Prefer/schema/enum`, ["count=exact"])],
  },
  {
    id: "request-maximum-lowered",
    expected: "breaking",
    steps: [replace(`${parameters}/Part/schema/maximum`, 100)],
  },
  {
    id: "request-maximum-raised",
    expected: "additive",
    steps: [replace(`${parameters}/Part/schema/maximum`, 20000)],
  },
  {
    id: "request-minimum-raised",
    expected: "breaking",
    steps: [replace(`${parameters}/PageIndex/schema/minimum`, 1)],
  },
  {
    id: "request-min-length-raised",
    expected: "breaking",
    steps: [replace(`${parameters}/RefId/schema/minLength`, 3)],
  },
  {
    id: "request-max-length-lowered",
    expected: "breaking",
    steps: [replace(`${parameters}/RefId/schema/maxLength`, 64)],
  },
  {
    id: "request-max-length-raised",
    expected: "additive",
    steps: [replace(`${parameters}/RefId/schema/maxLength`, 4096)],
  },
  {
    id: "request-pattern-imposed",
    expected: "breaking",
    steps: [add(`${parameters}/CallId/schema/pattern`, "^[0-9]+$")],
  },
  {
    id: "request-pattern-lifted",
    expected: "additive",
    steps: [remove(`${parameters}/StartDate/schema/pattern`)],
  },
  {
    id: "request-pattern-changed",
    expected: "breaking",
    steps: [replace(`${parameters}/EndDate/schema/pattern`, "^\\d{8}$")],
  },
  {
    id: "request-format-changed",
    expected: "breaking",
    steps: [replace(`${parameters}/StartDate/schema/format`, "date-time")],
  },
  {
    id: "request-default-changed",
    expected: "breaking",
    steps: [replace(`${parameters}/Part/schema/default`, 2)],
  },
  {
    id: "parameter-description",
    expected: "prose",
    steps: [replace(`${parameters}/Part/description`, "The recording.")],
  },
  {
    id: "parameter-example",
    expected: "prose",
    steps: [replace(`${parameters}/CallId/example`, "1")],
  },
  {
    id: "parameters-in-another-order",
    expected: "prose",
    steps: [
      take(`${search}/parameters`, `${parameters}/PageIndex`),
      append(`${search}/parameters`, { $ref: `${parameters}/PageIndex` }),
    ],
  },
  {
    id: "parameter-moved-to-a-header",
    expected: "breaking",
    steps: [replace(`${parameters}/UserId/in`, "header")],
  },
  {
    id: "parameter-written-in-place",
    expected: "prose",
    steps: [
      take(`${search}/parameters`, `${parameters}/Prefer`),
      append(`${search}/parameters`, {
        name: "Prefer",
        in: "header",
        required: false,
        schema: { type: "string" },
        "x-decision": ["D10", "D30"],
        "x-extension": true,
      }),
    ],
  },
  {
    id: "request-bound-written-otherwise",
    expected: "prose",
    steps: [
      remove(`${parameters}/Part/schema/minimum`),
      add(`${parameters}/Part/schema/exclusiveMinimum`, 0),
    ],
  },
];
