// Whether an archive fits together, by the store's own doctor and by what is counted here without it.
import { createHash } from "node:crypto";
import { readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { verifyMedia } from "@call-media/store";
import { openMaintenance } from "@call-media/store/open";
import { expect } from "vitest";

/** What an archive holds: equal summaries, equal rows. */
export interface Summary {
  readonly calls: number;
  readonly chats: number;
  readonly recordings: number;
  readonly digest: string;
}

export function summarize(directory: string): Summary {
  using database = new DatabaseSync(join(directory, "archive.db"), { readOnly: true });
  const digest = createHash("sha256");
  const countRows = (sql: string) => {
    const rows = database.prepare(sql).all();
    for (const row of rows) digest.update(JSON.stringify(Object.values(row)));
    return rows.length;
  };
  return {
    calls: countRows("SELECT call_id, ref_id, record FROM call ORDER BY call_id, ref_id, record"),
    chats: countRows("SELECT call_id, record FROM chat ORDER BY call_id, record"),
    recordings: countRows(
      "SELECT call_id, part, filename, sha256 FROM recording JOIN call ON id = call ORDER BY call_id, part",
    ),
    digest: digest.digest("hex"),
  };
}

/**
 * Fails unless rows, index, counts of days and files agree, and every recording is whole. Gives the files that no row names:
 * whole ones, of a batch that was never written. Copies that were cut off have to be named by the store.
 */
export async function expectWell(directory: string): Promise<readonly string[]> {
  const archive = await openMaintenance({ records: directory });
  const findings = await archive.check();
  expect(findings.filter(({ level }) => level === "error")).toEqual([]);
  const unfinished = await ageUnfinished(join(directory, "media"));
  const { damages, unreferenced, leftovers } = await verifyMedia(archive);
  expect(damages).toEqual([]);
  expect(leftovers).toHaveLength(unfinished);
  return unreferenced;
}

// What was being copied counts as left behind after an hour without a byte.
async function ageUnfinished(media: string): Promise<number> {
  const names = (await readdir(media)).filter((name) => name.endsWith(".part"));
  for (const name of names) await utimes(join(media, name), 0, 0);
  return names.length;
}
