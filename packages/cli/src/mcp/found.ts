// A search of the tools: its input, its search of the client, and the conditions that are tested here.
import { type ChatCount, createCallFilter, createClock, toJudge } from "@call-media/conditions";
import type { CallRecord, CallSearch } from "@call-media/client";
import { createWordsFilter } from "@call-media/client/words";
import { readChatTextIfAllowed } from "@call-media/handover";
import type { Query } from "@call-media/words";
import { openSearch, toWantedFields, type Wanted } from "../search/wanted.ts";
import { createZoneTest, toZoned } from "../search/zoned.ts";
import { createUnreadable } from "../search/unreadable.ts";
import { parseWhere } from "../search/where.ts";
import { parseWords } from "../search/words.ts";
import { checkDays, MAX_CHATS, type SearchInput } from "./search-schemas.ts";
import type { Archive } from "./tool.ts";

/** The parsed input of a tool. */
export interface Asked {
  readonly wanted: Wanted;
  readonly query: Query | undefined;
  /** Undefined if every record that the service finds is wanted. */
  readonly filter: ((records: readonly CallRecord[]) => Promise<readonly CallRecord[]>) | undefined;
  /** The chats that `where` has read. */
  readonly chats: ChatCount;
  /** Warnings about the result. */
  readonly listWarnings: () => readonly string[];
}

/** @throws UsageError that names the argument. */
export async function readAsked(
  input: SearchInput,
  archive: Archive,
  signal: AbortSignal,
): Promise<Asked> {
  checkDays(input);
  const { from: startDate, to: endDate, words, filter = {}, where } = input;
  const query = words === undefined ? undefined : parseWords("words", words);
  const unreadable = createUnreadable();
  const clock = createClock({ ...archive.zone, onUnreadable: unreadable.add });
  const parsed = where === undefined ? undefined : parseWhere(where, "where");
  const fields = toWantedFields(filter, parsed?.condition);
  const searched = words !== undefined && {
    words,
    filterWords: createWordsFilter({ chatRequests: MAX_CHATS }),
  };
  const wanted = await toZoned(
    { startDate, endDate, ...fields, ...searched },
    { ...archive, signal },
  );
  const isOfDays = createZoneTest(wanted);
  const judge = toJudge(fields.condition, clock);
  const filtering = createCallFilter((record, chat) => isOfDays(record) && judge(record, chat), {
    readText: (call_id) => readChatTextIfAllowed(archive.client, call_id, signal),
  });
  const isOfService = fields.condition === undefined && wanted.zone === undefined;
  return {
    wanted,
    query,
    filter: isOfService ? undefined : filtering.filter,
    chats: filtering.chats,
    listWarnings: () =>
      [unreadable.toWarning()?.replace("--where", "where"), toRefused(filtering.chats)].filter(
        (one) => one !== undefined,
      ),
  };
}

function toRefused({ refused }: ChatCount): string | undefined {
  if (refused === 0) return undefined;
  return `${refused} chats may not be read: calls that say it only there are missing.`;
}

export const openAsked = ({ client }: Archive, { wanted }: Asked, signal: AbortSignal) =>
  openSearch(client, wanted, signal);

/** States that the words were filtered here, if the service did not search by them. */
export function toWordsNote({ words, rows, chats }: CallSearch["report"]): readonly string[] {
  if (words !== "filtered here") return [];
  const missing =
    (chats?.skipped ?? 0) + (chats?.refused ?? 0) === 0
      ? ""
      : `; ${(chats?.skipped ?? 0) + (chats?.refused ?? 0)} chats were not read, and calls that have the words only there are missing`;
  return [
    `The service does not search by words: ${rows} records and ${chats?.read ?? 0} chats were read and compared here${missing}.`,
  ];
}
