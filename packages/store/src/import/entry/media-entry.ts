// The recordings that an entry names, and the way of their files into the archive.
import { basename } from "node:path";
import type { MediaFiles, MediaSource, Recording } from "../../call-store.ts";
import type { MediaFolder } from "../media-folder.ts";
import { RowFault } from "../source-row.ts";
import type { Clock } from "./clock.ts";
import { checkText, isObject, toKind } from "./field-check.ts";

export interface MediaEntry {
  /** A path in the media folder; with `content` the bare name. */
  readonly file: string;
  readonly startMs: number | undefined;
  /** The bytes themselves, where the source carries them; JSON cannot. */
  readonly content: Uint8Array | undefined;
}

const KEYS = new Set(["file", "start", "content"]);

/** In the order of D17: by start, then as they were given. Throws `RowFault`. */
export function parseMedia(list: readonly unknown[], clock: Clock): MediaEntry[] {
  const entries = list.map((entry, index) => parse(entry, `media[${index}]`, clock));
  return entries.toSorted((a, b) => (a.startMs ?? Infinity) - (b.startMs ?? Infinity) || 0); // Infinity - Infinity is NaN
}

/**
 * Takes the files into the archive. All of them are looked at before the first is copied, so that a call which is
 * rejected for one of its files leaves nothing behind. Throws `RowFault` and the store's `MediaRejected`.
 */
export async function takeRecordings(
  entries: readonly MediaEntry[],
  from: MediaFolder,
  to: MediaFiles,
): Promise<Recording[]> {
  const sources: MediaSource[] = [];
  for (const { file, content } of entries) {
    if (content?.length === 0) throw new RowFault(`${file} is empty`);
    sources.push(
      content === undefined ? { path: await from.resolve(file) } : { name: file, content },
    );
  }
  const recordings: Recording[] = [];
  for (const [index, source] of sources.entries()) {
    const { file = "", startMs } = entries[index] ?? {};
    recordings.push({ filename: basename(file), startMs, media: await to.add(source) });
  }
  return recordings;
}

function parse(entry: unknown, at: string, clock: Clock): MediaEntry {
  if (!isObject(entry))
    throw new RowFault(`${at}: must be an object with "file", not ${toKind(entry)}`);
  const unknown = Object.keys(entry).find((key) => !KEYS.has(key));
  const { file, start = null, content } = entry;
  const isBytes = content instanceof Uint8Array;
  if (unknown !== undefined || (content !== undefined && !isBytes)) {
    throw new RowFault(`${at}.${unknown ?? "content"}: no such field`);
  }
  return {
    file: readText(file, `${at}.file`),
    startMs:
      start === null ? undefined : clock.toInstantMs(`${at}.start`, readText(start, `${at}.start`)),
    content: isBytes ? content : undefined,
  };
}

function readText(value: unknown, field: string): string {
  if (value === undefined) throw new RowFault(`${field}: missing`);
  const fault = checkText(value);
  if (fault !== undefined || typeof value !== "string") throw new RowFault(`${field}: ${fault}`);
  return value;
}
