// Figures of an archive in a directory that an operator wants to be alerted on.
import { statfs } from "node:fs/promises";
import type { DatabaseSync } from "node:sqlite";
import type { Vitals } from "../port/index.ts";
import { readNoted } from "../values/noted-commands.ts";
import { findSetting } from "./settings.ts";

export async function readVitals(database: DatabaseSync, directory: string): Promise<Vitals> {
  const { bavail, bsize } = await statfs(directory);
  const row = database
    .prepare("SELECT (SELECT count(*) FROM owed) + (SELECT count(*) FROM owed_reference) AS owed")
    .get();
  return {
    freeBytes: bavail * bsize,
    owed: Number(row?.["owed"]),
    noted: readNoted((name) => findSetting(database, name)),
  };
}
