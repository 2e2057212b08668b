// Lists: reading them page after page to the end, and finding a query under which they show something.
import type { JsonObject } from "@call-media/contract-diff";
import { isDeepStrictEqual } from "node:util";
import type { Answer, Ask, Caller } from "../ask.ts";
import type { RuleOf } from "../relations/kinds.ts";
import type { FoundList, Run } from "../run.ts";
import { candidatesOf } from "./candidates.ts";
import { at, headerOf, reach } from "./places.ts";

export interface ReadOptions {
  /** Rows a page; default: the most that the schema allows. */
  readonly size?: number;
  /** Pages to read; default 8. */
  readonly most?: number;
  readonly caller?: Caller;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Read {
  readonly rows: readonly unknown[];
  readonly pages: readonly (readonly unknown[])[];
  /** One for each page, and one more where an empty page ended the list. */
  readonly answers: readonly Answer[];
  /** Whether these are all rows: the last page was seen. */
  readonly isWhole: boolean;
}

const MAX_PAGES = 8;
/** Of a list whose largest page the document does not tell. */
const USUAL_SIZE = 50;

export function rowsOf(run: Run, { operation, json }: Answer): readonly unknown[] {
  const info = run.listInfo(operation.id);
  const rows = info && at(json, info.items);
  return Array.isArray(rows) ? rows : [];
}

/** What makes a row itself, as text. */
export function keyOf(run: Run, list: string, row: unknown): string {
  const key = run.listInfo(list)?.key ?? ["*"];
  if (key.includes("*")) return JSON.stringify(row);
  return key.map((place) => JSON.stringify(at(row, place))).join(" ");
}

export const keysOf = (run: Run, list: string, rows: readonly unknown[]): string[] =>
  rows.map((row) => keyOf(run, list, row));

/** Rows a page: what the rule says, or the largest that the schema of its parameter allows. */
export function sizeOf(run: Run, rule: RuleOf<"page">, operation: string): number {
  if (typeof rule.size === "number") return rule.size;
  const schema = run.operation(operation).parameters.find(({ name }) => name === rule.size)?.schema;
  const most = schema === undefined ? undefined : run.document.schemas.view(schema).said["maximum"];
  return typeof most === "number" ? Math.min(most, 100) : USUAL_SIZE;
}

/** Whether a request says how many rows a page has. */
export const hasSize = ({ size }: RuleOf<"page">): boolean => typeof size === "string";

/** The request of a page, counted from 0. */
export function pageQuery(rule: RuleOf<"page">, page: number, size: number): JsonObject {
  const from = typeof rule.from === "number" ? rule.from : rule.unit === "row" ? 0 : 1;
  const index = rule.unit === "row" ? from + page * size : from + page;
  return {
    ...(rule.index !== undefined && { [rule.index]: index }),
    ...(typeof rule.size === "string" && { [rule.size]: size }),
  };
}

/** All rows of a list for a query, page after page, until one has none or says that it is the last. */
export async function readAll(run: Run, ask: Ask, options: ReadOptions = {}): Promise<Read> {
  const rule = run.ruleOf("page", ask.operation);
  const shared = {
    ...ask,
    ...(options.caller && { caller: options.caller }),
    ...(options.headers && { headers: options.headers }),
  };
  if (rule === undefined) {
    const answer = await run.ask(shared);
    const rows = rowsOf(run, answer);
    return { rows, pages: [rows], answers: [answer], isWhole: answer.isSuccess };
  }
  return readPages(run, rule, { ask: shared, options });
}

async function readPages(
  run: Run,
  rule: RuleOf<"page">,
  { ask, options }: { ask: Ask; options: ReadOptions },
): Promise<Read> {
  const { size = sizeOf(run, rule, ask.operation), most = MAX_PAGES } = options;
  const pages: (readonly unknown[])[] = [];
  const answers: Answer[] = [];
  const done = (isWhole: boolean): Read => ({ rows: pages.flat(), pages, answers, isWhole });
  let further: JsonObject = {};
  for (let page = 0; page < most; page += 1) {
    const query = { ...ask.query, ...pageQuery(rule, page, size), ...further };
    const answer = await run.ask({ ...ask, query });
    answers.push(answer);
    const rows = rowsOf(run, answer);
    if (!answer.isSuccess || rows.length === 0) return done(answer.isSuccess || page > 0);
    // A service that heeds no index gives the first page for ever.
    if (page > 0 && isDeepStrictEqual(rows, pages[page - 1])) return done(false);
    pages.push(rows);
    const next = rule.next === undefined ? undefined : nextOf(rule, answer);
    if (rule.next !== undefined && rule.index === undefined) {
      if (next === undefined) return done(true);
      further = next;
    }
    const total = rule.total === undefined ? undefined : Number(totalOf(answer, rule.total));
    if (total !== undefined && pages.flat().length >= total) return done(true);
  }
  return done(false);
}

/** The query of the next page, by the link or cursor in this one; undefined where there is none. */
export function nextOf(
  { next = "", cursor }: RuleOf<"page">,
  answer: Answer,
): JsonObject | undefined {
  const written =
    headerOf(next) === undefined ? at(answer.json, next) : linkOf(answer, headerOf(next) ?? "");
  if (typeof written !== "string" && typeof written !== "number") return undefined;
  if (cursor !== undefined) return { [cursor]: written };
  const url = URL.canParse(String(written), answer.sent.url)
    ? new URL(String(written), answer.sent.url)
    : undefined;
  return url && Object.fromEntries(url.searchParams);
}

/** RFC 8288: `<https://...>; rel="next"`. */
function linkOf({ headers }: Answer, name: string): string | undefined {
  const written = headers.get(name) ?? "";
  if (name.toLowerCase() !== "link") return written === "" ? undefined : written;
  return /<([^>]*)>\s*;[^,<]*\brel="?[^",]*\bnext\b/i.exec(written)?.[1];
}

