// The extent of a purge as text.
import type { ErasedCounts } from "@call-media/store";
import { toCount } from "../command-line/count.ts";
import { toSize } from "../command-line/progress.ts";

export function toErasedText({ calls, chats, files, fileBytes }: ErasedCounts): string {
  return `${toCount(calls, "call")}, ${toCount(chats, "chat message")}, ${toCount(files, "file")} of recordings (${toSize(fileBytes)})`;
}
