// The tool search_calls: calls by days, words, values and a condition, one page at a time.
import { type CallRecord, type CallSearch, isCallMediaError } from "@call-media/client";
import { createCallTally, type Message, readChat } from "@call-media/handover";
import { listHints } from "../search/wider.ts";
import { toCallsAndLegs } from "../search/counting.ts";
import { listSources, type Query, type Snippet, toSnippets } from "@call-media/words";
import { toCounted, UsageError } from "@call-media/terminal";
import { MAX_CHARACTERS, MAX_TEXT, toCell } from "./caps.ts";
import { type Asked, openAsked, readAsked, toWordsNote } from "./found.ts";
import type { OpenSearch } from "./open-searches.ts";
import {
  DEFAULT_CALLS,
  LIST_PROPERTIES,
  MAX_CHATS,
  MAX_READ,
  SEARCH_PROPERTIES,
  type SearchInput,
  toField,
} from "./search-schemas.ts";
import { ABOUT, type Archive, type Tool } from "./tool.ts";

/** Maximum length of a value in characters; get_call returns more. */
const MAX_VALUE = 300;
/** Maximum length in characters for a default column. */
const MAX_USUAL = 40;
/** Maximum length in characters: the text of a passage, and the complete passage with its marks. */
const MAX_SNIPPET = 100;
const MAX_PASSAGE = 300;

interface Input extends SearchInput {
  readonly fields?: readonly string[];
  readonly limit?: number;
  readonly page?: number;
}

export const searchCalls: Tool<Input> = {
  name: "search_calls",
  title: "Search calls",
  description: `Finds recorded calls of a range of days, newest first: a line for each of their records, the legs, with call_id, datetime, agent, customer, disposition and, with words, the passage that has them (>> << stand around the words). An answer has at most ${MAX_CHARACTERS} characters and says if there are more. To count, use count_calls. ${ABOUT}`,
  input: {
    type: "object",
    required: ["from", "to"],
    properties: { ...SEARCH_PROPERTIES, ...LIST_PROPERTIES },
  },
  run: async (input, archive, signal) => {
    const { page: number = 1, ...rest } = input;
    const columns = toColumns(input.fields);
    const open = () => openPages(rest, columns, archive);
    const page = await archive.searches.read({ key: JSON.stringify(rest), number, signal }, open);
    if (page === undefined)
      throw new UsageError(`there is no page ${number}: omit page to begin again`);
    return [page.heading, ...page.lines, ...toMore(page, number), ...page.notes, ABOUT].join("\n");
  },
};

interface Page {
  readonly heading: string;
  readonly lines: readonly string[];
  readonly notes: readonly string[];
  /** The number of remaining calls; undefined if unknown. */
  readonly more: number | undefined;
}

function toMore({ more }: Page, page: number): readonly string[] {
  if (more === 0) return [];
  return [`${more ?? "there may be"} more: ask for page ${page + 1}`];
}

interface Column {
  readonly name: string;
  readonly toValue: (record: CallRecord, showDatetime: Archive["showDatetime"]) => string;
}

const USUAL: readonly Column[] = [
  toColumn("call_id", MAX_USUAL),
  toColumn("datetime", MAX_USUAL),
  {
    name: "agent",
    toValue: ({ agent, agent_name }) => toCell(agent_name ?? agent, MAX_USUAL),
  },
  {
    name: "customer",
    toValue: (record) =>
      toCell(listSources(record).find(({ from }) => from === "customer")?.text, MAX_USUAL),
  },
  toColumn("disposition", MAX_USUAL),
];

function toColumns(fields: readonly string[] | undefined): readonly Column[] {
  if (fields === undefined) return USUAL;
  if (fields.length === 0) throw new UsageError("fields is empty: leave it out");
  // A line must never exceed the space in a response.
  const room = Math.floor((MAX_TEXT - MAX_PASSAGE) / fields.length) - " | ".length;
  return fields.map((name) => toColumn(toField("fields", name), Math.min(MAX_VALUE, room)));
}

function toColumn(field: keyof CallRecord, maxLength: number): Column {
  return {
    name: field,
    toValue: ({ [field]: value }, showDatetime) =>
      toCell(
        field === "datetime" && value !== null ? showDatetime(String(value)) : value,
        maxLength,
      ),
  };
}

