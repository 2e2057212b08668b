// Writing chat messages, each once for every time that its source has it.
import type { DatabaseSync } from "node:sqlite";
import type { ChatMessageRecord } from "../../port/index.ts";
import { parseDatetime } from "../../values/instant.ts";
import { toTextDigest } from "../../values/row-digest.ts";
import type { Written } from "./call-writer.ts";
import { RowRejected } from "../../values/row-rejected.ts";

/** A chat may well say "Yes." twice in a second: a message is unchanged once for every equal message the archive has. */
export function createChatWriter(database: DatabaseSync, timeZone: string) {
  const unseen = database.prepare(
    "SELECT id FROM chat WHERE digest = ? AND id NOT IN (SELECT id FROM seen_chat) ORDER BY id LIMIT 1",
  );
  const insert = database.prepare(
    "INSERT INTO chat (call_id, instant_ms, digest, record) VALUES (?, ?, ?, ?)",
  );
  const see = database.prepare("INSERT INTO seen_chat (id) VALUES (?)");

  /** Throws `RowRejected`. */
  return (record: ChatMessageRecord): Written => {
    const text = JSON.stringify(record);
    const digest = toTextDigest(text);
    const known = unseen.get(digest);
    if (known !== undefined) {
      see.run(Number(known["id"]));
      return "unchanged";
    }
    const parsed = parseDatetime(record.datetime, timeZone);
    if (typeof parsed === "string") throw new RowRejected(`datetime: ${parsed}`);
    see.run(insert.run(record.call_id, parsed.instantMs, digest, text).lastInsertRowid);
    return "imported";
  };
}
