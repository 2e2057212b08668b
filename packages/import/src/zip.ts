// The files in a zip archive, as streams: nothing of it is written anywhere, so its names lead nowhere.
import { crc32 } from "node:zlib";
import yauzl, { type Entry } from "yauzl";
import { createGrowthLimit } from "./decode.ts";
import { ImportError } from "./import-options.ts";

export interface ZipMember {
  readonly name: string;
  readonly compressedBytes: number;
  /** Throws `ImportError` where it is damaged, encrypted or swells beyond measure. */
  chunks(): AsyncIterable<Buffer>;
}

export interface ZipArchive extends Disposable {
  readonly members: readonly ZipMember[];
}

/** Throws `ImportError` for what is no whole zip archive. */
export async function openZip(path: string): Promise<ZipArchive> {
  const zip = await yauzl.openPromise(path, { autoClose: false }).catch(fail(path));
  try {
    const members: ZipMember[] = [];
    // Of all members together: they may overlap, so that each is small and their sum is not.
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

// Folders, and what macOS puts beside each file.
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

// yauzl checks the length alone.
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
    throw new ImportError(`${name} is no whole zip archive: ${fault}`, { cause: error });
  };
}
