// What a purge takes, in words.
import type { ErasedCounts } from "@call-media/store";
import { toSize } from "./progress.ts";

export function toErasedText({ calls, chats, files, fileBytes }: ErasedCounts): string {
  const count = (n: number, what: string) =>
    `${n.toLocaleString("en")} ${what}${n === 1 ? "" : "s"}`;
  return `${count(calls, "call")}, ${count(chats, "chat message")}, ${count(files, "file")} of recordings (${toSize(fileBytes)})`;
}
