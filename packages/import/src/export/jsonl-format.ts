// The archive's own format (README, "jsonl"): everything in one file.
import type { ExportFormat } from "@call-media/store/export";
import { toCallEntry, toFlagEntry } from "./to-entry.ts";

const file = "archive.jsonl";

export const jsonl: ExportFormat = {
  name: "jsonl",
  mainFile: file,
  lines: async function* ({ rows, recordingsOf }) {
    for (const record of rows.users())
      yield { file, kind: "users", value: { kind: "user", ...record }, bytes: 0 };
    for (const { record, userId } of rows.flags())
      yield { file, kind: "flags", value: toFlagEntry(record, userId), bytes: 0 };
    for (const call of rows.calls()) {
      const value = toCallEntry(call, await recordingsOf(call));
      yield { file, kind: "calls", value, bytes: call.bytes };
    }
    for (const chats of [rows.chats(), rows.loneChats()])
      for (const record of chats) {
        const value = { kind: "chat", ...record };
        yield { file, kind: "chats", value, bytes: JSON.stringify(record).length };
      }
  },
};
