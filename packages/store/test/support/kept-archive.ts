// An archive with recordings for tests of what keeps it safe, and the files behind them.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { CallStore, Recording } from "../../src/index.ts";
import { createStore } from "../../src/sqlite/sqlite-store.ts";
import { createArchive, createFolder } from "./archives.ts";
import { call, fill } from "../../src/suite/records.ts";

export interface KeptArchive {
  readonly store: CallStore;
  readonly directory: string;
  /** The file of the recording of the call with this id. */
  readonly fileOf: (callId: string) => Promise<string>;
}

/** Calls with these ids, each with a recording that has the id as its content, of a format without a header, and `<id>.ulaw` as its name. */
export async function createKeptArchive(...callIds: readonly string[]): Promise<KeptArchive> {
  const { directory, ...store } = await createArchive();
  await addCalls(store, callIds);
  return { store, directory, fileOf: (callId) => findFile(store, directory, callId) };
}

/** The same, closed: nothing of it is in a log or in memory. Gives its folder. */
export async function createClosedArchive(...callIds: readonly string[]): Promise<string> {
  const directory = await createFolder();
  await using store = await createStore({ directory });
  await addCalls(store, callIds);
  return directory;
}

/** An archive with a call of this id, whose recording is linked: it stays at `path`. */
export async function createLinkedArchive(callId: string) {
  const { directory, ...store } = await createArchive();
  const path = join(await createFolder(), `${callId}.ulaw`);
  await writeFile(path, callId);
  const media = await store.media.link?.({ path });
  if (media === undefined) throw new Error("an archive in a folder links recordings");
  const recordings = [{ filename: `${callId}.ulaw`, media }];
  await fill(store, [call({ call_id: callId, datetime: "2025-05-01T10:00:00Z" }, { recordings })]);
  return { directory, store, path };
}

/** Writes nonsense over the first page of an index, as a failing disk would. */
export async function damageIndex(file: string, index: string): Promise<void> {
  const bytes = await readFile(file);
  const pageBytes = bytes.readUInt16BE(16); // https://sqlite.org/fileformat2.html, section 1.3.2
  const page = findRootPage(file, index);
  bytes.fill(0xff, (page - 1) * pageBytes + 100, page * pageBytes);
  await writeFile(file, bytes);
}

function findRootPage(file: string, name: string): number {
  using database = new DatabaseSync(file, { readOnly: true });
  const find = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?");
  return Number(find.get(name)?.["rootpage"]);
}

export async function addCalls(store: CallStore, callIds: readonly string[]): Promise<void> {
  const toRecording = async (callId: string): Promise<Recording> => ({
    filename: `${callId}.ulaw`,
    media: await store.media.put({ name: `${callId}.ulaw`, content: Buffer.from(callId) }),
  });
  const datetime = "2025-05-01T10:00:00Z";
  for (const callId of callIds) {
    const recordings = [await toRecording(callId)];
    await fill(store, [call({ call_id: callId, ref_id: `r-${callId}`, datetime }, { recordings })]);
  }
}

export async function findFile(
  store: CallStore,
  directory: string,
  callId: string,
): Promise<string> {
  const [recording] = await store.calls.recordings({ callId }, "everything");
  const sha256 = recording?.media.sha256 ?? "";
  return join(directory, "media", sha256.slice(0, 2), sha256);
}
