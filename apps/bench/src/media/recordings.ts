// An archive of recordings of given sizes, one call each, and one user who may have them all.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createApiKey } from "@call-media/server";
import type { ArchiveItem } from "@call-media/store";
import { createStore } from "@call-media/store/sqlite";
import { createRows } from "../rows.ts";
import { createReader } from "../serving/reader.ts";

export const MEGABYTE = 1_000_000;

export interface Recordings {
  /** The value of the Authorization header. */
  readonly authorization: string;
  /** In the order of the sizes. */
  readonly files: readonly RecordingFile[];
}

export interface RecordingFile {
  readonly bytes: number;
  readonly callId: string;
  /** Where the archive keeps it. */
  readonly path: string;
}

/** Makes the archive in `directory`; a recording is random bytes, a megabyte of them again and again. */
export async function createRecordings(
  directory: string,
  sizes: readonly number[],
): Promise<Recordings> {
  await using store = await createStore({ directory });
  const items: ArchiveItem[] = [];
  const files: RecordingFile[] = [];
  for (const record of createRows(sizes.length)) {
    const bytes = sizes[files.length] ?? 0;
    const source = join(directory, "recording.wav");
    await writeNoise(source, bytes);
    const media = await store.media.put({ path: source });
    await rm(source);
    const { sha256 } = media;
    const path = join(directory, "media", sha256.slice(0, 2), sha256);
    files.push({ bytes, callId: record.call_id ?? "", path });
    items.push({ kind: "call", record, recordings: [{ filename: `${bytes}.wav`, media }] });
  }
  const reader = createReader();
  await using session = await store.openImport();
  await session.write([...items, { kind: "user" as const, record: reader }].map((item) => [item]));
  return { files, authorization: `Bearer ${(await createApiKey(store, reader.id)).apiKey}` };
}

async function writeNoise(path: string, bytes: number): Promise<void> {
  const noise = randomBytes(MEGABYTE);
  const file = createWriteStream(path);
  for (let left = bytes; left > 0; left -= noise.length)
    if (!file.write(noise.subarray(0, left))) await once(file, "drain");
  file.end();
  await once(file, "close");
}
