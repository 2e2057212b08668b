// Updates an index: reads new data of its folder, or everything again if something was removed.
import { toCallId } from "@call-media/conditions";
import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { DatabaseSync } from "node:sqlite";
import type { ManifestEntry } from "@call-media/handover";
import {
  type SearchedMessage,
  type SearchedRecord,
  toSearched,
  toStoredDigits,
  toTokens,
} from "@call-media/words";
import { openFolder } from "../export/proof/contents.ts";
import { readManifest } from "../export/proof/manifest.ts";
import { parseJson, readLines } from "../export/folder/read.ts";
import { type FolderFiles, readStamp } from "./folder-files.ts";

/** The result of an update. */
export interface Indexed {
  /** Records and transcripts that it read. */
  readonly added: number;
  /** True if some were removed, so that everything was read again. */
  readonly isRebuilt: boolean;
}

export interface UpdateOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (documents: number) => void;
}

/** The facts about the folder that the index stores. */
export interface FolderFacts {
  readonly stamp: string;
  /** Fields that occur in the records. */
  readonly fields: ReadonlySet<string>;
  readonly masked: readonly string[];
  readonly records: number;
  readonly transcripts: number;
  /** Lines and files that do not match the manifest. */
  readonly unreadable: number;
}

const FACTS = `SELECT folder.*, (SELECT count(at) FROM document) AS records,
  (SELECT count(file) FROM document) AS transcripts FROM folder`;

/** Undefined before the first update. */
export function readFacts(index: DatabaseSync): FolderFacts | undefined {
  const row = index.prepare(FACTS).get();
  if (row === undefined) return undefined;
  const toList = (text: unknown) => String(text).split(",").filter(Boolean);
  return {
    stamp: String(row["stamp"]),
    fields: new Set(toList(row["fields"])),
    masked: toList(row["masked"]),
    records: Number(row["records"]),
    transcripts: Number(row["transcripts"]),
    unreadable: Number(row["unreadable"]),
  };
}

/** Undefined if nothing has changed. Writes one transaction, so a kill leaves the index unchanged. */
export async function updateIndex(
  index: DatabaseSync,
  files: FolderFiles,
  options: UpdateOptions,
): Promise<Indexed | undefined> {
  if (readFacts(index)?.stamp === (await readStamp(files))) return undefined;
  index.exec("BEGIN IMMEDIATE");
  try {
    const update = await readFolder(index, files, options);
    // The index stores no text, so the words of a single document cannot be removed.
    const isRebuilt = hasGone(index, update.round);
    if (isRebuilt) clear(index);
    const { added } = isRebuilt ? await readFolder(index, files, options) : update;
    index.exec("COMMIT");
    return { added, isRebuilt };
  } catch (error) {
    // A full disk has already ended the transaction.
    if (index.isTransaction) index.exec("ROLLBACK");
    throw error;
  }
}

function hasGone(index: DatabaseSync, round: number): boolean {
  const gone = index.prepare("SELECT 1 FROM document WHERE round < ? LIMIT 1");
  return gone.get(round) !== undefined;
}

function clear(index: DatabaseSync): void {
  index.exec("DELETE FROM folder; DELETE FROM document");
  index.exec("INSERT INTO words (words) VALUES ('delete-all')");
}

/** The location of a record or a transcript. */
interface Source {
  readonly digest: Uint8Array;
  readonly at: number | null;
  readonly bytes: number | null;
  readonly file: string | null;
}

interface Content {
  readonly call_id: string | null;
  readonly text: string;
}

interface Update {
  readonly round: number;
  added: number;
  unreadable: number;
}

async function readFolder(
  index: DatabaseSync,
  files: FolderFiles,
  { signal, onProgress }: UpdateOptions,
): Promise<Update> {
  const stamp = await readStamp(files);
  const { fields, masked } = { ...readFacts(index) };
  const present = new Set(fields);
  const documents = openDocuments(index);
  const update: Update = { round: documents.round, added: 0, unreadable: 0 };
  let seen = 0;
  const addIfNew = async (source: Source, read: () => Promise<Content | undefined>) => {
    onProgress(++seen);
    if (documents.find(source)) return;
    const content = await read();
    if (content === undefined) update.unreadable++;
    else {
      documents.add(source, content);
      update.added++;
    }
  };
  for await (const { line, source } of readRecords(files.metadata)) {
    signal.throwIfAborted();
    await addIfNew(source, async () => {
      const record = toRecord(line);
      if (record === undefined) return undefined;
      for (const field of Object.keys(record)) present.add(field);
      return { call_id: toCallId(record) ?? null, text: toText(record) };
    });
  }
  let maskedNow = masked ?? [];
  for await (const entry of readManifest(
    openFolder(files.folder.path),
    () => update.unreadable++,
  )) {
    signal.throwIfAborted();
    if (entry.kind === "metadata") maskedNow = entry.redacted;
    const { kind, file } = entry;
    if (kind === "transcript" && file !== null)
      await addIfNew(toSource(entry, file), async () =>
        readTranscript(files.folder.toPath(file), !present.has("transcript")),
      );
  }
  // Earlier versions of records are in the folder, so their words may stay. Without a location they are not found.
  for await (const { source } of readRecords(files.superseded))
    documents.find({ ...source, at: null, bytes: null });
  index.exec("DELETE FROM folder");
  index
    .prepare("INSERT INTO folder (stamp, fields, masked, unreadable) VALUES (?, ?, ?, ?)")
    .run(stamp, [...present].join(","), maskedNow.join(","), update.unreadable);
  return update;
}

