// Which state of a call the archive has, where sources say when they last changed what they tell of it. Such sources
// deliver several states of one call, and not always the latest last.
import type { DatabaseSync } from "node:sqlite";
import { CALL_COLUMNS, type CallRow } from "../call-row.ts";
import { prepareBig } from "../files/connection.ts";

export function createCallRevisions(database: DatabaseSync) {
  const latest = database.prepare("SELECT revised_ms FROM call_revision WHERE call_id = ?");
  const records = prepareBig<CallRow>(
    database,
    `SELECT ${CALL_COLUMNS} FROM call WHERE call_id = ?`,
  );
  const put = database.prepare(
    `INSERT INTO call_revision (call_id, revised_ms) VALUES (?, ?)
     ON CONFLICT (call_id) DO UPDATE SET revised_ms = excluded.revised_ms
     WHERE revised_ms <> excluded.revised_ms`,
  );

  return {
    /** The records that a state of that moment takes the place of; "superseded" when the archive has a later one. */
    findOutdated: (callId: string, revisedMs: number): readonly CallRow[] | "superseded" => {
      const known = latest.get(callId)?.["revised_ms"];
      if (known === undefined || Number(known) === revisedMs) return [];
      if (Number(known) > revisedMs) return "superseded";
      return records.all(callId);
    },
    /** After the records of that state; those it replaced have taken the moment of theirs along. */
    keep: (callId: string, revisedMs: number) => void put.run(callId, revisedMs),
  };
}
