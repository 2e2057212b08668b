// An exported folder that can be searched: its index, brought up to date, and the records that it leads to.
import { existsSync, readSync } from "node:fs";
import { type FileHandle, readFile } from "node:fs/promises";
import type { DatabaseSync } from "node:sqlite";
import type { CallRecord } from "@call-media/client";
import type { Query } from "@call-media/words";
import { parseJson } from "../export/folder/read.ts";
import { findFiles, type FolderFiles, openMetadata, readStamp } from "./folder-files.ts";
import { IN_MEMORY, isWritable, openIndex, toIndexFailure } from "./index-file.ts";
import {
  type FolderFacts,
  type Indexed,
  readFacts,
  toRecord,
  updateIndex,
  type UpdateOptions,
} from "./update-index.ts";
import { type Condition, toCondition } from "./words-condition.ts";

export interface SearchedFolder extends FolderFacts, AsyncDisposable {
  /** In the order of the metadata, some at a time. Undefined: all. */
  readonly find: (query: Query | undefined) => Generator<readonly CallRecord[]>;
  readonly findCall: (call_id: string) => readonly CallRecord[];
  /** The messages of a call, a line each. */
  readonly readChatText: (call_id: string) => Promise<string>;
}

interface Options extends UpdateOptions {
  /** Called if the index had to be made or brought up to date. */
  readonly onUpdate: (indexed: Indexed, path: string) => void;
}

/** @throws UsageError if the export is missing or not finished; CommandFailure without SQLite. */
export async function openFolder(path: string, options: Options): Promise<SearchedFolder> {
  const files = findFiles(path);
  for (;;) {
    const index = await openUpdated(files, options);
    const facts = readFacts(index);
    const metadata = facts && (await openMetadata(files, facts.stamp));
    if (facts !== undefined && metadata !== undefined)
      return toFolder(files, { index, facts, metadata });
    index.close(); // a sync has ended in between
  }
}

interface Opened {
  readonly index: DatabaseSync;
  readonly facts: FolderFacts;
  readonly metadata: FileHandle;
}

function toFolder(files: FolderFiles, { index, facts, metadata }: Opened): SearchedFolder {
  const read = (condition: Condition) => readRecords(index, metadata, condition);
  return {
    ...facts,
    find: (query) => read(query === undefined ? ALL : toCondition(query)),
    findCall: (call_id) => [...read({ sql: "call_id = ?", values: [call_id] })].flat(),
    async readChatText(call_id) {
      const listed = index
        .prepare("SELECT file FROM document WHERE call_id = ? AND file IS NOT NULL")
        .all(call_id);
      const paths = listed.map(({ file }) => files.folder.toPath(String(file)));
      return (await Promise.all(paths.map(readMessages))).flat().join("\n");
    },
    async [Symbol.asyncDispose]() {
      index.close();
      await metadata.close();
    },
  };
}

/** Uses the index file of a read-only folder if it is up to date. Otherwise builds one in memory, for this search. */
async function openUpdated(files: FolderFiles, options: Options): Promise<DatabaseSync> {
  const isWritten = isWritable(files.folder.path);
  const there = isWritten ? undefined : await findReadable(files);
  if (there !== undefined) return there;
  const path = isWritten ? files.index : IN_MEMORY;
  const index = await openIndex(path);
  try {
    const indexed = await updateIndex(index, files, options);
    if (indexed !== undefined) options.onUpdate(indexed, path);
    return index;
  } catch (error) {
    index.close();
    throw toIndexFailure(error, path);
  }
}

async function findReadable(files: FolderFiles): Promise<DatabaseSync | undefined> {
  if (!existsSync(files.index)) return undefined;
  const index = await openIndex(files.index, true).catch(() => undefined);
  if (index !== undefined && readFacts(index)?.stamp === (await readStamp(files))) return index;
  index?.close();
  return undefined;
}

const ALL: Condition = { sql: "TRUE", values: [] };

/** Records at a time: few enough for Ctrl-C to be heard. */
const BATCH = 200;

function* readRecords(
  index: DatabaseSync,
  metadata: FileHandle,
  { sql, values }: Condition,
): Generator<readonly CallRecord[]> {
  const select = `SELECT at, bytes FROM document WHERE at IS NOT NULL AND ${sql} ORDER BY at`;
  const places = index.prepare(select).all(...values);
  for (let from = 0; from < places.length; from += BATCH)
    yield places.slice(from, from + BATCH).flatMap(({ at, bytes }) => {
      const buffer = Buffer.alloc(Number(bytes));
      readSync(metadata.fd, buffer, { position: Number(at) });
      return (toRecord(buffer.toString()) as CallRecord | undefined) ?? [];
    });
}

async function readMessages(path: string): Promise<readonly string[]> {
  const { messages } = Object(parseJson(await readFile(path, "utf8").catch(() => "")));
  const texts = Array.isArray(messages) ? messages : [];
  return texts.map((message) => String(Object(message).transcript ?? ""));
}
