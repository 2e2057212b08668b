// An exported folder that can be searched: its updated index, and the records that it refers to.
import { existsSync, readSync } from "node:fs";
import { type FileHandle, readFile } from "node:fs/promises";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { CallRecord } from "@call-media/client";
import { REPORT, type Report } from "@call-media/handover";
import type { Query } from "@call-media/words";
import { parseJson } from "../export/folder/read.ts";
import { openFolder as openContents } from "../export/proof/contents.ts";
import { isListable, readManifest } from "../export/proof/manifest.ts";
import { CommandFailure } from "../failures/command-failure.ts";
import { isTimeZone } from "../search/time-zones.ts";
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
  /** In the order of the metadata, in batches. Undefined: all. */
  readonly find: (query: Query | undefined) => Generator<readonly CallRecord[]>;
  readonly findCall: (call_id: string) => readonly CallRecord[];
  /** The messages of a call, one per line; undefined if the export lacks them. */
  readonly readChatText: (call_id: string) => Promise<string | undefined>;
  /** From the report of the export. */
  readonly archiveTimeZone: string | undefined;
}

interface Options extends UpdateOptions {
  /** Called if the index was created or updated. */
  readonly onUpdate: (indexed: Indexed, path: string) => void;
}

/** @throws UsageError if the export is missing or not finished; CommandFailure without SQLite. */
export async function openFolder(path: string, options: Options): Promise<SearchedFolder> {
  const files = findFiles(path);
  for (;;) {
    const { index, facts } = await openUpdated(files, options);
    const metadata = facts && (await openMetadata(files, facts.stamp));
    if (facts !== undefined && metadata !== undefined)
      return toFolder(files, {
        index,
        facts,
        metadata,
        report: await readReport(files),
      });
    index.close(); // a sync has ended in between
  }
}

interface Updated {
  readonly index: DatabaseSync;
  readonly facts: FolderFacts | undefined;
}

/** Searching does not need the report, which may come from any program. */
async function readReport({ folder }: FolderFiles) {
  const report = parseJson(await readFile(folder.toPath(REPORT), "utf8").catch(() => ""));
  const { archiveTimeZone: zone, kinds } = Object(report) as Partial<Report>;
  return {
    archiveTimeZone: typeof zone === "string" && isTimeZone(zone) ? zone : undefined,
    kinds: Array.isArray(kinds) ? kinds : undefined,
  };
}

/** Calls whose chat should be in the export and is missing. */
async function findLostChats({ folder }: FolderFiles): Promise<ReadonlySet<string>> {
  const lost = new Set<string>();
  for await (const { kind, status, call_id } of readManifest(openContents(folder.path), () => {}))
    if (kind === "transcript" && status !== "complete") lost.add(call_id ?? "");
  return lost;
}

interface Opened extends Updated {
  readonly facts: FolderFacts;
  readonly metadata: FileHandle;
  readonly report: Awaited<ReturnType<typeof readReport>>;
}

function toFolder(files: FolderFiles, { index, facts, metadata, report }: Opened): SearchedFolder {
  const hasChats = report.kinds?.includes("transcripts") ?? facts.transcripts > 0;
  let lost: ReturnType<typeof findLostChats> | undefined;
  // Another search may have updated the index meanwhile, for files of a later sync.
  const select = (columns: string, { sql, values }: Condition) => {
    try {
      const rows = index.prepare(`SELECT ${columns} FROM document WHERE ${sql}`).all(...values);
      const now = index.prepare("SELECT stamp FROM folder").get();
      if (now?.["stamp"] !== facts.stamp) throw toChanged(files.folder.path);
      return rows;
    } catch (error) {
      throw toIndexFailure(error, files.index);
    }
  };
  const read = ({ sql, values }: Condition) => {
    const places = select("at, bytes", { sql: `at IS NOT NULL AND ${sql} ORDER BY at`, values });
    return readRecords(files, metadata, places);
  };
  return {
    ...facts,
    archiveTimeZone: report.archiveTimeZone,
    find: (query) => read(query === undefined ? ALL : toCondition(query)),
    findCall: (call_id) => [...read({ sql: "call_id = ?", values: [call_id] })].flat(),
    async readChatText(call_id) {
      lost ??= findLostChats(files);
      if (!hasChats || (await lost).has(call_id)) return undefined;
      const listed = select("file", {
        sql: "call_id = ? AND file IS NOT NULL",
        values: [call_id],
      });
      const paths = listed
        .map(({ file }) => String(file))
        .filter(isListable)
        .map(files.folder.toPath);
      const messages = await Promise.all(paths.map(readMessages));
      return messages.includes(undefined) ? undefined : messages.flat().join("\n");
    },
    async [Symbol.asyncDispose]() {
      index.close();
      await metadata.close();
    },
  };
}

/** Uses the index file of a read-only folder if it is up to date. Otherwise builds one in memory, for this search. */
async function openUpdated(files: FolderFiles, options: Options): Promise<Updated> {
  const isWritten = isWritable(files.folder.path);
  const there = isWritten ? undefined : await findReadable(files);
  if (there !== undefined) return there;
  const path = isWritten ? files.index : IN_MEMORY;
  const index = await openIndex(path);
  try {
    const indexed = await updateIndex(index, files, options);
    if (indexed !== undefined) options.onUpdate(indexed, path);
    return { index, facts: readFacts(index) };
  } catch (error) {
    index.close();
    throw toIndexFailure(error, path);
  }
}

async function findReadable(files: FolderFiles): Promise<Updated | undefined> {
  if (!existsSync(files.index)) return undefined;
  const index = await openIndex(files.index, true).catch(() => undefined);
  if (index === undefined) return undefined;
  try {
    const facts = readFacts(index);
    if (facts?.stamp === (await readStamp(files))) return { index, facts };
  } catch {
    // It is damaged, so an index in memory is used.
  }
  index.close();
  return undefined;
}

const ALL: Condition = { sql: "TRUE", values: [] };

/** Records per batch: few enough to react to Ctrl-C. */
const BATCH = 200;

function* readRecords(
  { folder }: FolderFiles,
  metadata: FileHandle,
  places: ReturnType<StatementSync["all"]>,
): Generator<readonly CallRecord[]> {
  for (let from = 0; from < places.length; from += BATCH)
    yield places.slice(from, from + BATCH).map(({ at, bytes }) => {
      const buffer = Buffer.alloc(Number(bytes));
      readSync(metadata.fd, buffer, { position: Number(at) });
      const record = toRecord(buffer.toString());
      if (record === undefined) throw toChanged(folder.path);
      return record as CallRecord;
    });
}

const toChanged = (path: string) => new CommandFailure(`${path} changed meanwhile: search again`);

/** Undefined if the file cannot be read. */
async function readMessages(path: string): Promise<readonly string[] | undefined> {
  const { messages } = Object(parseJson(await readFile(path, "utf8").catch(() => "")));
  if (!Array.isArray(messages)) return undefined;
  return messages.map((message) => String(Object(message).transcript ?? ""));
}
