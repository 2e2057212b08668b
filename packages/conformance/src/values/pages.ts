// Pages: the request for each page of a list, by its number, its rows, or the link to it on the previous page.
import { isObject, type JsonObject } from "@call-media/contract-diff";
import type { Answer, Ask } from "../ask.ts";
import type { RuleOf } from "../relations/kinds.ts";
import type { Run } from "../run.ts";
import { schemaOf } from "./fields.ts";
import { isFit } from "./make.ts";
import { at, headerOf, toQueryValue } from "./places.ts";

type PageRule = RuleOf<"page">;

/** Common names of parameters for the page size, of flags for more rows, and of totals. */
export const SIZE =
  /^(?:take|first|count)$|(?:^|[[_$])(?:limit|size|top|per_?page|page_?size|max_?results)\]?$/i;
export const MORE = /^(?:has_?(?:more|next)(?:_?page)?|more|truncated|is_?truncated)$/i;
export const TOTAL =
  /^(?:total|count|@odata\.count|record_?count)$|total_?(?:count|items|results|rows|size)$/i;

/** True if a `Link` header leads to a next page. */
export const hasNextLink = ({ headers }: Pick<Answer, "headers">): boolean =>
  /rel="?[^",;]*\bnext\b/i.test(headers.get("Link") ?? "");

/** The page size for a list whose document states no maximum. */
const USUAL_SIZE = 50;

/** The page size: from the rule, or the maximum that the schema of its parameter permits. */
export function sizeOf(run: Run, rule: PageRule, operation: string): number {
  if (typeof rule.size === "number") return rule.size;
  const schema = schemaOf(run, run.operation(operation), rule.size ?? "");
  const most = schema === undefined ? undefined : run.document.schemas.view(schema).said["maximum"];
  return typeof most === "number" ? Math.min(most, 100) : USUAL_SIZE;
}

/** The number of rows on every page but the last, as the rule or schema states it. Undefined if the service may decide. */
export function statedSize(run: Run, rule: PageRule, operation: string): number | undefined {
  const schema = schemaOf(run, run.operation(operation), String(rule.size ?? ""));
  const said = schema === undefined ? {} : run.document.schemas.view(schema).said;
  const isStated = typeof rule.size === "number" || typeof said["maximum"] === "number";
  return isStated ? sizeOf(run, rule, operation) : undefined;
}

/** The maximum number of rows that a request asked for. Undefined if its page size is not valid. */
export function givenSize(run: Run, { size }: PageRule, { ask, operation }: Answer) {
  const given = typeof size === "string" ? toQueryValue(ask, size) : size;
  const schema = schemaOf(run, operation, String(size ?? ""));
  const isRight = schema === undefined || isFit(run.document.schemas, schema, given);
  return typeof given === "number" && given > 0 && isRight ? given : undefined;
}

/** True if a request states the page size. */
export const hasSize = ({ size, range }: PageRule): boolean =>
  typeof size === "string" || range !== undefined;

/** True if pages can be requested in any order, not only one after another. */
export const isNumbered = ({ index, range }: PageRule): boolean =>
  index !== undefined || range !== undefined;

export interface PageNumber {
  /** Counted from 0. */
  readonly page: number;
  readonly size: number;
  /** The number of rows before it; default: that of full pages. */
  readonly before?: number;
}

/** The request for a page; for the first one if pages have no numbers. */
export function pageAsk(
  rule: PageRule,
  ask: Ask,
  { page, size, before = page * size }: PageNumber,
): Ask {
  const isRow = rule.unit === "row" || rule.range !== undefined;
  const from = typeof rule.from === "number" ? rule.from : isRow ? 0 : 1;
  const start = from + (isRow ? before : page);
  return {
    ...ask,
    query: {
      ...ask.query,
      ...(rule.index !== undefined && { [rule.index]: start }),
      ...(typeof rule.size === "string" && { [rule.size]: size }),
    },
    // RFC 9110, 14.2: both ends are in the range.
    ...(rule.range !== undefined && {
      headers: { ...ask.headers, Range: `${rule.range}=${start}-${start + size - 1}` },
    }),
  };
}

