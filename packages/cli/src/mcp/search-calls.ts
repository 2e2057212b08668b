// The tool search_calls: calls by days, values and a condition, some at a time.
import type { CallRecord, CallSearch } from "@call-media/client";
import { UsageError } from "../failures/usage-error.ts";
import { createClock } from "../search/clock.ts";
import { isDay } from "../search/day.ts";
import { openSearch, toWantedFields } from "../search/wanted.ts";
import {
  type ChatCount,
  createCallFilter,
  readChatTextIfAllowed,
} from "../search/where/call-filter.ts";
import { createUnreadable, type Unreadable } from "../search/where/unreadable.ts";
import { parseWhere } from "../search/where/where.ts";
import { countBytes, MAX_BYTES, type ShortRecord, toShort } from "./caps.ts";
import {
  DEFAULT_CALLS,
  MAX_CALLS,
  MAX_CHATS,
  MAX_READ,
  SEARCH_INPUT,
  SEARCH_OUTPUT,
} from "./search-schemas.ts";
import { ABOUT, type Archive, type Tool } from "./tool.ts";

/** Characters of one value; get_call has more. */
const MAX_VALUE = 300;

interface Input {
  readonly from: string;
  readonly to: string;
  readonly filter?: Readonly<Record<string, unknown>>;
  readonly where?: string;
  readonly fields?: readonly (keyof CallRecord)[];
  readonly limit?: number;
  readonly cursor?: string;
}

export const searchCalls: Tool<Input> = {
  name: "search_calls",
  title: "Search calls",
  description: `Finds recorded calls of a range of days, newest first, by values of their fields. An answer has at most ${MAX_CALLS} calls and ends with the one that passes ${MAX_BYTES} bytes; where next_cursor is not null, ask again with the same arguments and that cursor for what follows. Fields without a value are left out, values are cut after ${MAX_VALUE} characters: get_call and get_transcript have more. describe_fields says what the fields mean. ${ABOUT}`,
  input: SEARCH_INPUT,
  output: SEARCH_OUTPUT,
  run: async (input, archive, signal) => {
    const search = open(input, archive, signal);
    const unreadable = createUnreadable();
    const judged = { ...archive, unreadable, signal };
    const { calls, chats, isEnd } = await collect(search, input, judged);
    const { rows, windows } = search.report;
    const warning = toWarning(search, { isEnd, chats, unreadable });
    return {
      about: ABOUT,
      time_zone: archive.timeZone,
      calls,
      returned: calls.length,
      read: rows,
      ...(input.where !== undefined && { chats_read: chats.read }),
      matching: windows[0]?.announced ?? null,
      next_cursor: isEnd ? null : Buffer.from(search.cursor).toString("base64url"),
      ...(warning !== "" && { warning }),
    };
  },
};

const DRIFTED =
  "The archive changed while it was read, and calls may be missing: search again from the start.";

interface Found {
  readonly isEnd: boolean;
  readonly chats: ChatCount;
  readonly unreadable: Unreadable;
}

function toWarning({ report }: CallSearch, { isEnd, chats, unreadable }: Found): string {
  const drifted = isEnd && report.verdict === "drifted" ? DRIFTED : undefined;
  const refused =
    chats.refused === 0
      ? undefined
      : `${chats.refused} chats may not be read: calls that say it only there are missing.`;
  const compared = unreadable.toWarning()?.replace("--where", "where");
  return [drifted, compared, refused].filter((one) => one !== undefined).join(" ");
}

type Judged = Archive & { readonly unreadable: Unreadable; readonly signal: AbortSignal };

async function collect(search: CallSearch, input: Input, archive: Judged) {
  const { fields, where, limit = DEFAULT_CALLS } = input;
  const clock = createClock({ ...archive.zone, onUnreadable: archive.unreadable.add });
  const judge = where === undefined ? () => true : parseWhere(where).by(clock);
  const readText = (call_id: string) =>
    readChatTextIfAllowed(archive.client, call_id, archive.signal);
  const { filter, chats } = createCallFilter(judge, { readText });
  const calls: ShortRecord[] = [];
  let [bytes, read] = [0, 0];
  for await (const record of search) {
    read++;
    if ((await filter([record])).length > 0) {
      const call = pick(toShort(record, archive.showDatetime, MAX_VALUE), fields);
      bytes += countBytes(call);
      calls.push(call);
    }
    const isFull = calls.length === limit || bytes >= MAX_BYTES || read === MAX_READ;
    if (isFull || chats.read >= MAX_CHATS) return { calls, chats, isEnd: isLast(search) };
  }
  return { calls, chats, isEnd: true };
}

/** Whether nothing follows, as far as that is known. */
function isLast({ report: { rows, windows } }: CallSearch): boolean {
  return windows[0]?.announced === rows;
}

function pick(record: ShortRecord, fields: Input["fields"]): ShortRecord {
  if (fields === undefined) return record;
  return Object.fromEntries(
    fields.flatMap((field) => (field in record ? [[field, record[field] ?? ""]] : [])),
  );
}

function open(input: Input, { client }: Archive, signal: AbortSignal): CallSearch {
  const { from: startDate, to: endDate, filter = {} } = input;
  checkDays(input);
  const wanted = { startDate, endDate, ...toWantedFields(filter), cursor: toCursor(input) };
  try {
    return openSearch(client, wanted, signal);
  } catch (error) {
    if (input.cursor === undefined || !(error instanceof TypeError)) throw error;
    throw new UsageError(
      "cursor must be of the same days, from and to, and of the same filter: leave it out to begin anew",
      { cause: error },
    );
  }
}

/** In the words of the tool: the service would name the parameters of its own operation. */
function checkDays({ from, to }: Input): void {
  for (const [name, day] of Object.entries({ from, to }))
    if (!isDay(day)) throw new UsageError(`${name} must be a day of the calendar, not ${day}`);
  if (from > to) throw new UsageError(`from ${from} is after to ${to}`);
}

/** The client's is JSON, whose quotes a model could lose. */
function toCursor({ cursor }: Input): string | undefined {
  return cursor === undefined ? undefined : Buffer.from(cursor, "base64url").toString();
}
