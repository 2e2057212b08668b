// The formats of an export: the records of an archive as lines of files that an import reads back.
import type { ChatMessageRecord } from "@call-media/store";
import type { ExportedArchive, ExportedLine, ExportFormat } from "@call-media/store/export";
import { toCallEntry, toFlagEntry } from "./to-entry.ts";
import { toVcon } from "./to-vcon.ts";

export type ExportFormatName = "jsonl" | "vcon";

const ARCHIVE_FILE = "archive.jsonl";
const VCON_FILE = "vcons.jsonl";
// What belongs to no call, in the archive's own format.
const OTHERS_FILE = "others.jsonl";

type Rows = ExportedArchive["rows"];

/** The archive's own format (README, "jsonl"): everything in one file. */
const jsonl: ExportFormat = {
  name: "jsonl",
  mainFile: ARCHIVE_FILE,
  lines: async function* ({ rows, recordingsOf }) {
    yield* toUsersAndFlags(rows, ARCHIVE_FILE);
    for (const call of rows.calls()) {
      const value = toCallEntry(call, await recordingsOf(call));
      yield { file: ARCHIVE_FILE, kind: "calls", value, bytes: call.bytes };
    }
    for (const chats of [rows.chats(), rows.loneChats()])
      for (const record of chats) {
        const value = { kind: "chat", ...record };
        const bytes = JSON.stringify(record).length;
        yield { file: ARCHIVE_FILE, kind: "chats", value, bytes };
      }
  },
};

/** A vCon a line: a call with its chat. */
const vcon: ExportFormat = {
  name: "vcon",
  mainFile: VCON_FILE,
  lines: async function* (archive) {
    const { rows, recordingsOf } = archive;
    yield* toUsersAndFlags(rows, OTHERS_FILE);
    for (const record of rows.loneChats())
      yield { file: OTHERS_FILE, kind: "chats", value: { kind: "chat", ...record }, bytes: 0 };
    for (const call of rows.calls()) {
      const { call_id: callId } = call.record;
      const hasChat = callId !== null && call.hasChat;
      const messages: ChatMessageRecord[] = hasChat ? [...rows.chatOf(callId)] : [];
      const value = await toVcon({ call, messages, recordings: await recordingsOf(call) }, archive);
      const bytes = call.bytes + JSON.stringify(messages).length;
      yield { file: VCON_FILE, kind: "calls", chats: messages.length, value, bytes };
    }
  },
};

export const EXPORT_FORMATS: Readonly<Record<ExportFormatName, ExportFormat>> = { jsonl, vcon };

function* toUsersAndFlags(rows: Rows, file: string): Generator<ExportedLine> {
  for (const record of rows.users())
    yield { file, kind: "users", value: { kind: "user", ...record }, bytes: 0 };
  for (const { record, userId } of rows.flags())
    yield { file, kind: "flags", value: toFlagEntry(record, userId), bytes: 0 };
}
