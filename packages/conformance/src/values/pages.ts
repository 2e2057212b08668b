// Pages: the request of each page of a list, by its number, its rows, or what the page before says of the next one.
import type { JsonObject } from "@call-media/contract-diff";
import type { Answer, Ask } from "../ask.ts";
import type { RuleOf } from "../relations/kinds.ts";
import type { Run } from "../run.ts";
import { schemaOf } from "./fields.ts";
import { at, headerOf } from "./places.ts";

type PageRule = RuleOf<"page">;

/** Usual names of parameters for the rows of a page, of flags that more follow, and of totals. */
export const SIZE =
  /^(?:take|first|count)$|(?:^|[[_$])(?:limit|size|top|per_?page|page_?size|max_?results)\]?$/i;
export const MORE = /^(?:has_?(?:more|next)(?:_?page)?|more|truncated|is_?truncated)$/i;
export const TOTAL =
  /^(?:total|count|@odata\.count|record_?count)$|total_?(?:count|items|results|rows|size)$/i;

/** Whether a `Link` header leads to a next page. */
export const hasNextLink = ({ headers }: Pick<Answer, "headers">): boolean =>
  /rel="?[^",;]*\bnext\b/i.test(headers.get("Link") ?? "");

/** Of a list whose largest page the document does not tell. */
const USUAL_SIZE = 50;

/** Rows a page: what the rule says, or the largest that the schema of its parameter allows. */
export function sizeOf(run: Run, rule: PageRule, operation: string): number {
  if (typeof rule.size === "number") return rule.size;
  const schema = schemaOf(run, run.operation(operation), rule.size ?? "");
  const most = schema === undefined ? undefined : run.document.schemas.view(schema).said["maximum"];
  return typeof most === "number" ? Math.min(most, 100) : USUAL_SIZE;
}

/** Rows that each page but the last has, as the rule or the schema says; undefined where the service may decide. */
export function statedSize(run: Run, rule: PageRule, operation: string): number | undefined {
  const schema = schemaOf(run, run.operation(operation), String(rule.size ?? ""));
  const said = schema === undefined ? {} : run.document.schemas.view(schema).said;
  const isStated = typeof rule.size === "number" || typeof said["maximum"] === "number";
  return isStated ? sizeOf(run, rule, operation) : undefined;
}

/** Whether a request says how many rows a page has. */
export const hasSize = ({ size, range }: PageRule): boolean =>
  typeof size === "string" || range !== undefined;

/** Whether any page can be asked for, and not only the one after another. */
export const isNumbered = ({ index, range }: PageRule): boolean =>
  index !== undefined || range !== undefined;

export interface PageNumber {
  /** Counted from 0. */
  readonly page: number;
  readonly size: number;
  /** Rows before it; default: as many as full pages have. */
  readonly before?: number;
}

/** The request of a page; of the first one where pages have no numbers. */
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

/** The request of the page after this one, as the answer says it; undefined where it says that there is none, or says nothing. */
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

/** Where a link to the next page leads that clients may not reach: another host or path than that of the page itself. */
export function findElsewhere(rule: PageRule, answer: Answer): string | undefined {
  const { at: place } = toNext(rule);
  const told = place === undefined || rule.cursor !== undefined ? "" : tellAt(answer, place);
  if (!isText(told)) return undefined;
  const [here, next] = [new URL(answer.sent.url), URL.parse(String(told), answer.sent.url)];
  const isHere = next?.origin === here.origin && next.pathname === here.pathname;
  return next === null || isHere ? undefined : `${next.origin}${next.pathname}`;
}

/** A flag that more rows follow says no more: the next number is the next page. */
function nextByNumber(
  { index, unit }: PageRule,
  ask: Ask,
  { length }: readonly unknown[],
): Ask | undefined {
  const number = Number(ask.query?.[index ?? ""]);
  if (index === undefined || length === 0) return undefined;
  return { ...ask, query: { ...ask.query, [index]: number + (unit === "row" ? length : 1) } };
}

/** Where an answer says what is after it. */
export const toNext = ({ next }: PageRule) =>
  typeof next === "string" ? { at: next } : (next ?? {});

/** Of an empty text no page is the next. */
const isText = (told: unknown): told is string | number =>
  typeof told === "number" || (typeof told === "string" && told !== "");

/** A link says the query; the body stays. */
const followLink = ({ query = {} }: Ask, { searchParams }: URL): JsonObject => ({
  ...Object.fromEntries(Object.entries(query).filter(([name]) => name.startsWith("body/"))),
  ...Object.fromEntries(searchParams),
});

/** What an answer says at a place, in its body or a header; of a Link its next one. */
function tellAt({ json, headers }: Answer, place: string): unknown {
  const header = headerOf(place);
  if (header === undefined) return at(json, place);
  const written = headers.get(header) ?? undefined;
  return header.toLowerCase() === "link" ? findLink(written ?? "") : written;
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

/** The total that an answer tells: `Content-Range: items 0-9/42` has it after the slash. */
export function totalOf({ json, headers }: Answer, place: string): number | undefined {
  const header = headerOf(place);
  const written =
    header === undefined ? at(json, place) : headers.get(header)?.replace(/^.*\//, "");
  const total = Number(written ?? Number.NaN);
  return Number.isNaN(total) ? undefined : total;
}
