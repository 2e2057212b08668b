// Figures of an archive in PostgreSQL that an operator wants to be alerted on.
import type { Vitals } from "../port/index.ts";
import { readNoted } from "../values/noted-commands.ts";
import type { Ask } from "./connection.ts";

export async function readVitals(ask: Ask): Promise<Vitals> {
  const [row] = await ask<{ owed: number }>(
    "SELECT ((SELECT count(*) FROM owed) + (SELECT count(*) FROM owed_reference))::float8 AS owed",
  );
  const rows = await ask<{ name: string; value: string }>(
    "SELECT name, value FROM setting WHERE name LIKE 'noted\\_%'",
  );
  const values = new Map(rows.map(({ name, value }) => [name, value]));
  return {
    freeBytes: undefined,
    owed: row?.owed ?? 0,
    noted: readNoted((name) => values.get(name)),
  };
}
