// Looks for a text in the bytes of files, including logs and freed pages, and in the values of databases.
import { open } from "node:fs/promises";
import { READ_AT_ONCE } from "../../media/files.ts";
import { hasValue } from "./has-value.ts";
import { listFiles } from "./searched-files.ts";

const CHUNK_BYTES = 1 << 20;

export interface FoundText {
  /** The files that have the text. */
  readonly files: readonly string[];
  /** Files and directories that cannot be read and may have it. */
  readonly unread: readonly string[];
}

/** Looks for the text in the files below the directory: unchanged, as escaped in JSON, or in lower case as in the search index. */
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
