// A call of the archive: its metadata record, what goes with it, and its lines in archive.jsonl.
import { fieldsOf } from "@call-media/api";
import type { Schema } from "@call-media/api";

/** A metadata record; a field that is not there is null. */
export type CallRecord = Partial<Schema<"MetadataRecord">>;

export type ChatMessage = Omit<Schema<"ChatMessageRecord">, "call_id">;

export interface ArchivedCall {
  /** When it happened, which also orders the archive; null for a call whose time is not known. */
  atMs: number | null;
  record: CallRecord;
  sessionId?: string;
  masterId?: string;
  recordings?: readonly { file: string; name?: string; start: string }[];
  messages?: readonly ChatMessage[];
}

/** The call's line followed by those of its chat messages. */
export function toLines(call: ArchivedCall): object[] {
  const { record, messages = [] } = call;
  const chats = messages.map((message) => ({ kind: "chat", call_id: record.call_id, ...message }));
  return [toCallLine(call), ...chats];
}

/** Fields come in the interface's order. With recordings `media` lists them, and the record's own media is `media_field`. */
function toCallLine({ record, sessionId, masterId, recordings }: ArchivedCall): object {
  const values = new Map(Object.entries(record));
  const present = fieldsOf("MetadataRecord").filter(
    (field) => (values.get(field) ?? null) !== null,
  );
  const named = present.map((field) => {
    const name = field === "media" && recordings ? "media_field" : field;
    return [name, values.get(field)] as const;
  });
  return {
    kind: "call",
    ...Object.fromEntries(named),
    ...(sessionId === undefined ? {} : { session_id: sessionId }),
    ...(masterId === undefined ? {} : { master_id: masterId }),
    ...(recordings === undefined ? {} : { media: recordings }),
  };
}
