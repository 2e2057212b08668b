// Input that is read further than it is right: what begins well, what is empty, what is close enough.
import { when, whenAsked } from "../edits/answers.ts";
import { asIf, filterOf, queryOf, withFilter, withQuery } from "../edits/requests.ts";
import { searching, matchesWhole } from "../edits/search.ts";
import type { Mutate, ProxyRequest } from "../exchange.ts";
import { BASE64, type Mutant, SEARCHES, STREAMS } from "./mutant.ts";

/** Reads the digits a refused parameter begins with, and leaves the rest. */
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
  {
    id: "page-by-its-digits",
    class: "input",
    operation: SEARCHES,
    contract: "decision",
    says: "pageIndex 1.5 or 1x is read as 1",
    mutate: byItsDigits("pageIndex"),
  },
  {
    id: "user-id-by-its-digits",
    class: "input",
    operation: ["getUserAddresses", "getUserSecurityRights", "listPrivateFlags"],
    contract: "decision",
    says: "user_id 1.5 or 1x is read as 1",
    mutate: byItsDigits("user_id"),
  },
  {
    id: "part-zero-taken",
    class: "input",
    operation: isRecordings,
    contract: "decision",
    says: "part 0 is taken as 1",
    mutate: whenAsked(
      (request) => queryOf(request, "part") === "0",
      asIf((request) => withQuery(request, { part: "1" })),
    ),
  },
  {
    id: "part-past-the-end-taken",
    class: "input",
    operation: isRecordings,
    contract: "decision",
    says: "a part past the last brings the first",
    mutate: when(
      404,
      asIf((request) =>
        queryOf(request, "part") === "" ? request : withQuery(request, { part: undefined }),
      ),
    ),
  },
  {
    id: "null-filter-taken",
    class: "input",
    operation: SEARCHES,
    contract: "decision",
    says: "a filter of null counts as not given",
    mutate: when(
      400,
      asIf(withEntries((entries) => entries.filter(([, wanted]) => wanted !== null))),
    ),
  },
  {
    id: "list-filter-taken",
    class: "input",
    operation: SEARCHES,
    contract: "decision",
    says: "of a filter that is an array the first value is taken",
    mutate: when(
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
  },
  {
    id: "array-body-taken",
    class: "input",
    operation: "searchMetadataByCustomFields",
    contract: "decision",
    says: "a body that is an array is taken as {}",
    mutate: when(
      400,
      asIf((request) =>
        request.body.toString().trimStart().startsWith("[") ? withFilter(request, {}) : request,
      ),
    ),
  },
  {
    id: "empty-text-ignored",
    class: "filter",
    operation: SEARCHES,
    contract: "decision",
    says: "a filter of empty text counts as not given",
    mutate: searching({
      matches: (value, wanted, name) => wanted === "" || matchesWhole(value, wanted, name),
    }),
  },
  {
    id: "zero-ignored",
    class: "filter",
    operation: "searchMetadata",
    contract: "interface",
    says: "a filter of 0 seconds counts as not given",
    mutate: searching({
      matches: (value, wanted, name) => wanted === 0 || matchesWhole(value, wanted, name),
    }),
  },
  {
    id: "date-with-time-taken",
    class: "dates",
    operation: SEARCHES,
    contract: "decision",
    says: "a date with a time after it is taken as its day",
    mutate: when(
      400,
      asIf((request) =>
        withQuery(request, {
          startDate: queryOf(request, "startDate").replace(/T.*$/, ""),
          endDate: queryOf(request, "endDate").replace(/T.*$/, ""),
        }),
      ),
    ),
  },
  {
    id: "accept-ignored",
    class: "status",
    operation: "listPublicFlags",
    contract: "decision",
    says: "JSON comes whatever Accept says",
    mutate: when(
      406,
      asIf(({ headers, ...request }) => ({ ...request, headers: { ...headers, accept: "*/*" } })),
    ),
  },
];
