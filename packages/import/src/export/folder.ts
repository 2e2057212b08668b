// Where an export goes: a folder that has its name only when everything is in it, or a stream of lines.
import { createHash, type Hash } from "node:crypto";
import { type FileHandle, mkdtemp, open, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { ArchiveError, StoreFault } from "@call-media/store";
import { makeFolder } from "@call-media/store/open";
import { MANIFEST } from "./names.ts";

/** The content of a finished export's folder, by which a reader can prove that nothing is missing. */
export interface ExportManifest {
  /** The next form of the manifest gets the next number. */
  readonly version: 1;
  readonly format: string;
  readonly createdAt: string;
  /** IANA name: how times without an offset are to be read. */
  readonly timeZone: string;
  readonly fromDay: string | null;
  readonly toDay: string | null;
  readonly files: Readonly<Record<string, WrittenFile>>;
  readonly [count: string]: unknown;
}

export interface WrittenFile {
  readonly lines: number;
  readonly bytes: number;
  readonly sha256: string;
}

// Only the owner may enter the export itself; folders above it may hold more.
const OPEN_TO_OTHERS = 0o777;

export interface ExportFolder extends AsyncDisposable {
  /** Where the files go meanwhile. */
  readonly path: string;
  write(file: string, line: string): Promise<void>;
  /** Makes the file, if it has no line yet. */
  begin(file: string): Promise<void>;
  /** Ends the files, adds the manifest and gives the folder its name. */
  publish(facts: Omit<ExportManifest, "version" | "files">): Promise<void>;
}

/** Throws `ArchiveError` when `target` holds something. Without `publish` nothing is left when it is disposed of. */
export async function createExportFolder(target: string): Promise<ExportFolder> {
  const names = await readdir(target).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  });
  if (names.length > 0)
    throw new ArchiveError(`${target} is not empty, it holds ${names[0]}: give an empty folder`);
  const parent = dirname(resolve(target));
  await makeFolder(parent, OPEN_TO_OTHERS);
  const path = await mkdtemp(join(parent, `.${basename(resolve(target))}-unfinished-`));
  const files = new Map<string, LineFile>();
  const fileOf = async (name: string): Promise<LineFile> => {
    const file = files.get(name) ?? (await openLineFile(join(path, name)));
    files.set(name, file);
    return file;
  };

  return {
    path,
    write: async (name, line) => (await fileOf(name)).write(line),
    begin: async (name) => void (await fileOf(name)),
    publish: async (facts) => {
      const written: Record<string, WrittenFile> = {};
      for (const [name, file] of files) written[name] = await file.end();
      const manifest = { version: 1, ...facts, files: written } as ExportManifest; // the facts are the rest of it
      const last = await openLineFile(join(path, MANIFEST));
      await last.write(JSON.stringify(manifest, null, 2));
      await last.end();
      await rename(path, target);
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...files.values()].map((file) => file.end()));
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** Throws `StoreFault` for a full disk, else what the system says. */
export const toWriteFault =
  (path: string) =>
  (error: unknown): never => {
    const isFull = error instanceof Error && "code" in error && FULL.has(error.code);
    if (!isFull) throw error;
    const message = `${path} cannot be written: the disk is full: make room on it, then try again`;
    throw new StoreFault("full", message, { cause: error });
  };

const FULL: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);

interface LineFile {
  write(line: string): Promise<void>;
  /** When it is on the disk. */
  end(): Promise<WrittenFile>;
}

const BUFFER_CHARACTERS = 256 * 1024;

async function openLineFile(path: string): Promise<LineFile> {
  const file: FileHandle = await open(path, "wx", 0o600);
  const digest: Hash = createHash("sha256");
  let [text, lines, bytes] = ["", 0, 0];
  let ended: Promise<WrittenFile> | undefined;
  const flush = async () => {
    const buffer = Buffer.from(text);
    text = "";
    digest.update(buffer);
    bytes += buffer.length;
    await file.writeFile(buffer).catch(toWriteFault(path));
  };
  const end = async () => {
    try {
      await flush();
      await file.sync();
    } finally {
      await file.close();
    }
    return { lines, bytes, sha256: digest.digest("hex") };
  };

  return {
    write: async (line) => {
      text += `${line}\n`;
      lines += 1;
      if (text.length >= BUFFER_CHARACTERS) await flush();
    },
    end: () => (ended ??= end()),
  };
}
