// Searching by words (D30): who applied them, and the filter for a service that does not.
import type { Schema } from "@call-media/api";

import { readJson } from "../call/answer.ts";
import type { Caller } from "../call/caller.ts";
import { toOperation } from "../call/request.ts";
import { isCallMediaError, toRefusalStatus } from "../errors.ts";
import type { CallRecord } from "./keys.ts";

/** A message of a call's chat, as the contract defines it. */
export type ChatMessage = Schema<"ChatMessageRecord">;

/** Chats that were needed to decide, because the words may occur in the chat and not in the record. */
export interface ChatReport {
  readonly read: number;
  /** Chats not requested, because the limit was reached. Calls with the words only there are missing. */
  readonly skipped: number;
  /** Chats to which the caller has no access (403). Calls with the words only there are missing. */
  readonly refused: number;
}

/** The messages of a call's chat; `refused` if the caller lacks the right to them. */
export type ReadChat = (callId: string) => Promise<readonly ChatMessage[] | "refused">;

/** Decides which records have the words. */
export interface OpenWordsFilter {
  /** The records that have the words, in order. */
  readonly filter: (records: readonly CallRecord[]) => Promise<readonly CallRecord[]>;
  /** True if it leaves out no record, so that the numbers of the service are those of the search. Default: false. */
  readonly keepsAll?: boolean;
  /** The count so far. */
  readonly chats: ChatReport;
}

/**
 * What `createWordsFilter` of `@call-media/client/words` returns.
 *
 * @throws TypeError if the words are not a query.
 */
export type WordsFilter = (words: string, readChat: ReadChat) => OpenWordsFilter;

/** True if the service says that it searched by the words (RFC 7240, section 3). */
export function isApplied({ headers }: Response): boolean {
  return /(?:^|,)\s*words\s*(?:[;=,]|$)/i.test(headers.get("Preference-Applied") ?? "");
}

/** True if the service supports words, but would have to scan too many calls for them (D30). */
export function isTooBroad(error: unknown): boolean {
  return isCallMediaError(error) && error.code === "CM_SEARCH_TOO_BROAD";
}

export function createReadChat(caller: Caller, signal: AbortSignal | undefined): ReadChat {
  const operation = toOperation("GET", "/chat/by-call-id/{call_id}");
  return async (call_id) => {
    try {
      const { data } = await caller.call(
        operation,
        { params: { path: { call_id } }, signal },
        readJson,
      );
      return (data as { readonly data: readonly ChatMessage[] }).data;
    } catch (error) {
      const status = toRefusalStatus(error);
      // A call without a chat has an empty list (D15); some services answer 404.
      if (status === 404) return [];
      if (status === 403) return "refused";
      throw error;
    }
  };
}
