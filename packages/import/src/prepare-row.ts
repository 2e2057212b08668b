// From a row of a source to what the store writes: entries checked, recordings taken in, or the reason why not.
import {
  type ArchiveItem,
  type CallStore,
  type ImportSession,
  type LeftRow,
  MediaRejected,
} from "@call-media/store";
import { toRecordingOrder } from "@call-media/store/values";
import { type Clock, createClock } from "./entry/clock.ts";
import {
  examineRecordings,
  parseMedia,
  takeRecordings,
  toRecordingName,
} from "./entry/media-entry.ts";
import {
  createEntryParser,
  parseAll,
  type ParsedEntry,
  type ParseEntry,
  toFault,
} from "./entry/parse-entry.ts";
import { createRowNumbers } from "./entry/row-numbers.ts";
import type { ReadOptions } from "./formats/format.ts";
import type { ImportOptions } from "./import-options.ts";
import { Faults } from "./faults.ts";
import { isObject } from "./json.ts";
import { createMediaFolder, type MediaFolder } from "./media-folder.ts";
import { RowFault, type RowNotice, type Row } from "./source-row.ts";

export interface PreparedRow {
  readonly file: string;
  readonly line: number;
  readonly raw: string;
  readonly notices: readonly RowNotice[];
  readonly content: Content | { readonly rejected: string };
  /** The digests of its recordings that are in the archive now. */
  readonly taken: readonly string[];
}

/** A row whose entries were read, before it is known what the archive takes of it. */
export interface ParsedRow extends Omit<PreparedRow, "content"> {
  readonly mediaDirectory: string;
  readonly entries: readonly ParsedEntry[];
}

/** See late-rows.ts. */
export interface LateRow {
  readonly late: ParsedRow;
}

interface Content {
  readonly items: readonly ArchiveItem[];
  /** The erased records that come back. */
  readonly restored: readonly ArchiveItem[];
  readonly parsed: ParsedRow;
}

const PART_ERASED = { text: "a part of it was erased before, and stays so" };

const PART_DUE = { text: "a part of it is due by the policy, and was left out" };

const SOUND_ERASED = {
  text: "its recordings were erased before, or are due by the policy, and stay out: it names them",
};

const RESTORED = { text: "it was erased before, and is in the archive again" };

type Options = Pick<ReadOptions, "timeZone"> &
  Pick<ImportOptions, "isLinked" | "missingMedia" | "notSound" | "restoresErased">;

const REPEATED = {
  text: "clocks showed its time twice, as they were put back: the first of the two was taken; an offset behind it would tell",
};

export type Prepare = (row: Row) => Promise<PreparedRow | LateRow>;

interface Complete {
  readonly item: ArchiveItem;
  readonly notices: readonly RowNotice[];
}

export interface RowPreparer {
  readonly ofFile: (file: string, mediaDirectory: string) => Prepare;
  /** `left`: what is left of the row, which may have been judged with others. */
  readonly settle: (row: ParsedRow, left: LeftRow) => Promise<PreparedRow>;
}

