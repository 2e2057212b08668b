// Looks for a text in the bytes of files: also in what a database has freed, and in its log.
import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { READ_AT_ONCE } from "../../media/files.ts";
import { MEDIA } from "../../media/media-path.ts";

const CHUNK_BYTES = 1 << 20;

/** Lists the files below the folder that have the text: unchanged, as JSON has it, or in small letters like a word of the search index. */
export async function findText(directory: string, text: string): Promise<readonly string[]> {
  const forms = new Set([text, JSON.stringify(text).slice(1, -1), text.toLowerCase()]);
  const sought = [...forms].map((form) => Buffer.from(form));
  const found: string[] = [];
  for (const path of await listFiles(directory)) if (await hasAny(path, sought)) found.push(path);
  return found;
}

/** All but recordings, which have no text. */
async function listFiles(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const lists = entries.map(async (entry) => {
    const path = join(directory, entry.name);
    if (entry.isFile()) return [path];
    return entry.isDirectory() && entry.name !== MEDIA ? await listFiles(path) : [];
  });
  return (await Promise.all(lists)).flat();
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