/** The documents of one update. Equal lines are separate documents. */
function openDocuments(index: DatabaseSync) {
  const last = index.prepare("SELECT max(n) AS n, max(round) AS round FROM document").get();
  let n = Number(last?.["n"] ?? 0);
  const round = Number(last?.["round"] ?? 0) + 1;
  const claim = index.prepare(
    `UPDATE document SET round = ?, at = ?, bytes = ?, file = ?
    WHERE n = (SELECT n FROM document WHERE digest = ? AND round < ? ORDER BY n LIMIT 1)`,
  );
  const insert = index.prepare(
    "INSERT INTO document (n, digest, round, call_id, at, bytes, file) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  const insertWords = index.prepare("INSERT INTO words (rowid, text) VALUES (?, ?)");
  return {
    round,
    /** True if the index already has it. */
    find: ({ digest, at, bytes, file }: Source) =>
      Number(claim.run(round, at, bytes, file, digest, round).changes) > 0,
    add({ digest, at, bytes, file }: Source, { call_id, text }: Content): void {
      insert.run(++n, digest, round, call_id, at, bytes, file);
      insertWords.run(n, text);
    },
  };
}

/** The lines of a file; none if it does not exist. */
async function* readRecords(file: string) {
  if (!existsSync(file)) return;
  let at = 0;
  for await (const lines of readLines(file))
    for (const { text: line, bytes } of lines) {
      const digest = hash("sha256", line, "buffer");
      yield { line, source: { digest, at, bytes, file: null } satisfies Source };
      at += bytes;
    }
}

const toSource = ({ sha256 }: ManifestEntry, file: string): Source => ({
  digest: Buffer.from(sha256 ?? "", "hex"),
  at: null,
  bytes: null,
  file,
});

/** Undefined if the line is not a record. */
export function toRecord(line: string): object | undefined {
  const record = parseJson(line);
  return typeof record === "object" && record !== null ? record : undefined;
}

const toWritten = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value ?? "").replaceAll('"', "");

/** Undefined if the file is missing or not a transcript. `isSpoken`: true if the records have no transcripts. */
async function readTranscript(path: string, isSpoken: boolean): Promise<Content | undefined> {
  const file = toRecord(await readFile(path, "utf8").catch(() => ""));
  const { call_id, spoken, messages } = (file ?? {}) as Readonly<Record<string, unknown>>;
  if (!Array.isArray(spoken) || !Array.isArray(messages)) return undefined;
  const said = isSpoken ? spoken.map((transcript) => ({ transcript })) : [];
  const written = messages.filter((message) => typeof message === "object" && message !== null);
  return { call_id: toCallId({ call_id }) ?? null, text: toText({}, [...said, ...written]) };
}

/** Separates texts, so that no phrase spans two. No query contains it. */
const BORDER = " ¶ ";

/** Precedes the digits of a number in reverse order, so that its ending can be searched as a prefix. No query contains it. */
export const NUMBER = "№";

/** A file may have any value instead of a text. */
interface UncheckedTexts {
  readonly texts: readonly unknown[];
  readonly numbers: readonly unknown[];
}

/** The tokens of D30, separated by spaces. */
function toText(record: SearchedRecord, messages: readonly SearchedMessage[] = []): string {
  const { texts, numbers }: UncheckedTexts = toSearched(record, messages);
  const words = texts.map((text) =>
    toTokens(toWritten(text))
      .map((token) => token.text)
      .join(" "),
  );
  return [
    ...words,
    ...numbers.map((number) => NUMBER + toReversed(toStoredDigits(toWritten(number)))),
  ].join(BORDER);
}

export const toReversed = (digits: string): string => Array.from(digits).toReversed().join("");