export function createRowPreparer(
  store: CallStore,
  session: ImportSession,
  options: Options,
): RowPreparer {
  const { timeZone, restoresErased = false } = options;
  const clock = createClock(timeZone, store.timeZone);
  const parse = createEntryParser(clock);
  const complete = createCompleter(store, options);
  const toReason = createReason(clock, options);

  const settleParsed = async (parsedRow: ParsedRow, left: LeftRow, digests: string[]) => {
    const { entries, mediaDirectory, notices: before, ...source } = parsedRow;
    const choice = choose(entries, left, restoresErased);
    const { isLeft, isSoundless } = choice;
    // No recording of what was erased, or is due, comes back.
    const parsed = entries.map((one) => {
      if (!isLeft(one.item)) return { ...one, media: [] };
      return isSoundless(one) ? withNamesAlone(one, clock) : one;
    });
    const folder = createMediaFolder(mediaDirectory);
    const onTaken = (sha256: string) => void digests.push(sha256);
    const completed = parsed.some(({ media }) => media.length > 0)
      ? await completeAll(parsed.map((one) => complete(one, folder, onTaken)))
      : parsed.map(({ item }): Complete => ({ item, notices: [] }));
    const doubts = entries.flatMap(({ item }) => (isLeft(item) ? listDoubts(item) : []));
    const taken = completed.flatMap((one) => one.notices);
    const notices = [before, choice.notices, doubts, taken].flat();
    const items = completed.map(({ item }) => item);
    return {
      ...source,
      notices,
      content: { items, restored: choice.restored, parsed: parsedRow },
      taken: digests,
    };
  };

  const ofFile = (file: string, mediaDirectory: string): Prepare => {
    const toNumbered = createRowNumbers(clock);
    return async (row) => {
      const { line, raw } = row;
      const reject = async (fault: RowFault) =>
        toRejected({ file, line, raw }, await toReason(fault, mediaDirectory), []);
      if ("reason" in row) return await reject(toFault(row, parse));
      const digests: string[] = [];
      try {
        clock.takeRepeated(); // of a row that was rejected
        const unnumbered = tryAll(row.entries, parse);
        if (unnumbered instanceof RowFault) return await reject(unnumbered);
        const entries = toNumbered(unnumbered, row);
        const notices = [row.notice ?? [], clock.takeRepeated() ? [REPEATED] : []].flat();
        const parsed = { file, mediaDirectory, line, raw, entries, notices, taken: [] };
        const left = await session.leaveOutErased(entries.map(({ item }) => item));
        if (left.due.size + left.dueSound.size > 0) return { late: parsed };
        return await settleParsed(parsed, left, digests);
      } catch (error) {
        return toRejected({ file, line, raw }, toMessage(error), digests);
      }
    };
  };
  const settle = async (row: ParsedRow, left: LeftRow) => {
    const digests = [...row.taken];
    try {
      const { content, ...prepared } = await settleParsed(row, left, digests);
      const items = content.items.map((item, index) =>
        withVerdict(item, left, row.entries[index]?.item ?? item),
      );
      return { ...prepared, content: { ...content, items } };
    } catch (error) {
      return toRejected(row, toMessage(error), digests);
    }
  };
  return { ofFile, settle };
}

/** The entries of a row, or its fault with them. */
function tryAll(entries: readonly unknown[], parse: ParseEntry) {
  try {
    return parseAll(entries, parse);
  } catch (error) {
    if (!(error instanceof RowFault)) throw error;
    return new RowFault(error.faults, entries.filter(isObject));
  }
}

/** Makes the reason of a row with faults in its fields: recordings that could not be taken are named with them. */
function createReason(clock: Clock, { missingMedia, notSound }: Options) {
  return async (fault: RowFault, mediaDirectory: string): Promise<string> => {
    const faults = new Faults();
    const intake = { from: createMediaFolder(mediaDirectory), missing: missingMedia, notSound };
    try {
      faults.add(fault);
      for (const { kind, media } of fault.entries) {
        const isList = kind === "call" && Array.isArray(media);
        const named = isList ? parseMedia(media, clock, new Faults()) : [];
        await examineRecordings(named, intake, faults);
      }
      faults.end();
    } catch (error) {
      return toMessage(error);
    }
    return fault.message;
  };
}

const toRejected = (
  { file, line, raw }: Pick<PreparedRow, "file" | "line" | "raw">,
  rejected: string,
  taken: readonly string[],
): PreparedRow => ({ file, line, raw, notices: [], content: { rejected }, taken });

function toMessage(error: unknown): string {
  if (error instanceof RowFault || error instanceof MediaRejected) return error.message;
  throw error;
}

