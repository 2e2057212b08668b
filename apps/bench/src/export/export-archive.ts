// An archive to export: generated calls, some with recordings.
import { randomBytes } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createApiKey } from "@call-media/server";
import type { ArchiveItem, MetadataRecord } from "@call-media/store";
import { createStore } from "@call-media/store/sqlite";
import { createRows } from "../rows.ts";
import { createReader } from "../serving/reader.ts";

export interface ExportArchive {
  readonly apiKey: string;
  /** Calls with a recording. */
  readonly callIds: readonly string[];
  /** Total bytes of all recordings. */
  readonly bytes: number;
}

/** The size of an importer's transaction. */
const BATCH = 5_000;

/** The rate of telephone audio. */
const BYTES_PER_SECOND = 8_000;

/** The length of a recording in seconds: the talk time of its call, about a minute, or almost nothing. */
const LENGTHS = {
  talked: ({ talk_time: talked }: MetadataRecord) => talked ?? 0,
  short: (_call: MetadataRecord, index: number) => 25 + ((index * 7_919) % 50_000) / 1_000,
  blip: () => 0.05,
};

export interface ExportArchiveSize {
  readonly calls: number;
  /** The number of calls with a recording. */
  readonly recordings: number;
  readonly lengths: keyof typeof LENGTHS;
  /** The day of all calls. Default: two years. */
  readonly day?: string;
}

/** Creates the archive in `directory`. The recordings are spread evenly over the calls, each with different bytes. */
export async function createExportArchive(
  directory: string,
  { calls, recordings, lengths, day }: ExportArchiveSize,
): Promise<ExportArchive> {
  const toSeconds = LENGTHS[lengths];
  await using store = await createStore({ directory });
  await using session = await store.openImport();
  const reader = createReader();
  await session.write([[{ kind: "user", record: reader }]]);
  const callIds: string[] = [];
  let [bytes, index] = [0, 0];
  let batch: ArchiveItem[][] = [];
  for (const row of createRows(calls)) {
    const isHeard = index++ % Math.floor(calls / recordings) === 0 && callIds.length < recordings;
    const datetime = day === undefined ? row.datetime : `${day}${row.datetime?.slice(10)}`;
    const record = { ...row, datetime, recordings: isHeard ? row.recordings : null };
    const item = { kind: "call", record, recordings: [] as const } as const;
    if (!isHeard) batch.push([item]);
    else {
      const source = join(directory, "recording.wav");
      const content = randomBytes(Math.round(BYTES_PER_SECOND * toSeconds(row, callIds.length)));
      await writeFile(source, content);
      const media = await store.media.put({ path: source });
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
