// Labelled edits of what a client reads: statuses, headers, media types and examples of answers.
import type { LabelledEdit } from "./labelled-edit.ts";
import { add, remove, rename, replace } from "./steps.ts";

const responses = "#/components/responses";
const stream = "#/paths/~1recording~1stream-by-reference~1{ref_id}/get";
const chat = "#/paths/~1chat~1by-call-id~1{call_id}/get";

export const answerEdits: readonly LabelledEdit[] = [
  {
    id: "success-status-removed",
    expected: "breaking",
    steps: [remove(`${stream}/responses/206`)],
  },
  { id: "error-status-removed", expected: "breaking", steps: [remove(`${chat}/responses/429`)] },
  {
    id: "success-status-replaced",
    expected: "breaking",
    steps: [rename(`${chat}/responses/200`, "203")],
  },
  {
    id: "error-status-added",
    expected: "additive",
    steps: [add(`${chat}/responses/404`, { $ref: `${responses}/NoRecordingOfCall` })],
  },
  {
    id: "response-header-removed",
    expected: "breaking",
    steps: [remove(`${responses}/RecordingStream/headers/Repr-Digest`)],
  },
  {
    id: "response-header-added",
    expected: "additive",
    steps: [add(`${responses}/Chat/headers/Age`, { schema: { type: "integer" } })],
  },
  {
    id: "response-header-no-longer-certain",
    expected: "breaking",
    steps: [replace("#/components/headers/Retry-After/required", false)],
  },
  {
    id: "response-header-now-certain",
    expected: "additive",
    steps: [add("#/components/headers/RateLimit/required", true)],
  },
  {
    id: "response-header-type-changed",
    expected: "breaking",
    steps: [replace("#/components/headers/Retry-After/schema", { type: "string" })],
  },
  {
    id: "response-media-type-removed",
    expected: "breaking",
    steps: [remove(`${responses}/RecordingStream/content/audio~1mpeg`)],
  },
  {
    id: "response-media-type-added",
    expected: "additive",
    steps: [add(`${responses}/RecordingStream/content/audio~1flac`, {})],
  },
  {
    id: "response-body-without-a-schema",
    expected: "breaking",
    steps: [remove(`${responses}/Users/content/application~1json/schema`)],
  },
  {
    id: "response-description",
    expected: "prose",
    steps: [replace(`${responses}/Chat/description`, "A chat.")],
  },
  {
    id: "response-example",
    expected: "prose",
    steps: [replace("#/components/examples/NoCall/summary", "None.")],
  },
  {
    id: "response-example-added",
    expected: "prose",
    steps: [
      add(`${responses}/PublicFlags/content/application~1json/examples/Another`, {
        summary: "Another.",
        value: { isError: false, errorMessage: null, data: [] },
      }),
    ],
  },
  {
    id: "header-description",
    expected: "prose",
    steps: [replace("#/components/headers/X-Request-Id/description", "Says which request it was.")],
  },
  {
    id: "answer-written-in-place",
    expected: "prose",
    steps: [
      add(`${responses}/Notes`, { $ref: `${responses}/Chat` }),
      replace(`${chat}/responses/200`, { $ref: `${responses}/Notes` }),
    ],
  },
];
