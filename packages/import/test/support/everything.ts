// All that an archive holds, as a reader of it could tell two archives apart.
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { openStore } from "@call-media/store/sqlite";

/** Records by identifier and search, chats, recordings, users and flags; nothing of how they are stored. */
export async function readEverything(directory: string) {
  await using store = await openStore({ directory });
  using database = new DatabaseSync(join(directory, "archive.db"), { readOnly: true });
  const column = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map((row) => Object.values(row));
  const names = column("SELECT DISTINCT call_id FROM call WHERE call_id IS NOT NULL ORDER BY 1");
  const refs = column(
    `SELECT ref_id FROM call UNION SELECT session_id FROM call UNION SELECT master_id FROM call ORDER BY 1`,
  );
  const byCallId = [];
  for (const [callId] of names)
    byCallId.push([
      callId,
      await store.calls.byCallId(String(callId), "everything"),
      await store.calls.chat(String(callId), "everything"),
      (await store.calls.recordings({ callId: String(callId) }, "everything")).map(
        withoutFileState,
      ),
    ]);
  const byReference = [];
  for (const [reference] of refs)
    if (reference !== null)
      byReference.push([reference, await store.calls.byReference(String(reference), "everything")]);
  return {
    timeZone: store.timeZone,
    byCallId,
    byReference,
    identities: column("SELECT lower(hex(identity)) FROM call ORDER BY id DESC"),
    digests: column("SELECT lower(hex(digest)) FROM call ORDER BY id DESC"),
    chats: column("SELECT record FROM chat ORDER BY call_id, instant_ms, id"),
    users: await store.users.list(),
    flags: column("SELECT record, user_id FROM flag ORDER BY id"),
  };
}

// Where and when its file was written is not the recording's.
function withoutFileState({
  media: { version: _state, location: _path, modifiedMs: _time, ...media },
  ...recording
}: Awaited<ReturnType<Awaited<ReturnType<typeof openStore>>["calls"]["recordings"]>>[number]) {
  return { ...recording, media };
}
