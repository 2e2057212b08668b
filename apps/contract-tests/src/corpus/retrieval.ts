// Retrieves calls through the client: individually with chat and recordings, and by searches over all pages.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { basename } from "node:path";
import type { Schema } from "@call-media/api";
import type { CallMediaClient } from "@call-media/client";
import type { ExpectedCall } from "./source.ts";

export interface FoundCall {
  readonly records: readonly Schema<"MetadataRecord">[];
  readonly chat: readonly (string | null)[];
  readonly recordings: readonly NamedContent[];
}

export interface NamedContent {
  readonly filename: string | undefined;
  readonly sha256: string;
}

// The parallel requests of a busy program.
const CONCURRENCY = 8;

/** Contains every date of the corpus. */
export const EVERY_DAY = { startDate: "1970-01-01", endDate: "2099-12-31" } as const;

/** The service's responses about a call, for as many parts as it should have recordings. */
export async function retrieve(client: CallMediaClient, call: ExpectedCall): Promise<FoundCall> {
  const { call_id, recordings = [] } = call;
  const params = { path: { call_id } };
  const metadata = await client.GET("/metadata/by-call-id/{call_id}", { params });
  const chat = await client.GET("/chat/by-call-id/{call_id}", { params });
  const streams: NamedContent[] = [];
  for (const part of recordings.keys()) {
    const { body, filename } = await client.recordings.stream({ call_id, part: part + 1 });
    streams.push({ filename, sha256: await toSha256(body) });
  }
  return {
    records: metadata.data.data,
    chat: chat.data.data.map(({ transcript }) => transcript),
    recordings: streams,
  };
}

/** Reads the recordings from the corpus. */
export async function readRecordings({ recordings = [] }: ExpectedCall): Promise<NamedContent[]> {
  const files: NamedContent[] = [];
  for (const file of recordings)
    files.push({ filename: basename(file), sha256: await toSha256(createReadStream(file)) });
  return files;
}

/** The call_ids found by a search, page by page, sorted. */
export async function toCallIds(found: AsyncIterable<Schema<"MetadataRecord">>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { call_id } of found) ids.push(String(call_id));
  return ids.toSorted();
}

/** Runs `work` on every item, a few in parallel; fails with the first failure. */
export async function forEach<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

async function toSha256(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of bytes) hash.update(chunk);
  return hash.digest("hex");
}
