// An archive to export: generated calls, and recordings of some of them.
import { randomBytes } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createApiKey } from "@call-media/server";
import type { ArchiveItem } from "@call-media/store";
import { createStore } from "@call-media/store/sqlite";
import { createRows } from "../rows.ts";
import { createReader } from "../serving/reader.ts";

export interface ExportArchive {
  readonly apiKey: string;
  /** Calls with a recording. */
  readonly callIds: readonly string[];
  /** Of all recordings. */
  readonly bytes: number;
}

/** As many as a transaction of the importers has. */
const BATCH = 5_000;

/** A minute of telephone, 8,000 bytes a second, for most; some last longer. */
const toLength = (index: number) => 200_000 + ((index * 7_919) % 400_000);

/** Makes the archive in `directory`; the recordings are spread evenly over the calls, each of other bytes. */
export async function createExportArchive(
  directory: string,
  { rows, recordings }: { readonly rows: number; readonly recordings: number },
): Promise<ExportArchive> {
  await using store = await createStore({ directory });
  await using session = await store.openImport();
  const reader = createReader();
  await session.write([[{ kind: "user", record: reader }]]);
  const callIds: string[] = [];
  let [bytes, index] = [0, 0];
  let batch: ArchiveItem[][] = [];
  for (const row of createRows(rows)) {
    const isHeard = index++ % Math.floor(rows / recordings) === 0 && callIds.length < recordings;
    const record = { ...row, recordings: isHeard ? row.recordings : null };
    const item = { kind: "call", record, recordings: [] as const } as const;
    if (!isHeard) batch.push([item]);
    else {
      const source = join(directory, "recording.wav");
      const content = randomBytes(toLength(callIds.length));
      await writeFile(source, content);
      const media = await store.media.add({ path: source });
      await rm(source);
      batch.push([{ ...item, recordings: [{ filename: row.recordings ?? "", media }] }]);
      callIds.push(row.call_id ?? "");
      bytes += content.length;
    }
    if (batch.length < BATCH) continue;
    await session.write(batch);
    batch = [];
  }
  await session.write(batch);
  return { apiKey: (await createApiKey(store, reader.id)).apiKey, callIds, bytes };
}
