// Looks for a text in the bytes of files, also those of logs and of freed pages, and in the values of databases.
import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { READ_AT_ONCE } from "../../media/files.ts";
import { MEDIA } from "../../media/media-path.ts";
import { RESERVE } from "../files/reserve.ts";
import { hasValue } from "./has-value.ts";

const CHUNK_BYTES = 1 << 20;

export interface FoundText {
  /** The files that have it. */
  readonly files: readonly string[];
  /** Files and folders that cannot be read, and may have it. */
  readonly unread: readonly string[];
}

/** Looks for the text in the files below the folder: unchanged, as JSON has it, or in small letters like a word of the search index. */
export async function findText(directory: string, text: string): Promise<FoundText> {
  const forms = new Set([text, JSON.stringify(text).slice(1, -1), text.toLowerCase()]);
  const sought = [...forms].map((form) => Buffer.from(form));
  const [files, unread]: [string[], string[]] = [[], []];
  for (const path of await listFiles(directory, unread))
    try {
      if (await hasAny(path, sought)) files.push(path);
      else if ((await isDatabase(path)) && hasValue(path, sought)) files.push(path);
    } catch {
      unread.push(path);
    }
  return { files, unread };
}

/** All but recordings, which have no text, and the reserve of purges, which has random bytes. */
async function listFiles(directory: string, unread: string[]): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => {
    unread.push(directory);
    return [];
  });
  const lists = entries.map(async (entry) => {
    const path = join(directory, entry.name);
    if (entry.isFile()) return entry.name === RESERVE ? [] : [path];
    return entry.isDirectory() && entry.name !== MEDIA ? await listFiles(path, unread) : [];
  });
  return (await Promise.all(lists)).flat();
}

// https://sqlite.org/fileformat.html, section 1.3.1
const DATABASE_START = Buffer.from("SQLite format 3\0");

async function isDatabase(path: string): Promise<boolean> {
  await using file = await open(path, READ_AT_ONCE);
  const start = Buffer.alloc(DATABASE_START.length);
  await file.read(start, 0, start.length);
  return start.equals(DATABASE_START);
}

async function hasAny(path: string, sought: readonly Buffer[]): Promise<boolean> {
  await using file = await open(path, READ_AT_ONCE);
  const overlap = Math.max(...sought.map(({ length }) => length)) - 1;
  const buffer = Buffer.alloc(CHUNK_BYTES + overlap);
  for (let kept = 0; ;) {
    const { bytesRead } = await file.read(buffer, kept, CHUNK_BYTES);
    if (bytesRead === 0) return false;
    const piece = buffer.subarray(0, kept + bytesRead);
    if (sought.some((form) => piece.includes(form))) return true;
    kept = Math.min(overlap, piece.length);
    piece.copy(buffer, 0, piece.length - kept);
  }
}