/** The request for the page after this one, according to the response. Undefined if it states that there is none, or states nothing. */
export function nextAsk(rule: PageRule, answer: Answer, rows: readonly unknown[]): Ask | undefined {
  const { ask, sent } = answer;
  const { at: place, last, more } = toNext(rule);
  if (more !== undefined && !/^true$/i.test(String(tellAt(answer, more)))) return undefined;
  const withQuery = (query: JsonObject): Ask => ({ ...ask, query: { ...ask.query, ...query } });
  if (place === undefined && last === undefined) return nextByNumber(rule, ask, rows);
  const told = place === undefined ? at(rows.at(-1), last ?? "") : tellAt(answer, place);
  if (!isText(told)) return undefined;
  if (rule.cursor !== undefined) return withQuery({ [rule.cursor]: told });
  const link = URL.parse(String(told), sent.url);
  return link === null ? undefined : { ...ask, query: followLink(ask, link) };
}

/** The target of a next link that clients may not reach: another host or path than that of the page itself. */
export function findElsewhere(rule: PageRule, answer: Answer): string | undefined {
  const { at: place } = toNext(rule);
  const told = place === undefined || rule.cursor !== undefined ? "" : tellAt(answer, place);
  if (!isText(told)) return undefined;
  const [here, next] = [new URL(answer.sent.url), URL.parse(String(told), answer.sent.url)];
  const isHere = next?.origin === here.origin && next.pathname === here.pathname;
  return next === null || isHere ? undefined : `${next.origin}${next.pathname}`;
}

/** A flag for more rows does not name the next page, which is the next number. */
function nextByNumber(
  { index, unit }: PageRule,
  ask: Ask,
  { length }: readonly unknown[],
): Ask | undefined {
  const number = Number(ask.query?.[index ?? ""]);
  if (index === undefined || length === 0) return undefined;
  return { ...ask, query: { ...ask.query, [index]: number + (unit === "row" ? length : 1) } };
}

/** Where a response states what follows it. */
export const toNext = ({ next }: PageRule) =>
  typeof next === "string" ? { at: next } : (next ?? {});

/** An empty text leads to no page. */
const isText = (told: unknown): told is string | number =>
  typeof told === "number" || (typeof told === "string" && told !== "");

/** A link replaces the query; the body stays. */
const followLink = ({ query = {} }: Ask, { searchParams }: URL): JsonObject => ({
  ...Object.fromEntries(Object.entries(query).filter(([name]) => name.startsWith("body/"))),
  ...Object.fromEntries(searchParams),
});

/** The value at a place of a response, in its body or a header. For Link, the target of `next`. */
function tellAt({ json, headers }: Answer, place: string): unknown {
  const header = headerOf(place);
  if (header === undefined) {
    const told = at(json, place);
    return Array.isArray(told) ? findNextOf(told) : told;
  }
  const written = headers.get(header) ?? undefined;
  return header.toLowerCase() === "link" ? findLink(written ?? "") : written;
}

/** `links: [{ rel: "next", href }]`, as STAC and OGC APIs have them. */
export function findNextOf(links: readonly unknown[]): unknown {
  const next = links.filter(isObject).find(({ rel }) => [rel].flat().includes("next"));
  return next?.["href"] ?? next?.["url"];
}

const LINK =
  /<(?<target>[^>]*)>(?<parameters>(?:\s*;\s*[^\s=;,"]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*))?)*)/g;
const REL = /;\s*rel\s*=\s*(?:"(?<quoted>[^"]*)"|(?<bare>[^\s;,"]*))/i;

/** RFC 8288: `<https://...>; rel="prev next"; title="a, b"`. */
export function findLink(written: string): string | undefined {
  for (const { groups } of written.matchAll(LINK)) {
    const { quoted, bare = "" } = REL.exec(groups?.["parameters"] ?? "")?.groups ?? {};
    if ((quoted ?? bare).toLowerCase().split(/\s+/).includes("next")) return groups?.["target"];
  }
  return undefined;
}

/** The total that a response states: `Content-Range: items 0-9/42` has it after the slash. */
export function totalOf({ json, headers }: Answer, place: string): number | undefined {
  const header = headerOf(place);
  const written =
    header === undefined ? at(json, place) : headers.get(header)?.replace(/^.*\//, "");
  const total = Number(written ?? Number.NaN);
  return Number.isNaN(total) ? undefined : total;
}
