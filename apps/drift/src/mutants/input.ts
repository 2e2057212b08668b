// Mutants that accept input against the contract, or reject what it allows.
import { fieldsOf } from "@call-media/api";
import { refused, status, toJsonAnswer, when, whenAsked, withHeaders } from "../edits/answers.ts";
import type { JsonObject } from "../edits/json.ts";
import { asIf, filterOf, queryOf, withFilter, withQuery } from "../edits/requests.ts";
import { addDays } from "../edits/search.ts";
import type { Mutate, ProxyRequest } from "../exchange.ts";
import { type Mutant, RECORDINGS, SEARCHES, toMutants } from "./mutant.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const EMPTY = { isError: false, errorMessage: null, data: [] };
const EMPTY_PAGE = { ...EMPTY, pageID: 0, recordCount: 0 };

/** Finds nothing where a request that fits is refused. */
const takes = (fits: (request: ProxyRequest) => boolean): Mutate =>
  whenAsked(
    fits,
    when(400, (answer, { operation }) =>
      toJsonAnswer(answer, 200, operation === "searchMetadataByCustomFields" ? EMPTY_PAGE : EMPTY),
    ),
  );

const takesDates = (fits: (start: string, end: string) => boolean): Mutate =>
  takes((request) => fits(queryOf(request, "startDate"), queryOf(request, "endDate")));

