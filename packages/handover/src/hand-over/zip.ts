// The zip of a hand-over: the same files yield the same bytes, in Node.js and in browsers.
import { strToU8, Zip, ZipDeflate, ZipPassThrough } from "fflate";
import { SUMS } from "./layout.ts";

/** A file of the zip while it is written. */
export interface ZipFile {
  readonly write: (bytes: Uint8Array) => void;
  /** `sha256`: of all its bytes, as hexadecimal digits. */
  readonly end: (sha256: string) => void;
}

export interface HandOverZip {
  /** Opens a file by its path; only one may be open at a time. Recordings are not compressed, because they hardly shrink. */
  readonly open: (path: string) => ZipFile;
  /** Writes the checksums, and the end of the zip. */
  readonly end: () => void;
}

/** Without this, Unzip 6.0 of Info-ZIP treats names as those of DOS, in its code page: "é" becomes "+⌐". */
const MADE_BY_UNIX = { os: 3, attrs: 0o100644 * 2 ** 16 } as const;

/** Deflate starts blocks depending on its input chunks: equal bytes compress alike only in equal chunks. */
const BLOCK_BYTES = 65_536;

/** `onBytes` receives the zip chunk by chunk, before the call that made the chunk returns. `at`: the time of its files. */
export function createZip(onBytes: (bytes: Uint8Array) => void, at: Date): HandOverZip {
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    if (bytes.length > 0) onBytes(bytes);
  });
  let sums = "";
  const add = (path: string) => {
    const isPacked = /\.(?:jsonl?|html)$|^SHA256SUMS$/.test(path);
    const file = isPacked ? new ZipDeflate(path, { level: 6 }) : new ZipPassThrough(path);
    Object.assign(file, MADE_BY_UNIX, { mtime: toClock(at) });
    zip.add(file);
    return { isPacked, push: (bytes: Uint8Array, isLast = false) => file.push(bytes, isLast) };
  };
  return {
    open(path) {
      const { isPacked, push } = add(path);
      const blocks = createBlocks(push);
      return {
        write: isPacked ? blocks.add : (bytes: Uint8Array) => push(bytes),
        end(sha256) {
          push(blocks.rest(), true);
          sums += `${sha256}  ${path}\n`;
        },
      };
    },
    end() {
      add(SUMS).push(strToU8(sums), true);
      zip.end();
    },
  };
}

/** Divides chunks of any length into blocks of equal length. */
function createBlocks(push: (block: Uint8Array) => void) {
  let block = new Uint8Array();
  let length = 0;
  return {
    add: (bytes: Uint8Array) => {
      for (let at = 0; at < bytes.length;) {
        if (length === 0) block = new Uint8Array(BLOCK_BYTES);
        const part = bytes.subarray(at, at + BLOCK_BYTES - length);
        block.set(part, length);
        length += part.length;
        at += part.length;
        if (length < BLOCK_BYTES) continue;
        push(block);
        length = 0;
      }
    },
    rest: () => block.subarray(0, length),
  };
}

/**
 * The noon of the day in UTC. A zip has local times without a zone, and fflate uses the time zone of this machine, which
 * may skip hours; no zone skips noon.
 */
const toClock = (at: Date): Date =>
  new Date(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate(), 12);
