// Looks through the chats of a hand-over for card numbers that were said.
import { type CallMediaClient, type CallRecord, isCallMediaError } from "@call-media/client";
import { type CallSpan, proposeSpans, readChat } from "@call-media/handover";
import type { Listing } from "./listing.ts";

export interface Proposals {
  readonly spans: readonly CallSpan[];
  /** Card numbers whose time in a recording is not known. */
  readonly untimed: number;
  /** Recorded calls whose text has no times. */
  readonly withoutTimes: number;
  /** Chats that the caller may not read. */
  readonly refused: number;
}

/** The calls with recordings, with all their records. */
function listRecorded({ records }: Listing): ReadonlyMap<string, readonly CallRecord[]> {
  const calls = Map.groupBy(records, ({ raw }) => raw.call_id ?? "");
  return new Map(
    [...calls].flatMap(([call_id, legs]) =>
      call_id !== "" && legs.some(({ parts }) => parts > 0)
        ? [[call_id, legs.map(({ raw }) => raw)] as const]
        : [],
    ),
  );
}

/** The number of chats that `proposeAll` reads. */
export const countChats = (listing: Listing): number => listRecorded(listing).size;

const AT_ONCE = 4;

/** @throws CallMediaError */
export async function proposeAll(client: CallMediaClient, listing: Listing): Promise<Proposals> {
  const { signal } = new AbortController();
  const found: { -readonly [Name in keyof Proposals]: Proposals[Name] } = {
    spans: [],
    untimed: 0,
    withoutTimes: 0,
    refused: 0,
  };
  const queue = listRecorded(listing).entries();
  const work = async () => {
    for (const [call_id, legs] of queue)
      try {
        const messages = (await readChat(client, call_id, signal)) ?? [];
        const { spans, untimed } = proposeSpans(messages, legs);
        found.spans = [...found.spans, ...spans];
        found.untimed += untimed;
        if (messages.length === 0) found.withoutTimes++;
      } catch (error) {
        if (!isCallMediaError(error, "PermissionError")) throw error;
        found.refused++;
      }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found;
}