/** The verdict on the `judged` item, for the item with its recordings: writing must not judge again, by then other rows are there. */
function withVerdict(item: ArchiveItem, left: LeftRow, judged: ArchiveItem): ArchiveItem {
  if (item.kind !== "call" && item.kind !== "chat") return item;
  if (left.due.has(judged)) return { ...item, verdict: "due" };
  return { ...item, verdict: left.dueSound.has(judged) ? "soundless" : "kept" };
}

function createCompleter(
  store: CallStore,
  { isLinked = false, missingMedia, notSound }: Options,
): (entry: ParsedEntry, from: MediaFolder, onTaken: (sha256: string) => void) => Promise<Complete> {
  return async ({ item, media }, from, onTaken) => {
    if (item.kind !== "call") return { item, notices: [] };
    const intake = { from, to: store.media, isLinked, missing: missingMedia, notSound, onTaken };
    const { recordings, missing, notices } = await takeRecordings(media, intake);
    const names = [item.record.recordings, ...missing].filter((name) => name !== null);
    const record =
      missing.length > 0 ? { ...item.record, recordings: names.join("; ") } : item.record;
    return { item: { ...item, record, recordings }, notices };
  };
}

/** What is taken of a row, and the notices about it. */
function choose(entries: readonly ParsedEntry[], left: LeftRow, restoresErased: boolean) {
  const { soundless, due, dueSound } = left;
  const alive = new Set(left.items);
  const isLeft = (item: ArchiveItem) => (restoresErased ? !due.has(item) : alive.has(item));
  const isErasedSound = ({ item, media }: ParsedEntry) => soundless.has(item) && media.length > 0;
  const isSoundless = (one: ParsedEntry) =>
    one.media.length > 0 && (restoresErased ? dueSound : soundless).has(one.item);
  const isRestored = (one: ParsedEntry) =>
    isLeft(one.item) && (!alive.has(one.item) || (isErasedSound(one) && !isSoundless(one)));
  const isErased = ({ item }: ParsedEntry) => !isLeft(item) && !due.has(item);
  const isPart = entries.some(({ item }) => isLeft(item));
  const restored = restoresErased ? entries.filter(isRestored).map(({ item }) => item) : [];
  const notices: readonly RowNotice[] = [
    isPart && entries.some(isErased) ? [PART_ERASED] : [],
    isPart && entries.some(({ item }) => due.has(item)) ? [PART_DUE] : [],
    entries.some(isSoundless) ? [SOUND_ERASED] : [],
    restored.length > 0 ? [RESTORED] : [],
  ].flat();
  return { isLeft, isSoundless, restored, notices };
}

/** A call with the names of its recordings, in the order in which the archive named them, without their files. */
function withNamesAlone({ item, ...entry }: ParsedEntry, clock: Clock): ParsedEntry {
  if (item.kind !== "call") return { item, ...entry };
  const { datetime, recordings } = item.record;
  const instantMs = datetime === null ? undefined : clock.toInstantMs("datetime", datetime);
  const files = toRecordingOrder([{ instantMs, recordings: entry.media }]).map(toRecordingName);
  const others = (recordings?.split("; ") ?? []).filter((name) => !files.includes(name));
  const record = { ...item.record, recordings: [...files, ...others].join("; ") };
  return { ...entry, item: { ...item, record }, media: [] };
}

/** Waits for all of them also where one fails: what is taken in afterwards would be known to nobody. */
async function completeAll(work: readonly Promise<Complete>[]): Promise<readonly Complete[]> {
  await Promise.allSettled(work);
  return await Promise.all(work);
}

/** Lists what a call lacks to be found or heard. */
function listDoubts(item: ArchiveItem): RowNotice[] {
  if (item.kind !== "call") return [];
  const { call_id, datetime, recordings } = item.record;
  return [
    call_id === null ? { text: "a call has no call_id: only searches find it" } : [],
    datetime === null ? { text: "a call has no datetime: no search by days finds it" } : [],
    recordings === null ? [] : { text: "a recording is named without a file: its name was kept" },
  ].flat();
}
