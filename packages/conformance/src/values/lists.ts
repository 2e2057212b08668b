// Lists: reads them page by page to the end, and finds a query for which they are not empty.
import { isObject, type JsonObject } from "@call-media/contract-diff";
import { isDeepStrictEqual } from "node:util";
import type { Answer, Ask, Caller } from "../ask.ts";
import type { RuleOf } from "../relations/kinds.ts";
import type { FoundList, Run } from "../run.ts";
import { candidatesOf } from "./candidates.ts";
import {
  hasNextLink,
  isNumbered,
  MORE,
  nextAsk,
  pageAsk,
  SIZE,
  sizeOf,
  TOTAL,
  totalOf,
} from "./pages.ts";
import { at, reach, toIdentity } from "./places.ts";

export interface ReadOptions {
  /** Page size; default: the maximum of the schema. */
  readonly size?: number;
  /** Maximum number of pages to read; default 8. */
  readonly most?: number;
  /** The expected number of rows: once it is reached, a page that is not full ends the list. */
  readonly enough?: number;
  /** Follows the link of each page instead of counting an index. */
  readonly isByLink?: boolean;
  readonly caller?: Caller;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Read {
  readonly rows: readonly unknown[];
  readonly pages: readonly (readonly unknown[])[];
  /** One for each page, and one more if an empty page ended the list. */
  readonly answers: readonly Answer[];
  /** True if these are all rows, because the last page was read. */
  readonly isWhole: boolean;
  /** True if a page repeated an earlier one, so that reading would never end. */
  readonly isCircle: boolean;
}

const MAX_PAGES = 8;
export function rowsOf(run: Run, { operation, json }: Answer): readonly unknown[] {
  const info = run.listInfo(operation.id);
  const rows = info && at(json, info.items);
  return Array.isArray(rows) ? rows : [];
}

/** The identity of a row, as text. */
export function keyOf(run: Run, list: string, row: unknown): string {
  const key = run.listInfo(list)?.key ?? ["*"];
  if (key.includes("*")) return toIdentity(row);
  return key.map((place) => JSON.stringify(at(row, place))).join(" ");
}

export const keysOf = (run: Run, list: string, rows: readonly unknown[]): string[] =>
  rows.map((row) => keyOf(run, list, row));

/** All rows of a list for a query, page by page, until a page is empty or states that it is the last. */
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
    const isWhole = answer.isSuccess && !hasMore(run, answer, rows.length);
    return { rows, pages: [rows], answers: [answer], isWhole, isCircle: false };
  }
  return readPages(run, rule, { ask: shared, options });
}

const FURTHER = /(?:^|[._@])(?:next|continue)(?:_?(?:page|link|cursor|marker|token|url|uri))*$/i;
/** Common page sizes of services that state none. */
const USUAL_SIZES: ReadonlySet<number> = new Set([10, 20, 25, 30, 50, 100, 200, 250, 500, 1000]);

/** True if a list without a rule of pages states or suggests that it has more rows. */
function hasMore(run: Run, answer: Answer, count: number): boolean {
  const { operation, json } = answer;
  const said = [json, ...(isObject(json) ? Object.values(json) : [])].flatMap((one) =>
    isObject(one) ? Object.entries(one) : [],
  );
  const sizes = operation.parameters.filter(({ name }) => SIZE.test(name));
  const told = sizes.flatMap(({ schema }) => {
    const { default: usual, maximum } = schema ? run.document.schemas.view(schema).said : {};
    return [usual, maximum];
  });
  return (
    hasNextLink(answer) ||
    said.some(
      ([name, value]) =>
        (MORE.test(name) && value === true) ||
        (FURTHER.test(name) && typeof value === "string" && value !== "") ||
        (TOTAL.test(name) && typeof value === "number" && value > count),
    ) ||
    (sizes.length > 0 && (told.includes(count) || USUAL_SIZES.has(count)))
  );
}

