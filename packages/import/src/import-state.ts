// The state file of a continuous import: a JSON line for each time that a file was read; the last one of a file holds.
import { open, readFile } from "node:fs/promises";
import { ImportError } from "./import-error.ts";
import type { SoundCounts } from "./import-options.ts";
import { isObject, parseJson } from "./json.ts";
import { toSystemFault } from "./source-files.ts";

/**
 * `rejected`: some of its rows; `doubtful`: all rows were written, and then a doubt showed; `stopped`: by a doubt, before any was;
 * `failed`: unreadable; `repeated`: another file has the same bytes.
 */
export type FileState = "imported" | "rejected" | "doubtful" | "stopped" | "failed" | "repeated";

export const FILE_STATES: readonly FileState[] = [
  "imported",
  "rejected",
  "doubtful",
  "stopped",
  "failed",
  "repeated",
];

/** A row of the access log of an archive, which has what was imported before that row. */
export interface LogMark {
  /** The identifier of the row in the log. */
  readonly id: string;
  readonly seq: number;
  readonly hash: string;
}

export interface FileRecord {
  readonly file: string;
  readonly bytes: number;
  /** When its bytes were last changed, and its inode, in ms since 1970. */
  readonly modifiedMs: number;
  readonly changedMs: number;
  readonly sha256: string;
  /** A digest of the mapping and the options that it was read by. */
  readonly by: string;
  /** RFC 3339. */
  readonly at: string;
  readonly state: FileState;
  /** Written when the file was imported; without it nobody knows into which archive. */
  readonly log?: LogMark | undefined;
  readonly rows?: Readonly<Record<string, number>> | undefined;
  readonly sound?: SoundCounts | undefined;
  readonly reason?: string | undefined;
}

export interface ImportState extends AsyncDisposable {
  readonly get: (file: string) => FileRecord | undefined;
  /** A file with this content that was imported, whole or in part. */
  readonly findContent: (sha256: string) => FileRecord | undefined;
  readonly list: () => readonly FileRecord[];
  /** On the disk when it resolves. */
  readonly add: (record: FileRecord) => Promise<void>;
}

const WRITTEN: ReadonlySet<FileState> = new Set(["imported", "rejected", "doubtful"]);

const OWNER_ONLY = 0o600;

/** Makes the file if it is missing. A last line that was cut off by a kill is left out. Throws `ImportError`. */
export async function openImportState(path: string): Promise<ImportState> {
  const fail = (error: unknown): never => {
    throw new ImportError(`the state file ${path} ${toSystemFault(error)}`, { cause: error });
  };
  const handle = await open(path, "a+", OWNER_ONLY).catch(fail);
  const text = await readFile(path, "utf8");
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  const lines = whole.split("\n").slice(0, -1);
  const byFile = new Map<string, FileRecord>();
  for (const [index, line] of lines.entries()) {
    const record = parseRecord(line);
    if (record === undefined) {
      await handle.close();
      throw new ImportError(
        `the state file ${path}: line ${index + 1} is not one of an import: name another, or move it away`,
      );
    }
    byFile.set(record.file, record);
  }
  if (whole.length < text.length) await handle.truncate(Buffer.byteLength(whole)).catch(fail);
  const isDone = ({ state }: FileRecord) => WRITTEN.has(state);
  return {
    get: (file) => byFile.get(file),
    findContent: (sha256) =>
      [...byFile.values()].find((record) => record.sha256 === sha256 && isDone(record)),
    list: () => [...byFile.values()],
    add: async (record) => {
      await handle.write(`${JSON.stringify(record)}\n`).catch(fail);
      await handle.sync().catch(fail);
      byFile.set(record.file, record);
    },
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

function parseRecord(line: string): FileRecord | undefined {
  const parsed = parseJson(line);
  const value = "value" in parsed ? parsed.value : undefined;
  if (!isObject(value)) return undefined;
  const isRecord =
    ["file", "sha256", "by", "at"].every((key) => typeof value[key] === "string") &&
    ["bytes", "modifiedMs", "changedMs"].every((key) => typeof value[key] === "number") &&
    FILE_STATES.some((state) => state === value["state"]) &&
    isLogMark(value["log"] ?? { id: "", seq: 0, hash: "" });
  return isRecord ? (value as unknown as FileRecord) : undefined;
}

const isLogMark = (value: unknown): boolean =>
  isObject(value) &&
  ["id", "hash"].every((key) => typeof value[key] === "string") &&
  typeof value["seq"] === "number";
