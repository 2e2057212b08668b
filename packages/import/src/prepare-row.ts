// From a row of a source to what the store writes: entries checked, recordings taken in, or the reason why not.
import {
  type ArchiveItem,
  type CallStore,
  type ImportSession,
  MediaRejected,
} from "@call-media/store";
import { toRecordingOrder } from "@call-media/store/values";
import { type Clock, createClock } from "./entry/clock.ts";
import { takeRecordings, toRecordingName } from "./entry/media-entry.ts";
import { createEntryParser, type ParsedEntry } from "./entry/parse-entry.ts";
import { createRowNumbers } from "./entry/row-numbers.ts";
import type { ReadOptions } from "./formats/format.ts";
import type { ImportOptions } from "./import-options.ts";
import { createMediaFolder } from "./media-folder.ts";
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

interface Content {
  readonly items: readonly ArchiveItem[];
  /** The erased records that come back. */
  readonly restored: readonly ArchiveItem[];
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

export type Prepare = (row: Row) => Promise<PreparedRow>;

interface Complete {
  readonly item: ArchiveItem;
  readonly notices: readonly RowNotice[];
}

export function createRowPreparer(
  store: CallStore,
  session: ImportSession,
  { timeZone, isLinked = false, missingMedia, notSound, restoresErased = false }: Options,
) {
  const clock = createClock(timeZone, store.timeZone);
  const parse = createEntryParser(clock);

  return (file: string, mediaDirectory: string): Prepare => {
    const toNumbered = createRowNumbers(clock);
    const folder = createMediaFolder(mediaDirectory);
    const intake = { from: folder, to: store.media, isLinked, missing: missingMedia, notSound };
    const toComplete = (onTaken: (sha256: string) => void) => (entry: ParsedEntry) =>
      complete(entry, onTaken);
    const complete = async (
      { item, media }: ParsedEntry,
      onTaken: (sha256: string) => void,
    ): Promise<Complete> => {
      if (item.kind !== "call") return { item, notices: [] };
      const { recordings, missing, notices } = await takeRecordings(media, { ...intake, onTaken });
      const names = [item.record.recordings, ...missing].filter((name) => name !== null);
      const record =
        missing.length > 0 ? { ...item.record, recordings: names.join("; ") } : item.record;
      return { item: { ...item, record, recordings }, notices };
    };

    return async (row) => {
      const { line, raw } = row;
      const digests: string[] = [];
      const reject = (rejected: string) => ({
        file,
        line,
        raw,
        notices: [],
        content: { rejected },
        taken: digests,
      });
      if ("reason" in row) return reject(row.reason);
      try {
        clock.takeRepeated(); // of a row that was rejected
        const entries = toNumbered(row.entries.map(parse), row);
        const repeated = clock.takeRepeated() ? [REPEATED] : [];
        const given = entries.map(({ item }) => item);
        const { items: kept, soundless, due } = await session.leaveOutErased(given);
        const alive = new Set(kept);
        const isSoundless = ({ item, media }: ParsedEntry) =>
          soundless.has(item) && media.length > 0;
        const wanted = given.filter((item) => !due.has(item));
        const left = restoresErased ? new Set(wanted) : alive;
        // No recording of what was erased comes back.
        const parsed = entries.map((one) => {
          if (!left.has(one.item)) return { ...one, media: [] };
          return restoresErased || !isSoundless(one) ? one : withNamesAlone(one, clock);
        });
        const completed = parsed.some(({ media }) => media.length > 0)
          ? await completeAll(parsed.map(toComplete((sha256) => void digests.push(sha256))))
          : parsed.map(({ item }): Complete => ({ item, notices: [] }));
        const isErased = ({ item }: ParsedEntry) => !left.has(item) && !due.has(item);
        const isPart = left.size > 0;
        const part = isPart && entries.some(isErased) ? [PART_ERASED] : [];
        const partDue = isPart && due.size > 0 ? [PART_DUE] : [];
        const silent = !restoresErased && entries.some(isSoundless) ? [SOUND_ERASED] : [];
        const doubts = entries.flatMap(({ item }) => (left.has(item) ? listDoubts(item) : []));
        const taken = completed.flatMap((one) => one.notices);
        const items = completed.map(({ item }) => item);
        const isRestored = (one: ParsedEntry) =>
          left.has(one.item) && (!alive.has(one.item) || isSoundless(one));
        const restored = restoresErased ? entries.filter(isRestored).map(({ item }) => item) : [];
        const back = restored.length > 0 ? [RESTORED] : [];
        const notices = [
          row.notice ?? [],
          repeated,
          part,
          partDue,
          silent,
          back,
          doubts,
          taken,
        ].flat();
        return { file, line, raw, notices, content: { items, restored }, taken: digests };
      } catch (error) {
        if (error instanceof RowFault || error instanceof MediaRejected)
          return reject(error.message);
        throw error;
      }
    };
  };
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