async function readPages(
  run: Run,
  rule: RuleOf<"page">,
  { ask, options }: { ask: Ask; options: ReadOptions },
): Promise<Read> {
  const { size = sizeOf(run, rule, ask.operation), most = MAX_PAGES } = options;
  const isByLink = !isNumbered(rule) || options.isByLink === true;
  const pages: (readonly unknown[])[] = [];
  const answers: Answer[] = [];
  const done = (isWhole: boolean, isCircle = false): Read => ({
    rows: pages.flat(),
    pages,
    answers,
    isWhole,
    isCircle,
  });
  const asked = new Set<string>();
  for (let page = 0, next: Ask | undefined; page < most; page += 1) {
    // A service may return fewer rows than the maximum.
    const number = {
      page,
      size,
      ...(options.size === undefined && { before: pages.flat().length }),
    };
    const request = next ?? pageAsk(rule, ask, number);
    // A repeated cursor leads in a circle.
    const name = toIdentity(request.query);
    if (next !== undefined && asked.has(name)) return done(false, true);
    asked.add(name);
    const answer = await run.ask(request);
    answers.push(answer);
    if (!answer.isSuccess) return done(page > 0 && !isByLink);
    const rows = rowsOf(run, answer);
    next = isByLink ? nextAsk(rule, answer, rows) : undefined;
    // A page in the middle may be empty if a link or cursor leads on.
    if (rows.length === 0 && next === undefined) return done(true);
    // A service that ignores the index returns the first page forever, and some return the last one forever.
    const isAgain = rows.length > 0 && pages.some((before) => isDeepStrictEqual(rows, before));
    if (isAgain) {
      const further = pageAsk(rule, ask, { ...number, page: page + 1 });
      const isEnd =
        !isByLink &&
        isDeepStrictEqual(rows, pages.at(-1)) &&
        (rows.length < size || pages.length > 1) &&
        isDeepStrictEqual(rows, rowsOf(run, await run.ask(further)));
      return done(isEnd, !isEnd);
    }
    if (rows.length > 0) pages.push(rows);
    const isEnough = options.enough !== undefined && pages.flat().length >= options.enough;
    if (isEnough && rows.length < size) return done(true);
    if (isByLink && next === undefined) return done(true);
    const total = rule.total === undefined ? undefined : Number(totalOf(answer, rule.total));
    if (total !== undefined && pages.flat().length >= total) return done(true);
  }
  return done(false);
}

/** The current list. Undefined if the service accepts no known query, or if requesting the list may change something. */
export async function findList(run: Run, operation: string): Promise<FoundList | undefined> {
  if (!run.isRead(operation)) return undefined;
  const known = run.found.lists.get(operation);
  if (known !== undefined && (known.isGiven || known.epoch === run.epoch())) return known;
  let best: FoundList | undefined;
  for (const { query, path } of known === undefined ? toTries(run, operation) : [known]) {
    // A repeated reading expects as many rows as before.
    const enough = known?.isWhole === true ? known.rows.length : undefined;
    const read = await readAll(
      run,
      { operation, query, path },
      enough === undefined ? {} : { enough },
    );
    const [first] = read.answers;
    if (first?.isSuccess !== true) continue;
    run.noteRight(first);
    const list = { path, query, rows: read.rows, isWhole: read.isWhole, epoch: run.epoch() };
    if (best === undefined || list.rows.length > best.rows.length) best = list;
    // Two rows can be distinguished. For a list below a parent, another parent may have more.
    if (list.rows.length > (Object.keys(path).length > 0 ? 1 : 0)) break;
  }
  if (best !== undefined) run.found.lists.set(operation, best);
  return best;
}

/** A list below the same parents. */
export async function readBelow(run: Run, id: string, above: JsonObject) {
  const list = run.listInfo(id) && (await findList(run, id));
  if (list === undefined) return undefined;
  const names = new Set(
    run
      .operation(id)
      .parameters.filter((one) => one.in === "path")
      .map(({ name }) => name),
  );
  const path = {
    ...list.path,
    ...Object.fromEntries(Object.entries(above).filter(([name]) => names.has(name))),
  };
  const read = await readAll(run, { operation: id, query: list.query, path });
  return { id, ...list, ...read, path, keys: read.rows.map((row) => keyOf(run, id, row)) };
}

