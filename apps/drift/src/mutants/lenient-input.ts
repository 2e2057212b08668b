// Mutants that accept input too generously: a valid beginning, an empty value, a near miss.
import { when, whenAsked } from "../edits/answers.ts";
import { asIf, filterOf, queryOf, withFilter, withQuery } from "../edits/requests.ts";
import { ignoring } from "../edits/search.ts";
import type { Mutate, ProxyRequest } from "../exchange.ts";
import { BASE64, type Mutant, SEARCHES, STREAMS, toMutants } from "./mutant.ts";

/** Accepts the leading digits of a rejected parameter, and ignores the rest. */
function byItsDigits(name: string): Mutate {
  return when(
    400,
    asIf((request) => {
      const [digits] = /^\s*\d+/.exec(queryOf(request, name)) ?? [];
      return digits === undefined ? request : withQuery(request, { [name]: digits.trim() });
    }),
  );
}

const withEntries =
  (edit: (entries: [string, unknown][]) => [string, unknown][]) =>
  (request: ProxyRequest): ProxyRequest => {
    const filter = filterOf(request);
    const changed = JSON.stringify(Object.fromEntries(edit(Object.entries(filter ?? {}))));
    return filter === undefined || changed === JSON.stringify(filter)
      ? request
      : { ...request, body: Buffer.from(changed) };
  };

const isRecordings = [...BASE64, ...STREAMS] as const;

export const lenientInput: readonly Mutant[] = [
  ...toMutants("input", "decision", {
    "page-by-its-digits": [SEARCHES, "pageIndex 1.5 or 1x is read as 1", byItsDigits("pageIndex")],
    "user-id-by-its-digits": [
      ["getUserAddresses", "getUserSecurityRights", "listPrivateFlags"],
      "user_id 1.5 or 1x is read as 1",
      byItsDigits("user_id"),
    ],
    "part-zero-taken": [
      isRecordings,
      "part 0 is taken as 1",
      whenAsked(
        (request) => queryOf(request, "part") === "0",
        asIf((request) => withQuery(request, { part: "1" })),
      ),
    ],
    "part-past-the-end-taken": [
      isRecordings,
      "a part past the last brings the first",
      when(
        404,
        asIf((request) =>
          queryOf(request, "part") === "" ? request : withQuery(request, { part: undefined }),
        ),
      ),
    ],
    "null-filter-taken": [
      SEARCHES,
      "a filter of null counts as not given",
      when(400, asIf(withEntries((entries) => entries.filter(([, wanted]) => wanted !== null)))),
    ],
    "list-filter-taken": [
      SEARCHES,
      "of a filter that is an array the first value is taken",
      when(
        400,
        asIf(
          withEntries((entries) =>
            entries.map(([name, wanted]) => [
              name,
              Array.isArray(wanted) ? String(wanted[0]) : wanted,
            ]),
          ),
        ),
      ),
    ],
    "array-body-taken": [
      "searchMetadataByCustomFields",
      "a body that is an array is taken as {}",
      when(
        400,
        asIf((request) =>
          request.body.toString().trimStart().startsWith("[") ? withFilter(request, {}) : request,
        ),
      ),
    ],
  }),
  ...toMutants("filter", "decision", {
    "empty-text-ignored": [
      SEARCHES,
      "a filter of empty text counts as not given",
      ignoring((_name, wanted) => wanted === ""),
    ],
  }),
  ...toMutants("filter", "interface", {
    "zero-ignored": [
      "searchMetadata",
      "a filter of 0 seconds counts as not given",
      ignoring((_name, wanted) => wanted === 0),
    ],
  }),
  ...toMutants("dates", "decision", {
    "date-with-time-taken": [
      SEARCHES,
      "a date with a time after it is taken as its day",
      when(
        400,
        asIf((request) =>
          withQuery(request, {
            startDate: queryOf(request, "startDate").replace(/T.*$/, ""),
            endDate: queryOf(request, "endDate").replace(/T.*$/, ""),
          }),
        ),
      ),
    ],
  }),
  ...toMutants("status", "decision", {
    "accept-ignored": [
      "listPublicFlags",
      "JSON comes whatever Accept says",
      when(
        406,
        asIf(({ headers, ...request }) => ({ ...request, headers: { ...headers, accept: "*/*" } })),
      ),
    ],
  }),
];