const isUnreal = (day: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(day) && (Number.isNaN(Date.parse(day)) || addDays(day, 0) !== day);
const isOtherwise = (day: string): boolean => !/^\d{4}-\d\d-\d\d$/.test(day);

const FILTER_FIELDS: ReadonlySet<string> = new Set([
  ...fieldsOf("MetadataFilter"),
  ...fieldsOf("CustomFieldsFilter"),
]);

/** Reads a query parameter in another way, if there is anything to be read. */
const reading = (name: string, edit: (value: string) => string | undefined): Mutate =>
  asIf((request) => {
    const [value, changed] = [queryOf(request, name), edit(queryOf(request, name))];
    return changed === value ? request : withQuery(request, { [name]: changed });
  });

/** Accepts the leading digits of a rejected parameter, and ignores the rest. */
const byItsDigits = (name: string): Mutate =>
  when(
    400,
    reading(name, (value) => /^\s*(\d+)/.exec(value)?.[1] ?? value),
  );

/** Reads a rejected filter with other entries. */
const withEntries = (edit: (entries: [string, unknown][]) => [string, unknown][]): Mutate =>
  when(
    400,
    asIf((request) => {
      const filter = filterOf(request);
      const changed = JSON.stringify(Object.fromEntries(edit(Object.entries(filter ?? {}))));
      return filter === undefined || changed === JSON.stringify(filter)
        ? request
        : { ...request, body: Buffer.from(changed) };
    }),
  );

const asJson = (request: ProxyRequest) =>
  withHeaders(request, { "content-type": "application/json" });
const takesFilter = (fits: (filter: JsonObject) => boolean) =>
  takes((request) => {
    const filter = filterOf(request);
    return filter !== undefined && fits(filter);
  });
const daysOf = (request: ProxyRequest): number =>
  (Date.parse(queryOf(request, "endDate")) - Date.parse(queryOf(request, "startDate"))) / DAY_MS;

export const input: readonly Mutant[] = [
  ...toMutants("input", "decision", {
    "empty-filter-taken": [
      "searchMetadata",
      takesFilter((filter) => Object.keys(filter).length === 0),
    ],
    "unknown-key-taken": [
      SEARCHES,
      takesFilter((filter) => Object.keys(filter).some((name) => !FILTER_FIELDS.has(name))),
    ],
    "talk-time-as-text-taken": [
      "searchMetadata",
      takesFilter(
        ({ talk_time: talk, handle_time: handle }) => typeof (talk ?? handle) === "string",
      ),
    ],
    "number-filter-taken": [
      "searchMetadataByCustomFields",
      takesFilter((filter) => Object.values(filter).some((value) => typeof value !== "string")),
    ],
    "user-id-word-taken": [
      "listPrivateFlags",
      takes((request) => !/^-?\d+$/.test(queryOf(request, "user_id"))),
    ],
    "unknown-status-taken": ["listUsers", takes((request) => queryOf(request, "status") !== "")],
    "missing-status-taken": ["listUsers", reading("status", (value) => value || "all")],
    "missing-dates-taken": [
      "searchMetadataByCustomFields",
      takesDates((start, end) => start === "" || end === ""),
    ],
    "negative-page-taken": [
      "searchMetadata",
      reading("pageIndex", (value) => (value.startsWith("-") ? "0" : value)),
    ],
    "body-not-json-taken": [
      "searchMetadataByCustomFields",
      asIf((request) =>
        filterOf(request) === undefined ? withFilter(asJson(request), {}) : request,
      ),
    ],
    "text-body-taken": [SEARCHES, asIf(asJson)],
    "page-by-its-digits": [SEARCHES, "pageIndex 1.5 or 1x is read as 1", byItsDigits("pageIndex")],
    "user-id-by-its-digits": [
      ["getUserAddresses", "getUserSecurityRights", "listPrivateFlags"],
      "user_id 1.5 or 1x is read as 1",
      byItsDigits("user_id"),
    ],
    "part-zero-taken": [RECORDINGS, reading("part", (value) => (value === "0" ? "1" : value))],
    "part-past-the-end-taken": [
      RECORDINGS,
      when(
        404,
        reading("part", (value) => (value === "" ? value : undefined)),
      ),
    ],
    "null-filter-taken": [
      SEARCHES,
      withEntries((entries) => entries.filter(([, wanted]) => wanted !== null)),
    ],
    "list-filter-taken": [
      SEARCHES,
      withEntries((entries) =>
        entries.map(([name, wanted]) => [name, Array.isArray(wanted) ? String(wanted[0]) : wanted]),
      ),
    ],
    "array-body-taken": [
      "searchMetadataByCustomFields",
      when(
        400,
        asIf((request) =>
          request.body.toString().trimStart().startsWith("[") ? withFilter(request, {}) : request,
        ),
      ),
    ],
    "status-in-any-case-taken": ["listUsers", reading("status", (value) => value.toLowerCase())],
  }),
  ...toMutants("input", "interface", {
    "credentials-not-text-500": ["createToken", status(400, 500)],
  }),
  ...toMutants("dates", "decision", {
    "dates-reversed-taken": ["searchMetadata", takesDates((start, end) => start > end)],
    "unreal-day-taken": [
      "searchMetadataByCustomFields",
      takesDates((...days) => days.some(isUnreal)),
    ],
    "other-date-format-taken": [SEARCHES, takesDates((...days) => days.some(isOtherwise))],
    "date-with-time-taken": [
      SEARCHES,
      when(
        400,
        asIf((request) => {
          const toDay = (name: string) => queryOf(request, name).replace(/T.*$/, "");
          return withQuery(request, { startDate: toDay("startDate"), endDate: toDay("endDate") });
        }),
      ),
    ],
    "leap-day-refused": [
      SEARCHES,
      whenAsked(
        ({ query }) => query.includes("-02-29"),
        when(200, refused(400, "startDate is not a day.")),
      ),
    ],
    "long-range-refused": [
      SEARCHES,
      "more than ten years of days are refused",
      whenAsked(
        (request) => daysOf(request) > 3653,
        when(200, refused(400, "endDate lies too far.")),
      ),
    ],
  }),
  ...toMutants("status", "decision", {
    "accept-ignored": [
      "listPublicFlags",
      when(
        406,
        asIf((request) => withHeaders(request, { accept: "*/*" })),
      ),
    ],
  }),
];
