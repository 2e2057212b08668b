// Finds where a call, a recording or a text still exists, in every place that the archive knows.
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { MEDIA, type MediaPlace, toMediaFile } from "../../media/media-path.ts";
import type { MediaStore } from "../../port/media.ts";
import type {
  Found,
  Trace,
  TracedBackup,
  TracedPart,
  TracedState,
  TraceOf,
} from "../../port/trace.ts";
import { toTraced, traceEntries } from "../../values/traced-entries.ts";
import { toInstantMs } from "../../values/order-key.ts";
import { openAccessOf } from "../access/access-pairing.ts";
import { prepareBig } from "../files/connection.ts";
import { ACCESS_DATABASE, DATABASE, isBackup, toSize } from "../files/database.ts";
import { hasTable } from "../schema/has-column.ts";
import { readSetting } from "../settings.ts";
import { listOwnBackups } from "./backup-ledgers.ts";
import { readManifest } from "./backup-manifest.ts";
import { type OwnLedger, toLedger } from "./ledger.ts";
import { findTaken } from "./taken.ts";
import { findText, type FoundText } from "./find-text.ts";
import { listGenerations } from "./generations.ts";
import { type ArchiveToKeep, openArchiveToKeep, openReadOnly } from "./open-archive.ts";
import { isRecords, listFiles, openToSearch } from "./searched-files.ts";

type Sizes = (contents: readonly MediaPlace[]) => Promise<readonly number[]>;

/** See `Maintenance.trace`. */
export async function trace(archive: OwnLedger, of: TraceOf): Promise<Trace> {
  const { directory, media } = archive;
  using kept = await openArchiveToKeep(directory);
  const { database } = kept;
  const own = { place: toLedger(archive), archiveId: readSetting(database, "archive_id") };
  const entries = await traceEntries(own, of, readSetting(database, "tombstone_key"));
  const sounds = "text" in of ? [] : entries.flatMap((entry) => entry.sounds);
  const sought = { of, sounds, moments: new Array<number>() };
  const here = await findIn(database, sought, createSizes(directory, media));
  const known = listOwnBackups(database, directory);
  const backups = await Promise.all(known.map((place) => traceBackup(place, sought)));
  const read = known.filter((_, index) => backups[index]?.states !== undefined);
  return {
    here,
    erased: findErasure(kept, directory, of),
    entries: entries.map(toTraced),
    backups,
    ...("text" in of
      ? { parts: [], ...(await findInAll([directory, ...read], of.text)) }
      : { files: [], ...(await traceParts(directory, known, sought)) }),
    span: toSpan(sought.moments),
  };
}

async function findInAll(directories: readonly string[], text: string): Promise<FoundText> {
  const found: FoundText[] = [];
  for (const directory of directories) found.push(await findText(directory, text));
  return {
    files: found.flatMap(({ files }) => files),
    unread: found.flatMap(({ unread }) => unread),
  };
}

const toSpan = (moments: readonly number[]): Trace["span"] =>
  moments.length === 0 ? undefined : { fromMs: Math.min(...moments), toMs: Math.max(...moments) };

function findErasure(
  { database, isWritable }: ArchiveToKeep,
  directory: string,
  of: TraceOf,
): Trace["erased"] {
  if (!("callId" in of)) return undefined;
  using access = isWritable
    ? openAccessOf(database, directory)
    : openReadOnly(join(directory, ACCESS_DATABASE));
  return findTaken(database, access, of);
}

interface Sought {
  readonly of: TraceOf;
  /** The contents that were erased with it; they may exist again, or still. */
  readonly sounds: readonly string[];
  /** When the records that were found began. */
  readonly moments: number[];
}

const NOTHING: Found = { records: 0, states: 0, messages: 0, files: 0, bytes: 0 };

async function findIn(database: DatabaseSync, sought: Sought, toSizes: Sizes): Promise<Found> {
  const { of, moments } = sought;
  if ("text" in of) return NOTHING;
  const hasStates = hasTable(database, "version_recording");
  const count = (sql: string, value: string) => Number(database.prepare(sql).get(value)?.["n"]);
  const calls = prepareBig<{ readonly id: bigint }>(
    database,
    `SELECT id FROM call WHERE ${"callId" in of ? "call_id = ?" : OF_CONTENT}`,
  );
  const value = "callId" in of ? of.callId : of.sha256;
  const ids = calls.all(value).map(({ id }) => id);
  moments.push(...ids.flatMap((id) => toInstantMs(id) ?? []));
  const states = "callId" in of ? STATES : STATES_OF_CONTENT;
  const sizes = await toSizes(toPlaces(database, listContents(database, sought, hasStates)));
  return {
    records: ids.length,
    states: hasStates ? count(states, value) : 0,
    messages: "callId" in of ? count(MESSAGES, value) : 0,
    files: sizes.length,
    bytes: sizes.reduce((sum, bytes) => sum + bytes, 0),
  };
}

