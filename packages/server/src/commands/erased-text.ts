// The extent of a purge as text. A call may have several records: holds count calls, purges what goes.
import { toPrintable } from "@call-media/service/printable";
import type { ErasedCounts } from "@call-media/store";
import { toCounted, toSize } from "@call-media/terminal";

export function toErasedText(counts: ErasedCounts, isSound = false): string {
  const { calls, chats, files, fileBytes } = counts;
  const sound = `${toCounted(files, "file")} of recordings (${toSize(fileBytes)})`;
  if (isSound) return `the sound of ${toCounted(calls, "record")}, which stay: ${sound}`;
  return `${toCounted(calls, "record")}, ${toCounted(chats, "chat message")}, ${sound}`;
}

/** Ledger entries that an operator decided to go on without. */
export const toPassedOver = (faults: readonly string[] = []): readonly string[] =>
  faults.map((fault) => toPrintable(`call-media-server: passed over: ${fault}`));
