// The extent of a purge as text. A call may have several records: holds count calls, purges what goes.
import { toPrintable } from "@call-media/service/printable";
import type { ErasedCounts } from "@call-media/store";
import { toCounted, toSize } from "@call-media/terminal";

export function toErasedText({ calls, chats, files, fileBytes }: ErasedCounts): string {
  return `${toCounted(calls, "record")}, ${toCounted(chats, "chat message")}, ${toCounted(files, "file")} of recordings (${toSize(fileBytes)})`;
}

/** Ledger entries that an operator decided to go on without. */
export const toPassedOver = (faults: readonly string[] = []): readonly string[] =>
  faults.map((fault) => toPrintable(`call-media-server: passed over: ${fault}`));