const OF_CONTENT = "id IN (SELECT call FROM recording WHERE sha256 = ?)";
const STATES = "SELECT count(*) AS n FROM version WHERE kind = 'call' AND name = ?";
const STATES_OF_CONTENT =
  "SELECT count(DISTINCT version) AS n FROM version_recording WHERE sha256 = ?";
const MESSAGES = "SELECT count(*) AS n FROM chat WHERE call_id = ?";

/** The contents that a call names now or named earlier, and those erased with it, unless another call has them. */
function listContents(
  database: DatabaseSync,
  { of, sounds }: Sought,
  hasStates: boolean,
): ReadonlySet<string> {
  if (!("callId" in of)) return new Set("sha256" in of ? [of.sha256] : []);
  const list = (sql: string) =>
    database
      .prepare(sql)
      .all(of.callId)
      .map(({ sha256 }) => String(sha256));
  const others = database.prepare(
    "SELECT 1 FROM recording JOIN call ON call.id = recording.call WHERE sha256 = ? AND call_id IS NOT ?",
  );
  return new Set([
    ...list("SELECT sha256 FROM recording JOIN call ON call.id = call WHERE call_id = ?"),
    ...(hasStates
      ? list(
          "SELECT sha256 FROM version_recording JOIN version ON version.id = version WHERE kind = 'call' AND name = ?",
        )
      : []),
    ...sounds.filter((sha256) => others.get(sha256, of.callId) === undefined),
  ]);
}

/** The sizes of the contents that exist. Recordings in another place are found by its list. */
function createSizes(directory: string, media?: MediaStore): Sizes {
  const folder = join(directory, MEDIA);
  if (media?.ledger === undefined) return async (contents) => await readSizes(folder, contents);
  return async (contents) => {
    const sizes: number[] = [];
    if (contents.length === 0) return sizes;
    const sha256s = new Set(contents.map(({ sha256 }) => sha256));
    for await (const { sha256, bytes } of media.list())
      if (sha256 !== undefined && sha256s.has(sha256)) sizes.push(bytes);
    return sizes;
  };
}

/** A linked file is known as long as a record names it. */
function toPlaces(database: DatabaseSync, sha256s: ReadonlySet<string>): readonly MediaPlace[] {
  const find = database.prepare("SELECT path FROM media WHERE sha256 = ?");
  return [...sha256s].map((sha256) => ({
    sha256,
    location: find.get(sha256)?.["path"]?.toString(),
  }));
}

async function readSizes(
  folder: string,
  contents: readonly MediaPlace[],
): Promise<readonly number[]> {
  const sizes: number[] = [];
  for (const content of contents) {
    const path = toMediaFile(folder, content);
    if (existsSync(path)) sizes.push((await stat(path)).size);
  }
  return sizes;
}

async function traceBackup(place: string, sought: Sought): Promise<TracedBackup> {
  const generations = listGenerations(place);
  const folders = generations.length > 0 ? generations : [place];
  try {
    const states: TracedState[] = [];
    for (const folder of folders) {
      const { createdAt, keepDays } = await readManifest(folder);
      using database = openReadOnly(join(folder, DATABASE));
      const found = await findIn(database, sought, createSizes(folder));
      const goesAt = keepDays === undefined ? undefined : toDayAfter(createdAt, keepDays);
      if (isAny(found)) states.push({ place: folder, createdAt, goesAt, found });
    }
    return { place, states, count: folders.length };
  } catch {
    return { place, states: undefined, count: 0 };
  }
}

/** Searches these directories for records that an interrupted backup or restore has left. */
async function traceParts(
  directory: string,
  backups: readonly string[],
  sought: Sought,
): Promise<Pick<Trace, "parts" | "unread">> {
  const whole = new Set(
    [directory, ...backups.flatMap(listWhole)].map((folder) => join(folder, DATABASE)),
  );
  const [parts, unread]: [TracedPart[], string[]] = [[], []];
  for (const folder of [directory, ...backups.filter((place) => existsSync(place))])
    for (const place of await listFiles(folder, unread)) {
      if (!isRecords(place) || whole.has(place) || toSize(place) === 0) continue;
      try {
        using database = openToSearch(place);
        const found = await findIn(database, sought, createSizes(dirname(place)));
        if (isAny(found)) parts.push({ place, found });
      } catch {
        unread.push(place);
      }
    }
  return { parts, unread };
}

const listWhole = (place: string): readonly string[] => {
  const generations = listGenerations(place);
  return generations.length === 0 && isBackup(place) ? [place] : generations;
};

const isAny = (found: Found): boolean => Object.values(found).some((count) => count > 0);

const toDayAfter = (at: string, days: number) =>
  new Date(Date.parse(at) + days * 86_400_000).toISOString();
