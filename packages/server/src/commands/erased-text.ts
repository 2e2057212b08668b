// The extent of a purge as text.
import type { ErasedCounts } from "@call-media/store";
import { toCounted, toSize } from "@call-media/terminal";

export function toErasedText({ calls, chats, files, fileBytes }: ErasedCounts): string {
  return `${toCounted(calls, "call")}, ${toCounted(chats, "chat message")}, ${toCounted(files, "file")} of recordings (${toSize(fileBytes)})`;
}
