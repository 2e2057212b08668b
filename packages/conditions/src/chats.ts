// Decides which records meet a condition. If the condition asks what was said, the chat of the call is read as well.
import type { CallRecord } from "@call-media/client";
import type { Judge } from "./judge.ts";

export interface CallFilter {
  /** The records that meet the condition, in their order. */
  readonly filter: (records: readonly CallRecord[]) => Promise<readonly CallRecord[]>;
  /** Counts up to now. */
  readonly chats: ChatCount;
}

/** Counts the chats of calls whose record did not decide the condition. */
export interface ChatCount {
  read: number;
  /** Not read because `mostChats` was reached. */
  skipped: number;
  /** Not read because the service denied access. */
  refused: number;
}

interface FilterOptions {
  /** The text of all messages of a call; undefined if it may not be read. */
  readonly readText: (call_id: string) => Promise<string | undefined>;
  /** The most chats to read. Default: no limit. */
  readonly mostChats?: number;
  /** Called after each chat. */
  readonly onChat?: (chats: ChatCount) => void;
}

/** Requests in parallel. */
const AT_ONCE = 4;

/** Requests a chat only if the record leaves the condition open. */
export function createCallFilter(
  judge: Judge<CallRecord>,
  { readText, mostChats = Infinity, onChat = () => {} }: FilterOptions,
): CallFilter {
  const chats: ChatCount = { read: 0, skipped: 0, refused: 0 };
  async function readOne(call_id: string): Promise<string | undefined> {
    if (chats.read >= mostChats) {
      chats.skipped++;
      return undefined;
    }
    chats.read++;
    const text = await readText(call_id);
    if (text === undefined) chats.refused++;
    onChat(chats);
    return text;
  }
  async function readAll(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const texts = new Map<string, string>();
    const left = [...ids];
    const work = async () => {
      for (let id = left.shift(); id !== undefined; id = left.shift())
        texts.set(id, (await readOne(id)) ?? "");
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return texts;
  }
  return {
    chats,
    async filter(records) {
      const judged = records.map((record) => ({ record, isMet: judge(record, undefined) }));
      // All legs of a call share one chat.
      const open = new Set(judged.flatMap(({ record, isMet }) => isMet ?? toCallId(record) ?? []));
      const ids = [...open].filter((id) => typeof id === "string");
      const texts = ids.length === 0 ? new Map<string, string>() : await readAll(ids);
      return judged
        .filter(
          ({ record, isMet }) =>
            isMet ?? judge(record, texts.get(toCallId(record) ?? "") ?? "") === true,
        )
        .map(({ record }) => record);
    },
  };
}

/** Accepts numbers too: some services write them, contrary to the contract. */
export function toCallId({ call_id }: { readonly call_id?: unknown }): string | undefined {
  const id = typeof call_id === "number" ? String(call_id) : call_id;
  return typeof id === "string" && id !== "" ? id : undefined;
}