/** The total that an answer tells: `Content-Range: items 0-9/42` has it after the slash. */
export function totalOf(answer: Answer, place: string): number | undefined {
  const header = headerOf(place);
  const written =
    header === undefined
      ? at(answer.json, place)
      : answer.headers.get(header)?.replace(/^.*\//, "");
  const total = Number(written ?? Number.NaN);
  return Number.isNaN(total) ? undefined : total;
}

/** The list as it is now; undefined where no query was found that the service takes. */
export async function findList(run: Run, operation: string): Promise<FoundList | undefined> {
  const known = run.found.lists.get(operation);
  if (known !== undefined && known.epoch === run.epoch()) return known;
  const queries = known === undefined ? [...toQueries(run, operation)] : [known.query];
  let empty: FoundList | undefined;
  for (const query of queries.slice(0, MAX_TRIES)) {
    const { rows, isWhole, answers } = await readAll(run, {
      operation,
      query,
      ...pathOf(run, operation),
    });
    const [first] = answers;
    if (first?.isSuccess !== true) continue;
    run.noteRight(first);
    const list = { query, rows, isWhole, epoch: run.epoch() };
    empty ??= list;
    if (rows.length > 0) {
      run.found.lists.set(operation, list);
      return list;
    }
  }
  if (empty !== undefined) run.found.lists.set(operation, empty);
  return empty;
}

const MAX_TRIES = 12;

const pathOf = (run: Run, operation: string): Pick<Ask, "path"> => {
  const names = run.operation(operation).parameters.filter((one) => one.in === "path");
  return names.length === 0
    ? {}
    : {
        path: Object.fromEntries(names.map((one) => [one.name, candidatesOf(run, one)[0]?.value])),
      };
};

/** Widest ranges first; required parameters by every value that may be known, near ones first. */
function* toQueries(run: Run, operation: string): Generator<JsonObject> {
  const { parameters } = run.operation(operation);
  const open = run.listInfo(operation)?.open ?? {};
  const range = run.ruleOf("range", operation);
  const needed = parameters.filter(
    (one) => one.required && one.in === "query" && !(one.name in open),
  );
  for (const lever of leversOf(range)) {
    const rest = needed.filter(({ name }) => !(name in lever));
    const lists = rest.map((one) =>
      candidatesOf(run, one)
        .slice(0, 5)
        .map(({ value }) => [one.name, value] as const),
    );
    for (const chosen of combine(lists)) {
      const values = chosen.map(([, value]) => JSON.stringify(value));
      // From here to here goes nothing.
      if (new Set(values).size === values.length)
        yield { ...Object.fromEntries(chosen), ...lever, ...open };
    }
  }
}

/** All choices of one from each list, those near the beginnings first. */
function combine<Item>(lists: readonly (readonly Item[])[]): Item[][] {
  const all = lists.reduce<{ items: Item[]; far: number }[]>(
    (chosen, list) =>
      chosen.flatMap(({ items, far }) =>
        list.map((item, index) => ({ items: [...items, item], far: far + index })),
      ),
    [{ items: [], far: 0 }],
  );
  return all.toSorted((one, other) => one.far - other.far).map(({ items }) => items);
}

function leversOf(rule: RuleOf<"range"> | undefined): JsonObject[] {
  if (rule === undefined) return [{}];
  const edges = {
    day: ["1970-01-01", "2099-12-31"],
    instant: ["1970-01-01T00:00:00Z", "2099-12-31T23:59:59Z"],
    number: [undefined, undefined],
  }[rule.unit ?? "day"];
  const wide = Object.fromEntries(
    [[rule.from, edges[0]] as const, [rule.to, edges[1]] as const].filter(
      ([name, value]) => name !== undefined && value !== undefined,
    ),
  );
  return [wide, {}];
}

/** A row that matches, and one that does not: what makes a selection provable. */
export function findBoth(
  rows: readonly unknown[],
  isWanted: (row: unknown) => boolean,
): string | undefined {
  const [yes, no] = [rows.some(isWanted), rows.some((row) => !isWanted(row))];
  return yes && no ? "a row that matches and one that does not" : undefined;
}

export const valuesOf = (row: unknown, fields: readonly string[]): unknown[] =>
  fields.flatMap((field) => reach(row, field)).filter((value) => value !== null);
