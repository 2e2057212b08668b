// Mutants that accept input against the contract.
import { fieldsOf } from "@call-media/api";
import { status, toJsonAnswer, when, whenAsked } from "../edits/answers.ts";
import { asIf, filterOf, queryOf, withFilter, withQuery } from "../edits/requests.ts";
import { addDays } from "../edits/search.ts";
import { SEARCHES, type Mutant, toMutants } from "./mutant.ts";

const NO_RECORDS = { isError: false, errorMessage: null, data: [] };
const toNoRecords = when(400, (answer, { operation }) =>
  toJsonAnswer(answer, 200, {
    ...NO_RECORDS,
    ...(operation === "searchMetadataByCustomFields" && { pageID: 0, recordCount: 0 }),
  }),
);
const FILTER_FIELDS: ReadonlySet<string> = new Set([
  ...fieldsOf("MetadataFilter"),
  ...fieldsOf("CustomFieldsFilter"),
]);
const hasUnknownKey = (filter: object) =>
  Object.keys(filter).some((name) => !FILTER_FIELDS.has(name));

export const input: readonly Mutant[] = [
  ...toMutants("input", "decision", {
    "empty-filter-taken": [
      "searchMetadata",
      "a search without a filter is answered 200",
      whenAsked((request) => Object.keys(filterOf(request) ?? { no: 1 }).length === 0, toNoRecords),
    ],
    "unknown-key-taken": [
      SEARCHES,
      "an unknown filter key is ignored",
      whenAsked((request) => hasUnknownKey(filterOf(request) ?? {}), toNoRecords),
    ],
    "talk-time-as-text-taken": [
      "searchMetadata",
      "talk_time and handle_time are taken as text",
      whenAsked(
        (request) =>
          typeof (filterOf(request)?.talk_time ?? filterOf(request)?.handle_time) === "string",
        toNoRecords,
      ),
    ],
    "number-filter-taken": [
      "searchMetadataByCustomFields",
      "a filter value that is no text is taken",
      whenAsked(
        (request) =>
          Object.values(filterOf(request) ?? {}).some((value) => typeof value !== "string"),
        toNoRecords,
      ),
    ],
    "user-id-word-taken": [
      "listPrivateFlags",
      "a user_id that is no number is answered 200",
      whenAsked((request) => !/^-?\d+$/.test(queryOf(request, "user_id")), toNoRecords),
    ],
    "unknown-status-taken": [
      "listUsers",
      "an unknown user status is answered 200",
      whenAsked((request) => queryOf(request, "status") !== "", toNoRecords),
    ],
    "missing-status-taken": [
      "listUsers",
      "users without a status are answered as all",
      asIf((request) =>
        queryOf(request, "status") === "" ? withQuery(request, { status: "all" }) : request,
      ),
    ],
    "missing-dates-taken": [
      "searchMetadataByCustomFields",
      "dates that are missing are made up",
      whenAsked(
        (request) => queryOf(request, "startDate") === "" || queryOf(request, "endDate") === "",
        toNoRecords,
      ),
    ],
    "negative-page-taken": [
      "searchMetadata",
      "a negative pageIndex is taken as 0",
      asIf((request) =>
        queryOf(request, "pageIndex").startsWith("-")
          ? withQuery(request, { pageIndex: "0" })
          : request,
      ),
    ],
    "body-not-json-taken": [
      "searchMetadataByCustomFields",
      "a body that is no JSON is taken as {}",
      asIf((request) =>
        filterOf(request) === undefined
          ? withFilter(
              { ...request, headers: { ...request.headers, "content-type": "application/json" } },
              {},
            )
          : request,
      ),
    ],
    "text-body-taken": [
      SEARCHES,
      "a body of another content type is taken",
      asIf((request) => ({
        ...request,
        headers: { ...request.headers, "content-type": "application/json" },
      })),
    ],
  }),
  ...toMutants("input", "interface", {
    "credentials-not-text-500": [
      "createToken",
      "a token request without secretKey is answered 500",
      status(400, 500),
    ],
  }),
];

export const dateInput = toMutants("dates", "decision", {
  "dates-reversed-taken": [
    "searchMetadata",
    "a start after the end finds nothing, 200",
    whenAsked(
      (request) => queryOf(request, "startDate") > queryOf(request, "endDate"),
      toNoRecords,
    ),
  ],
  "unreal-day-taken": [
    "searchMetadataByCustomFields",
    "the 30th of February is taken as a day",
    whenAsked(
      (request) => ["startDate", "endDate"].some((name) => isUnreal(queryOf(request, name))),
      toNoRecords,
    ),
  ],
  "other-date-format-taken": [
    SEARCHES,
    "a date in another form than YYYY-MM-DD is taken",
    whenAsked(
      (request) =>
        ["startDate", "endDate"].some((name) => !/^\d{4}-\d\d-\d\d$/.test(queryOf(request, name))),
      toNoRecords,
    ),
  ],
});

function isUnreal(day: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return false;
  return Number.isNaN(Date.parse(day)) || addDays(day, 0) !== day;
}
