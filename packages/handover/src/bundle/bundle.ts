// A bundle: a zip of an export, a page to read and hear it with, a spreadsheet, and the SHA-256 of each of them.
import { strToU8, Zip, ZipDeflate, ZipPassThrough } from "fflate";

/** The layout of a bundle. */
export const EXPORT = "export";
export const VIEWER = "index.html";
export const SHEET = "calls.xlsx";
export const SUMS = "SHA256SUMS";

/** Calls of a bundle that has a viewer. With 30 lines of chat each they are 37 MB, which Chromium 156 opens in 0.7 s. */
export const MAX_VIEWER_CALLS = 5000;

/** A zip without the extensions of 64 bits holds no more (APPNOTE 4.4.1.4); some of it is for names. */
export const MAX_BUNDLE = { bytes: 4_000_000_000, files: 65_000 } as const;

/** Without this, Unzip 6.0 of Info-ZIP takes names for those of DOS, in its code page: "é" becomes "+⌐". */
const MADE_BY_UNIX = { os: 3, attrs: 0o100644 * 2 ** 16 } as const;

/** A file of the bundle while it is written. */
export interface BundleFile {
  readonly write: (bytes: Uint8Array) => void;
  /** `sha256`: of all its bytes, as hexadecimal digits. */
  readonly end: (sha256: string) => void;
}

export interface Bundle {
  /** One file after the other: by its path in the bundle. Recordings are not packed, since they hardly shrink. */
  readonly open: (path: string) => BundleFile;
  /** Writes the check sums, and the end of the zip. Returns `SUMS`, whose SHA-256 is the seal: it covers every file. Its type is that of bytes before TypeScript 5.7, too. */
  readonly end: () => ReturnType<Uint8ArrayConstructor["of"]>;
}

/**
 * A bundle, handed to `onBytes` piece by piece before the call that made the piece returns. It holds nothing of the files;
 * more than `MAX_BUNDLE` makes no zip that can be opened.
 *
 * @example
 * ```ts
 * const bundle = createBundle((bytes) => parts.push(bytes));
 * const file = bundle.open("export/report.json");
 * file.write(report);
 * file.end(sha256);
 * const seal = hash("sha256", bundle.end());
 * ```
 */
export function createBundle(onBytes: (bytes: Uint8Array) => void): Bundle {
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    if (bytes.length > 0) onBytes(bytes);
  });
  let sums = "";
  const add = (path: string) => {
    const isPacked = /\.(?:jsonl?|html|csv)$|^SHA256SUMS$/.test(path);
    const file = isPacked ? new ZipDeflate(path, { level: 6 }) : new ZipPassThrough(path);
    Object.assign(file, MADE_BY_UNIX);
    zip.add(file);
    return file;
  };
  return {
    open(path) {
      const file = add(path);
      return {
        write: (bytes) => file.push(bytes),
        end(sha256) {
          file.push(new Uint8Array(), true);
          sums += `${sha256}  ${path}\n`;
        },
      };
    },
    end() {
      const bytes = strToU8(sums);
      add(SUMS).push(bytes, true);
      zip.end();
      return bytes;
    },
  };
}
