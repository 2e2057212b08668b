// Input that is taken although it is not what the contract asks for.
import { fieldsOf } from "@call-media/api";
import { status, toJsonAnswer, when, whenAsked } from "../edits/answers.ts";
import { asIf, filterOf, queryOf, withFilter, withQuery } from "../edits/requests.ts";
import { addDays } from "../edits/search.ts";
import { type Mutant, SEARCHES } from "./mutant.ts";

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
  {
    id: "empty-filter-taken",
    class: "input",
    operation: "searchMetadata",
    contract: "decision",
    says: "a search without a filter is answered 200",
    mutate: whenAsked(
      (request) => Object.keys(filterOf(request) ?? { no: 1 }).length === 0,
      toNoRecords,
    ),
  },
  {
    id: "unknown-key-taken",
    class: "input",
    operation: SEARCHES,
    contract: "decision",
    says: "an unknown filter key is ignored",
    mutate: whenAsked((request) => hasUnknownKey(filterOf(request) ?? {}), toNoRecords),
  },
  {
    id: "talk-time-as-text-taken",
    class: "input",
    operation: "searchMetadata",
    contract: "decision",
    says: "talk_time and handle_time are taken as text",
    mutate: whenAsked(
      (request) =>
        typeof (filterOf(request)?.talk_time ?? filterOf(request)?.handle_time) === "string",
      toNoRecords,
    ),
  },
  {
    id: "number-filter-taken",
    class: "input",
    operation: "searchMetadataByCustomFields",
    contract: "decision",
    says: "a filter value that is no text is taken",
    mutate: whenAsked(
      (request) =>
        Object.values(filterOf(request) ?? {}).some((value) => typeof value !== "string"),
      toNoRecords,
    ),
  },
  {
    id: "user-id-word-taken",
    class: "input",
    operation: "listPrivateFlags",
    contract: "decision",
    says: "a user_id that is no number is answered 200",
    mutate: whenAsked((request) => !/^-?\d+$/.test(queryOf(request, "user_id")), toNoRecords),
  },
  {
    id: "unknown-status-taken",
    class: "input",
    operation: "listUsers",
    contract: "decision",
    says: "an unknown user status is answered 200",
    mutate: whenAsked((request) => queryOf(request, "status") !== "", toNoRecords),
  },
  {
    id: "missing-status-taken",
    class: "input",
    operation: "listUsers",
    contract: "decision",
    says: "users without a status are answered as all",
    mutate: asIf((request) =>
      queryOf(request, "status") === "" ? withQuery(request, { status: "all" }) : request,
    ),
  },
  {
    id: "missing-dates-taken",
    class: "input",
    operation: "searchMetadataByCustomFields",
    contract: "decision",
    says: "dates that are missing are made up",
    mutate: whenAsked(
      (request) => queryOf(request, "startDate") === "" || queryOf(request, "endDate") === "",
      toNoRecords,
    ),
  },
  {
    id: "negative-page-taken",
    class: "input",
    operation: "searchMetadata",
    contract: "decision",
    says: "a negative pageIndex is taken as 0",
    mutate: asIf((request) =>
      queryOf(request, "pageIndex").startsWith("-")
        ? withQuery(request, { pageIndex: "0" })
        : request,
    ),
  },
  {
    id: "body-not-json-taken",
    class: "input",
    operation: "searchMetadataByCustomFields",
    contract: "decision",
    says: "a body that is no JSON is taken as {}",
    mutate: asIf((request) =>
      filterOf(request) === undefined
        ? withFilter(
            { ...request, headers: { ...request.headers, "content-type": "application/json" } },
            {},
          )
        : request,
    ),
  },
  {
    id: "text-body-taken",
    class: "input",
    operation: SEARCHES,
    contract: "decision",
    says: "a body of another content type is taken",
    mutate: asIf((request) => ({
      ...request,
      headers: { ...request.headers, "content-type": "application/json" },
    })),
  },
  {
    id: "credentials-not-text-500",
    class: "input",
    operation: "createToken",
    contract: "interface",
    says: "a token request without secretKey is answered 500",
    mutate: status(400, 500),
  },
];

export const dateInput: readonly Mutant[] = [
  {
    id: "dates-reversed-taken",
    class: "dates",
    operation: "searchMetadata",
    contract: "decision",
    says: "a start after the end finds nothing, 200",
    mutate: whenAsked(
      (request) => queryOf(request, "startDate") > queryOf(request, "endDate"),
      toNoRecords,
    ),
  },
  {
    id: "unreal-day-taken",
    class: "dates",
    operation: "searchMetadataByCustomFields",
    contract: "decision",
    says: "the 30th of February is taken as a day",
    mutate: whenAsked(
      (request) => ["startDate", "endDate"].some((name) => isUnreal(queryOf(request, name))),
      toNoRecords,
    ),
  },
  {
    id: "other-date-format-taken",
    class: "dates",
    operation: SEARCHES,
    contract: "decision",
    says: "a date in another form than YYYY-MM-DD is taken",
    mutate: whenAsked(
      (request) =>
        ["startDate", "endDate"].some((name) => !/^\d{4}-\d\d-\d\d$/.test(queryOf(request, name))),
      toNoRecords,
    ),
  },
];

function isUnreal(day: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return false;
  return Number.isNaN(Date.parse(day)) || addDays(day, 0) !== day;
}
