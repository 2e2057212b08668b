// The files in a zip archive, as streams. Nothing is written to the disk, so names cannot lead anywhere.
import { crc32 } from "node:zlib";
import yauzl, { type Entry } from "yauzl";
import { createGrowthLimit } from "./decode.ts";
import { ImportError } from "./import-error.ts";

export interface ZipMember {
  readonly name: string;
  readonly compressedBytes: number;
  /** Throws `ImportError` if the member is damaged, encrypted or unpacks beyond all measure. */
  chunks(): AsyncIterable<Buffer>;
}

export interface ZipArchive extends Disposable {
  readonly members: readonly ZipMember[];
}

/** Throws `ImportError` for an incomplete archive. */
export async function openZip(path: string): Promise<ZipArchive> {
  const zip = await yauzl.openPromise(path, { autoClose: false }).catch(fail(path));
  try {
    const members: ZipMember[] = [];
    // One limit for all members: they may overlap, so that each is small and their sum is not.
    const limit = createGrowthLimit(path, () => zip.fileSize);
    for await (const entry of zip.eachEntry())
      if (!isHidden(entry.fileName))
        members.push(
          toMember(path, entry, async () => limit(await zip.openReadStreamPromise(entry))),
        );
    return { members, [Symbol.dispose]: () => zip.close() };
  } catch (error) {
    zip.close();
    return fail(path)(error);
  }
}

// Folders, and the hidden files of macOS.
function isHidden(name: string): boolean {
  return (
    name.endsWith("/") ||
    name.split("/").some((part) => part === "__MACOSX" || part.startsWith("."))
  );
}

function toMember(
  path: string,
  entry: Entry,
  open: () => Promise<AsyncIterable<Buffer>>,
): ZipMember {
  const name = `${path}/${entry.fileName}`;
  const read = async function* (): AsyncGenerator<Buffer> {
    if (entry.isEncrypted())
      throw new ImportError(`${name} is encrypted: unpack it and import what it holds`);
    try {
      yield* check(await open(), entry.crc32);
    } catch (error) {
      fail(name)(error);
    }
  };
  return { name, compressedBytes: entry.compressedSize, chunks: read };
}

// yauzl checks only the length.
async function* check(chunks: AsyncIterable<Buffer>, expected: number): AsyncGenerator<Buffer> {
  let sum = 0;
  for await (const chunk of chunks) {
    sum = crc32(chunk, sum);
    yield chunk;
  }
  if (sum !== expected) throw new Error("its checksum is wrong");
}

function fail(name: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof ImportError) throw error;
    const fault = error instanceof Error ? error.message : String(error);
    throw new ImportError(`${name} is not a complete zip archive: ${fault}`, { cause: error });
  };
}
