// An import into memory.
import type { ImportSession, ImportSessionOptions } from "../port/index.ts";
import { createRowWriter, createRunMemory } from "../writing/row-writer.ts";
import type { Tables } from "./tables.ts";

export function createImportSession(
  tables: Tables,
  timeZone: string,
  { restoresErased = false }: ImportSessionOptions,
): ImportSession {
  const { tombstoneKey, imported } = tables;
  const memory = createRunMemory();
  const rowWriter = createRowWriter(tables, { timeZone, tombstoneKey, restoresErased, memory });
  return {
    leaveOutErased: async (row) => rowWriter.leaveOut(row),
    write: async (rows, refused = 0) => {
      const outcomes = rows.map(rowWriter.write);
      imported.rejected += refused;
      for (const outcome of outcomes)
        imported[typeof outcome === "string" ? outcome : "rejected"] += 1;
      return outcomes;
    },
    [Symbol.asyncDispose]: async () => {},
  };
}
