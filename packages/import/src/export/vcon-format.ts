// vCons, one a line: a call with its chat each; what belongs to no call goes beside them in the archive's own format.
import type { ChatMessageRecord } from "@call-media/store";
import type { ExportFormat } from "@call-media/store/export";
import { toFlagEntry } from "./to-entry.ts";
import { toVcon } from "./to-vcon.ts";

const file = "vcons.jsonl";
const besides = "others.jsonl";

export const vcon: ExportFormat = {
  name: "vcon",
  mainFile: file,
  lines: async function* (archive) {
    const { rows, recordingsOf } = archive;
    for (const record of rows.users())
      yield { file: besides, kind: "users", value: { kind: "user", ...record }, bytes: 0 };
    for (const { record, userId } of rows.flags())
      yield { file: besides, kind: "flags", value: toFlagEntry(record, userId), bytes: 0 };
    for (const record of rows.loneChats())
      yield { file: besides, kind: "chats", value: { kind: "chat", ...record }, bytes: 0 };
    for (const call of rows.calls()) {
      const { call_id: callId } = call.record;
      const hasChat = callId !== null && call.hasChat;
      const messages: ChatMessageRecord[] = hasChat ? [...rows.chatOf(callId)] : [];
      const value = await toVcon({ call, messages, recordings: await recordingsOf(call) }, archive);
      const bytes = call.bytes + JSON.stringify(messages).length;
      yield { file, kind: "calls", chats: messages.length, value, bytes };
    }
  },
};
