// The files in a zip archive, as streams: nothing of it is written anywhere, so its names lead nowhere.
import yauzl, { type Entry, type ZipFile } from "yauzl";
import { limitGrowth } from "./decode.ts";
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
    for await (const entry of zip.eachEntry())
      if (!isHidden(entry.fileName)) members.push(toMember(path, zip, entry));
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

function toMember(path: string, zip: ZipFile, entry: Entry): ZipMember {
  const name = `${path}/${entry.fileName}`;
  const { compressedSize } = entry;
  const read = async function* (): AsyncGenerator<Buffer> {
    if (entry.isEncrypted())
      throw new ImportError(`${name} is encrypted: unpack it and import what it holds`);
    try {
      const unpacked = await zip.openReadStreamPromise(entry);
      yield* limitGrowth(name, unpacked, () => compressedSize);
    } catch (error) {
      fail(name)(error);
    }
  };
  return { name, compressedBytes: compressedSize, chunks: read };
}

function fail(name: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof ImportError) throw error;
    const fault = error instanceof Error ? error.message : String(error);
    throw new ImportError(`${name} is no whole zip archive: ${fault}`, { cause: error });
  };
}