/** For each range, widest first: the maximum number of combinations of the other required parameters. */
const MAX_TRIES = [3, 3, 6];
/** Maximum number of parents whose lists are requested, until one has two rows. */
const MAX_PARENTS = 12;

type Try = Pick<FoundList, "query" | "path">;

/** Required parameters with every value that may be known, near ones first. */
function* toTries(run: Run, operation: string): Generator<Try> {
  const asked = run.operation(operation);
  const open = run.listInfo(operation)?.open ?? {};
  for (const path of run.found.paths.get(operation) ?? []) yield { query: open, path };
  const needed = asked.parameters.filter(
    (one) => (one.in === "path" || (one.required && one.in === "query")) && !(one.name in open),
  );
  for (const [index, lever] of leversOf(run.ruleOf("range", operation)).entries()) {
    const rest = needed.filter(({ name }) => !(name in lever));
    const isBelow = rest.some((one) => one.in === "path");
    const most = isBelow && Object.keys(lever).length === 0 ? MAX_PARENTS : (MAX_TRIES[index] ?? 3);
    const lists = rest.map((one) =>
      spread(candidatesOf(run, asked, one), most).map(({ value }) => ({
        name: one.name,
        where: one.in,
        value,
      })),
    );
    const isApart = (chosen: readonly { readonly value: unknown }[]) =>
      new Set(chosen.map(({ value }) => JSON.stringify(value))).size === chosen.length;
    // A route from a place to itself has no results.
    for (const chosen of combine(lists).filter(isApart).slice(0, most)) {
      const pick = (where: string) =>
        Object.fromEntries(
          chosen.filter((one) => one.where === where).map(({ name, value }) => [name, value]),
        );
      yield { query: { ...pick("query"), ...lever, ...open }, path: pick("path") };
    }
  }
}

/** The first, the last and some in between, then others up to the maximum. */
function spread<Item>(items: readonly Item[], most: number): Item[] {
  const { length } = items;
  const first = [0, length - 1, length >> 1, 1, 2].map((index) => items[index]);
  const others = items.slice(0, Math.max(0, most - first.length));
  return [...new Set([...first, ...others])].filter((item) => item !== undefined);
}

/** All combinations of one item from each list. Those near the beginnings come first. */
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

/** The complete range; some hours of tomorrow, for services that limit a range or only know future times; and no range. */
function leversOf(rule: RuleOf<"range"> | undefined): JsonObject[] {
  if (rule === undefined || rule.unit === "number") return [{}];
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const isDay = (rule.unit ?? "day") === "day";
  const lever = (from: string, to: string): JsonObject =>
    Object.fromEntries(
      [[rule.from, from] as const, [rule.to, to] as const].filter(([name]) => name !== undefined),
    );
  const [start, end] = isDay ? ["", ""] : ["T00:00:00Z", "T23:59:59Z"];
  return [
    lever(`1970-01-01${start}`, `2099-12-31${end}`),
    isDay ? lever(tomorrow, tomorrow) : lever(`${tomorrow}T08:00:00Z`, `${tomorrow}T12:00:00Z`),
    {},
  ];
}

/** A row that matches and one that does not: both are needed to prove a selection. */
export function findBoth(
  rows: readonly unknown[],
  isWanted: (row: unknown) => boolean,
): string | undefined {
  const [yes, no] = [rows.some(isWanted), rows.some((row) => !isWanted(row))];
  return yes && no ? "a row that matches and one that does not" : undefined;
}

export const valuesOf = (row: unknown, fields: readonly string[]): unknown[] =>
  fields.flatMap((field) => reach(row, field)).filter((value) => value !== null);
