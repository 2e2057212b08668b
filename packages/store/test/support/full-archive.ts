// An archive with something of every kind, and all that a scan reads of one.
import type { ScannedRow } from "../../src/index.ts";
import { createMaintenance } from "../../src/sqlite/maintenance/maintenance.ts";
import { openStore } from "../../src/sqlite/sqlite-store.ts";
import { call, fill, flag, message, toUser } from "../../src/suite/records.ts";
import { createClosedArchive } from "./kept-archive.ts";

export const AT = "2025-05-01T10:00:00Z";

/** Calls with recordings, one without identifiers, chats, a user and a flag. */
export async function createFull(): Promise<string> {
  const directory = await createClosedArchive("a", "b", "c");
  await using store = await openStore({ directory });
  await fill(store, [
    { kind: "user", record: toUser(1) },
    { kind: "flag", record: flag(7, "Public", "vip") },
    call({ datetime: AT, agent: "nobody" }),
    call({ call_id: "declared", datetime: AT }, { identity: ["1", "x"] }),
    { kind: "chat", record: message("a", "Hello", AT) },
    { kind: "chat", record: message("a", "Bye", AT) },
    { kind: "chat", record: message("of nobody", "Hello?", AT) },
  ]);
  return directory;
}

export async function readAll(directory: string): Promise<readonly ScannedRow[]> {
  await using opened = await createMaintenance(directory).scan();
  const rows: ScannedRow[] = [];
  for await (const row of opened.rows()) rows.push(row);
  return rows;
}
