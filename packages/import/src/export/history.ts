// Writes the earlier states of the records of an export, as its rows pass.
import type { HistoryState, Maintenance, ScannedRow } from "@call-media/store";

/** A search for those that have earlier states is for this number of calls. */
const CALLS_AT_ONCE = 1_000;

interface HistoryOptions {
  readonly archive: Pick<Maintenance, "history" | "listReplaced">;
  readonly toLine: (state: HistoryState) => object;
  readonly write: (line: string) => Promise<void>;
}

/** Returns the number of states that were written, and the names of records whose states are not what was written. */
export function createHistoryWriter({ archive, toLine, write }: HistoryOptions) {
  const callIds = new Set<string>();
  const damaged: string[] = [];
  let states = 0;
  const writeOf = async (of: Parameters<Maintenance["history"]>[0], name: string) => {
    const found = await archive.history(of);
    if (!found.every(({ isWhole }) => isWhole)) damaged.push(`the history of ${name}`);
    for (const state of found.filter(({ isCurrent }) => !isCurrent)) {
      await write(JSON.stringify({ of: name, ...toLine(state) }));
      states += 1;
    }
  };
  const flush = async () => {
    const replaced = await archive.listReplaced([...callIds]);
    callIds.clear();
    for (const callId of replaced) await writeOf({ callId }, `call ${callId}`);
  };
  return {
    take: async ({ items }: ScannedRow): Promise<void> => {
      for (const item of items)
        if (item.kind === "user")
          await writeOf({ userId: item.record.id }, `user ${item.record.id}`);
        else if (item.kind === "flag")
          await writeOf({ flagId: item.record.Id }, `flag ${item.record.Id}`);
        else if (item.record.call_id !== null) callIds.add(item.record.call_id);
      if (callIds.size >= CALLS_AT_ONCE) await flush();
    },
    end: async () => {
      await flush();
      return { states, damaged };
    },
  };
}