async function openPages(
  input: Omit<Input, "page">,
  columns: readonly Column[],
  archive: Archive,
): Promise<OpenSearch<Page>> {
  // The search outlives the request that opened it.
  const aborter = new AbortController();
  const asked = await readAsked(input, archive, aborter.signal);
  const search = openAsked(archive, asked, aborter.signal);
  const found = readFound(search, asked)[Symbol.asyncIterator]();
  const headings = [...columns.map(({ name }) => name), ...(asked.query ? ["passage"] : [])];
  const { limit = DEFAULT_CALLS } = input;
  const tally = createCallTally();
  const first: CallRecord[] = [];
  let pending: string | undefined;
  let shown = 0;
  let isOver = false;

  async function collect(): Promise<readonly string[]> {
    const lines: string[] = [];
    let room = MAX_TEXT;
    while (lines.length < limit) {
      const line = pending ?? (await nextLine());
      pending = undefined;
      if (line === undefined) return lines;
      room -= line.length + 1;
      if (room < 0) {
        pending = line;
        return lines;
      }
      lines.push(line);
    }
    return lines;
  }

  /** Undefined at the end, and when enough was read for one response. */
  async function nextLine(): Promise<string | undefined> {
    const { value: record, done } = await found.next();
    isOver = done === true;
    if (record === undefined || isOver) return undefined;
    tally.add(record);
    if (first.length < limit) first.push(record);
    const values = columns.map(({ toValue }) => toValue(record, archive.showDatetime));
    const { query } = asked;
    if (query === undefined) return values.join(" | ");
    const readMessages = (call_id: string) => readChat(archive.client, call_id, aborter.signal);
    return [...values, await toPassage(record, query, readMessages)].join(" | ");
  }

  return {
    abort: () => aborter.abort(),
    async next() {
      if (isOver && pending === undefined) return undefined;
      const lines = await collect();
      shown += lines.length;
      const { report } = search;
      const announced = report.windows[0]?.announced;
      const total =
        asked.filter === undefined && report.words !== "filtered here" ? announced : undefined;
      const isEnd = (isOver && pending === undefined) || shown === total;
      isOver ||= isEnd;
      const calls = isEnd ? tally.calls() : undefined;
      const heading = `${toTotal(total ?? (isEnd ? shown : undefined), calls, report.rows)} ${archive.describeZone()}\n${headings.join(" | ")}`;
      return {
        heading,
        lines,
        notes: [
          ...(isEnd && asked.filter === undefined
            ? await listHints(
                { client: archive.client, wanted: asked.wanted, signal: aborter.signal },
                { count: shown, records: first },
              )
            : []),
          ...toWordsNote(report),
          ...asked.listWarnings(),
          ...toDrift(search, isEnd),
        ],
        more: isEnd ? 0 : total === undefined ? undefined : total - shown,
      };
    },
  };
}

const toTotal = (records: number | undefined, calls: number | undefined, rows: number) =>
  records === undefined
    ? `${toCounted(rows, "leg")} read so far.`
    : `${toCallsAndLegs({ records, calls })} found.`;

function toDrift({ report }: CallSearch, isEnd: boolean): readonly string[] {
  return isEnd && report.verdict === "drifted"
    ? [
        "The archive changed while it was read, and calls may be missing: search again from the start.",
      ]
    : [];
}

/** Yields records that match, and undefined when enough was read or requested for one response. */
async function* readFound(search: CallSearch, { filter, chats }: Asked) {
  let [read, asked] = [0, 0];
  for await (const record of search) {
    read++;
    const isFound = filter === undefined || (await filter([record])).length > 0;
    if (isFound) yield record;
    if (read < MAX_READ && chats.read - asked < MAX_CHATS) continue;
    [read, asked] = [0, chats.read];
    if (filter !== undefined) yield undefined;
  }
}

/** If the record does not contain the words, uses its chat. */
async function toPassage(
  record: CallRecord,
  query: Query,
  readMessages: (call_id: string) => Promise<readonly Message[] | undefined>,
): Promise<string> {
  const options = { characters: MAX_SNIPPET, snippets: 1 };
  const [snippet] = toSnippets(listSources(record), query, options);
  if (snippet !== undefined) return toText(snippet);
  if (record.call_id === null) return "";
  try {
    const messages = (await readMessages(record.call_id)) ?? [];
    const [written] = toSnippets(listSources({}, messages), query, options);
    return written === undefined ? "" : toText(written);
  } catch (error) {
    if (isCallMediaError(error, "PermissionError")) return "in the chat, which may not be read";
    throw error;
  }
}

function toText({ from, text, marks, cut }: Snippet): string {
  const marked = marks.reduceRight(
    (whole, [start, end]) =>
      `${whole.slice(0, start)}>>${whole.slice(start, end)}<<${whole.slice(end)}`,
    text,
  );
  const [before, after] = [cut.before ? "…" : "", cut.after ? "…" : ""];
  return toCell(`${from}: ${before}${marked}${after}`, MAX_PASSAGE);
}
