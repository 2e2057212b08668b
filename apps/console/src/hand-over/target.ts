// Where a hand-over is written: to a file that the user chose, or to memory and then to a download.
import { offer } from "../ui/offer.ts";

export interface Target {
  readonly write: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>;
  /** Creates the file; before that, none exists. */
  readonly close: () => Promise<void>;
  readonly abort: () => Promise<void>;
}

/** A zip in memory briefly exists twice, and a tab has some gigabytes. */
export const MOST_IN_MEMORY = 1_000_000_000;

interface FilePicker {
  showSaveFilePicker(options: {
    readonly suggestedName: string;
    readonly types: readonly object[];
  }): Promise<FileSystemFileHandle & { readonly remove?: () => Promise<void> }>;
}

const picker = (): FilePicker | undefined =>
  // Supported by Chromium, but unknown to TypeScript.
  "showSaveFilePicker" in window ? (window as unknown as FilePicker) : undefined;

export const hasFiles = (): boolean => picker() !== undefined;

/** Undefined if the user chose no file. Browsers allow the question only after a click. */
export async function openTarget(name: string): Promise<Target | undefined> {
  const files = picker();
  if (files === undefined) return openMemory(name);
  try {
    const accept = { "application/zip": [".zip"] };
    const handle = await files.showSaveFilePicker({ suggestedName: name, types: [{ accept }] });
    const file = await handle.createWritable();
    return {
      write: (bytes) => file.write(bytes),
      close: () => file.close(),
      async abort() {
        await file.abort();
        // The browser created an empty file when the user chose it.
        await handle.remove?.();
      },
    };
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return undefined;
    throw error;
  }
}

const BLOCK_BYTES = 2 ** 24;

function openMemory(name: string): Target {
  const blocks: Blob[] = [];
  let block: Uint8Array<ArrayBuffer>[] = [];
  let held = 0;
  const flush = () => {
    // A browser may move a blob to disk, but not the arrays it was built from.
    blocks.push(new Blob(block));
    [block, held] = [[], 0];
  };
  return {
    async write(bytes) {
      block.push(bytes);
      held += bytes.length;
      if (held > BLOCK_BYTES) flush();
    },
    async close() {
      flush();
      offer(new Blob(blocks, { type: "application/zip" }), name);
    },
    async abort() {
      blocks.length = 0;
      block = [];
    },
  };
}
