// How long a recording is. For WAV the length of the file counts, not its header: recorders that cannot go back to the
// header leave 0 or the greatest number there. Other formats are read by music-metadata.
import { type FileHandle, open } from "node:fs/promises";

/** In seconds; undefined for a file without a length, or without audio. Throws when it cannot be opened. */
export async function readDuration(path: string): Promise<number | undefined> {
  await using file = await open(path);
  const head = await readBytes(file, 0, 12);
  const isWave = /^(?:RIFF|RF64).{4}WAVE$/s.test(head.toString("latin1"));
  const seconds = isWave ? await readWave(file) : await readOther(path);
  return seconds !== undefined && Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

// Nobody puts more before the sound; a hostile file could.
const MAX_CHUNKS = 100;

async function readWave(file: FileHandle): Promise<number | undefined> {
  const { size: fileBytes } = await file.stat();
  let bytesPerSecond: number | undefined;
  let position = 12;
  for (let chunk = 0; chunk < MAX_CHUNKS && position + 8 <= fileBytes; chunk += 1) {
    const head = await readBytes(file, position, 24);
    const [name, bytes] = [head.toString("latin1", 0, 4), head.readUInt32LE(4)];
    if (name === "fmt " && head.length >= 20) bytesPerSecond = head.readUInt32LE(16);
    if (name === "data") {
      const rest = fileBytes - position - 8;
      const sound = bytes === 0 || bytes > rest ? rest : bytes;
      return bytesPerSecond === undefined ? undefined : sound / bytesPerSecond;
    }
    position = await findNext(file, position + 8 + bytes);
  }
  return undefined;
}

// A chunk of odd length is followed by a byte of padding, which some programs leave out.
async function findNext(file: FileHandle, end: number): Promise<number> {
  if (end % 2 === 0) return end;
  const name = (await readBytes(file, end, 4)).toString("latin1");
  return /^[\w ]{4}$/.test(name) ? end : end + 1;
}

async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

// Loaded when it is first needed: the service never is in need of it.
async function readOther(path: string): Promise<number | undefined> {
  const { parseFile } = await import("music-metadata");
  try {
    const { format } = await parseFile(path, { duration: true, skipCovers: true });
    return format.duration;
  } catch {
    return undefined; // what it cannot read it cannot measure
  }
}
