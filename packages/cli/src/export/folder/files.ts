// The folder of an export: what lies where in it, and how files get there whole.
import { open, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { OWNER_ONLY } from "../../files/owner-only.ts";
import { toShellWord } from "../../terminal/shell-word.ts";

/** Everything an export needs to go on. What is handed to others is beside it. */
export const STATE = ".call-media";

export interface ExportFolder {
  /** As the user gave it. */
  readonly path: string;
  /** The option that names it: "--out march". */
  readonly named: string;
  readonly plan: string;
  readonly lock: string;
  /** A journal for each day and round. */
  readonly journals: string;
  /** Files that are on their way. */
  readonly parts: string;
  /** The path of a file by its name in the manifest, whose separator is `/` everywhere. */
  readonly toPath: (file: string) => string;
}

/** The export of a bundle: a folder beside it, until the bundle is there. */
export const toBundleFolder = (bundle: string): ExportFolder =>
  toExportFolder(`${bundle}.export`, `--bundle ${toShellWord(bundle)}`);

export function toExportFolder(path: string, named = `--out ${toShellWord(path)}`): ExportFolder {
  const state = join(path, STATE);
  return {
    path,
    named,
    plan: join(state, "plan.json"),
    lock: join(state, "lock"),
    journals: join(state, "days"),
    parts: join(state, "parts"),
    toPath: (file) => join(path, ...file.split("/")),
  };
}

const BLOCK_CHARACTERS = 65_536;

/** A file that has no name before it is whole; what was there under that name before stays until then. */
export interface DurableFile extends AsyncDisposable {
  readonly write: (content: string | Uint8Array) => Promise<void>;
  /** Is there after a loss of power too, when it resolves to how many bytes it has. */
  readonly finish: () => Promise<number>;
}

/** `onWrite` is told of the bytes, block by block. */
export async function openDurably(
  path: string,
  onWrite: (content: Uint8Array) => void = () => {},
): Promise<DurableFile> {
  const part = `${path}.part`;
  const file = await open(part, "w", OWNER_ONLY.file);
  let [block, bytes] = ["", 0];
  const append = async (content: Uint8Array) => {
    bytes += content.length;
    onWrite(content);
    await file.appendFile(content);
  };
  const flush = async () => {
    const content = Buffer.from(block);
    block = "";
    await append(content);
  };
  return {
    async write(content) {
      if (typeof content !== "string") {
        if (block !== "") await flush();
        return await append(content);
      }
      block += content;
      if (block.length >= BLOCK_CHARACTERS) await flush();
    },
    async finish() {
      await flush();
      await file.sync();
      await giveName(part, path);
      return bytes;
    },
    [Symbol.asyncDispose]: () => file.close(),
  };
}

export async function writeDurably(path: string, text: string): Promise<void> {
  await using file = await openDurably(path);
  await file.write(text);
  await file.finish();
}

/** Renames, and sees to it that the folder knows. */
export async function giveName(part: string, path: string): Promise<void> {
  await rename(part, path);
  await syncFolder(dirname(path));
}

export async function syncFolder(path: string): Promise<void> {
  // Windows does not open folders, and its file systems keep names in a journal of their own.
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
