// Guesses of paging: possible ways to request the next page, by the names of parameters and the values in responses.
import { isObject, type JsonObject } from "@call-media/contract-diff";
import { findNextOf, hasNextLink, MORE, SIZE, TOTAL } from "../values/pages.ts";
import {
  type Beside,
  type Choice,
  type Guess,
  type Known,
  listAsked,
  listBeside,
  typesOf,
} from "./known.ts";

const INDEX = /^(?:p|page(?:[_-]?(?:number|index|num))?|page\[number\])$/i;
const OFFSET = /^(?:\$?skip|offset|start|start_?(?:at|index)|page\[offset\])$/i;
const CURSOR =
  /^(?:cursor|after|marker|continue|(?:page_?|continuation_?|next_?|skip_?)?token|page\[(?:cursor|after)\])$/i;
const KEYSET = /^(?:starting_after|since_id|after_id|last_?(?:id|key))$/i;
const NEXT =
  /^(?:@odata\.next_?link|next|end_?cursor|after|continue|next_?(?:cursor|link|marker|page|url|(?:page_?)?token)|continuation_?token)$/i;
/** Names of places whose values may lead to the next page. */
const LEADING = /next|cursor|token|marker|after|continu|^end$|^last/i;

/** The parameter for the page size. */
export const findSize = (known: Known): string | undefined =>
  listAsked(known).find(({ name }) => SIZE.test(name))?.by;

/** True if a parameter belongs to paging. */
export const isPaging = (name: string): boolean =>
  [INDEX, OFFSET, SIZE, CURSOR, KEYSET].some((pattern) => pattern.test(name)) ||
  /^(?:ending_before|before|count|\$count)$/i.test(name);

/** Every possible way to request the next page. Trying them shows which one this service supports. */
export function guessPages(known: Known): Choice {
  const of = known.operation.id;
  const asked = listAsked(known);
  const beside = listBeside(known);
  const size = findSize(known);
  const more = beside.find(({ name, types }) => MORE.test(name) && types.includes("boolean"));
  const total = beside.find(({ name, types }) => TOTAL.test(name) && types.includes("integer"));
  const link = findLinkPlace(known, beside);
  const flag = more === undefined ? {} : { next: { more: more.place } };
  const next = link === undefined ? flag : { next: link };
  const shared = { of, ...(size !== undefined && { size }) };
  const counted = total === undefined ? {} : { total: total.place };
  const places = beside.filter(({ name, value, types }) =>
    value === undefined
      ? NEXT.test(name) && types.includes("string")
      : LEADING.test(name) && isText(value) && !isLink(value),
  );
  const headers = [...(known.page?.headers.keys() ?? [])].filter((name) =>
    /next|cursor|continuation/i.test(name),
  );
  const toGuess = (fields: JsonObject): Guess => ({ kind: "page", fields });
  const numbered = asked.flatMap(({ name, by, schema }): Guess[] => {
    const echo = beside.find((one) => one.name === name && one.types.includes("integer"));
    const told = { ...(echo !== undefined && { echo: echo.place }), ...counted, ...next };
    if (INDEX.test(name))
      return listStarts(known, schema).map((from) =>
        toGuess({ ...shared, index: by, from, ...told }),
      );
    return OFFSET.test(name) && !typesOf(known, schema).includes("string")
      ? [{}, { from: 1 }].map((from) =>
          toGuess({ ...shared, index: by, unit: "row", ...from, ...told }),
        )
      : [];
  });
  const cursors = [...asked, ...listInHeaders(known)]
    .filter(({ name }) => CURSOR.test(name) || OFFSET.test(name) || KEYSET.test(name))
    .flatMap(({ by }) => [
      ...places.map(({ place }) => {
        const at = more === undefined ? place : { at: place, more: more.place };
        return toGuess({ ...shared, cursor: by, next: at, ...counted });
      }),
      ...headers.map((name) => toGuess({ ...shared, cursor: by, next: `header:${name}` })),
    ]);
  const key = known.list?.key[0] ?? "*";
  const keysets = asked
    .filter(({ name }) => (KEYSET.test(name) || CURSOR.test(name)) && key !== "*")
    .map(({ by }) => {
      const last = { last: key, ...(more !== undefined && { more: more.place }) };
      return toGuess({ ...shared, cursor: by, next: last, ...counted });
    });
  const links = link === undefined ? [] : [toGuess({ ...shared, next: link, ...counted })];
  const unit = known.page?.headers.get("Accept-Ranges") ?? "none";
  const ranges = /^(?:bytes|none)$/i.test(unit)
    ? []
    : [toGuess({ of, range: unit, total: "header:Content-Range" })];
  return [...numbered, ...cursors, ...links, ...keysets, ...ranges];
}

/** The likeliest index of the first page first. All pages but the first look like a list, too, so a 0 that the document has is tried first. */
function listStarts({ document: { schemas } }: Known, schema: string): readonly number[] {
  const { default: usual, minimum } = schemas.view(schema).said;
  return (usual ?? minimum) === 0 ? [0, 1] : [1, 0];
}

/** Treats `X-Page-Token` like `page_token`. */
const listInHeaders = ({ operation: { parameters } }: Known) =>
  parameters
    .filter((one) => one.in === "header")
    .map(({ name }) => ({ name: name.replace(/^x-/i, "").replaceAll("-", "_"), by: name }));

const isText = (value: unknown): boolean =>
  typeof value === "number" || (typeof value === "string" && value !== "");
const isLink = (value: unknown): boolean =>
  typeof value === "string" && /^(?:https?:\/\/|\/|\?)/.test(value);

const isNextList = ([, value]: readonly [string, unknown]): boolean =>
  Array.isArray(value) && isLink(findNextOf(value));

function findLinkPlace({ page, operation }: Known, beside: readonly Beside[]): string | undefined {
  if (page !== undefined && hasNextLink(page)) return "header:Link";
  const isDocumented = operation.responses.some(
    ({ status, headers }) =>
      status.startsWith("2") && headers.some(({ name }) => /^link$/i.test(name)),
  );
  if (page === undefined && isDocumented) return "header:Link";
  const found = beside.find(
    ({ name, place, types, value }) =>
      (NEXT.test(name) || /next/i.test(place)) &&
      (page === undefined
        ? types.includes("string") && /link|url|href/i.test(place)
        : isLink(value)),
  )?.place;
  return found ?? Object.entries(isObject(page?.json) ? page.json : {}).find(isNextList)?.[0];
}
