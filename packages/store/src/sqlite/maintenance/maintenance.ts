// Maintenance of an archive in a directory.
import { join } from "node:path";
import { createMediaFolder } from "../../media/media-folder.ts";
import { MEDIA } from "../../media/media-path.ts";
import type {
  CopyOptions,
  Days,
  Forgetter,
  ForgottenAsked,
  LostLog,
  Maintenance,
  MediaStore,
  ReferencedMedia,
} from "../../port/index.ts";
import { acceptLostRows, openAccessOf, replaceLostAccess } from "../access/access-pairing.ts";
import { forgetAskedBefore } from "../access/forget-asked.ts";
import { toBeforeMs } from "../../values/days.ts";
import { appendAct } from "../access/operator-row.ts";
import { guard } from "../faults.ts";
import { openDatabase, isBackup } from "../files/database.ts";
import { openScan, toIdSpan } from "../scan.ts";
import { toNotedSetting, toNotedValue } from "../../values/noted-commands.ts";
import { putSetting, readTimeZone } from "../settings.ts";
import { backUp, restore } from "./backup.ts";
import { discard } from "./discard.ts";
import { listReplaced, readHistory } from "./history.ts";
import { createHolds } from "./holds.ts";
import { createInternals } from "./internals.ts";
import type { ReadRoom } from "./doctor/examine-folder.ts";
import { examine, examineSeals } from "./doctor/examine.ts";
import { comeUp, createLedger, skipLedger } from "./catch-up.ts";
import { createErasure } from "./erase.ts";
import { listGoneSound } from "./erased-sound.ts";
import { openOthers, toNewest } from "./generations.ts";
import { checkArchive, openArchiveToKeep } from "./open-archive.ts";
import { rebuildIndex } from "./rebuild-index.ts";
import { recordCommand } from "./record-command.ts";
import { trace } from "./trace.ts";
import { listReferencedMedia, remember } from "./referenced-media.ts";

interface MaintenanceOptions {
  /** The place of the recordings, unless it is the directory `media`. */
  readonly media?: MediaStore | undefined;
  /** The clock, ms since 1970; for tests. */
  readonly now?: (() => number) | undefined;
  /** The free bytes on the disk of a directory; for tests. */
  readonly readRoom?: ReadRoom | undefined;
}

/** Each operation opens its own connections when it is called. */
export function createMaintenance(
  given: string,
  { media: elsewhere, now, readRoom }: MaintenanceOptions = {},
): Maintenance {
  const directory = toNewest(given);
  const media = elsewhere ?? createMediaFolder(join(directory, MEDIA));
  const maintenance = guard<
    Omit<Maintenance, "holds" | "internals" | "ledger" | "lostLog" | "media">
  >({
    scan: async (options = {}) => {
      await comeUp({ directory, media });
      const { database } = await openArchiveToKeep(directory);
      return openScan(database, directory, options);
    },
    history: async (of) => {
      using archive = await openArchiveToKeep(directory);
      return readHistory(archive.database, of);
    },
    listReplaced: async (callIds) => {
      using archive = await openArchiveToKeep(directory);
      return listReplaced(archive.database, callIds);
    },
    referencedMedia: (days = {}) => openReferencedMedia(directory, days),
    noteVerified: async (verified) => {
      using archive = await openArchiveToKeep(directory);
      // A backup must stay unchanged.
      if (!archive.isWritable) return;
      for (const one of verified) remember(archive.database, one);
    },
    noteDone: async (command, count = 0) => {
      using archive = await openArchiveToKeep(directory);
      if (!archive.isWritable) return;
      const value = toNotedValue({ atMs: Date.now(), count });
      putSetting(archive.database, toNotedSetting(command), value);
    },
    record: (act) => recordCommand({ directory, media }, act),
    discard: (sha256s) => discard({ directory, media }, sha256s),
    ...createErasure(directory, media),
    forgetAsked: async (before, by) => forgetAsked(directory, before, by),
    trace: (of) => trace({ directory, media }, of),
    skipLedger: (operator) => skipLedger({ directory, media }, operator),
    check: (onProgress) =>
      examine(directory, { media: elsewhere, notes: media.notes, onProgress, now, readRoom }),
    checkSeals: async () => (isBackup(directory) ? await examineSeals(directory) : []),
    reindex: (onProgress) => rebuildIndex(directory, onProgress),
    // Recordings elsewhere are copied with the tools of that place.
    ...(elsewhere === undefined && {
      snapshot: (to: string, options: CopyOptions = {}) =>
        backUp({ from: directory, to, ...options }),
      restore: (from: string, options: CopyOptions = {}) =>
        restore({ ...options, from: toNewest(from), to: given }),
    }),
  });
  return {
    media,
    internals: guard(createInternals(directory)),
    holds: guard(createHolds({ directory, media })),
    ...maintenance,
    ledger: createLedger({ directory, media }),
    lostLog: guard(createLostLog(directory, media)),
  };
}

function forgetAsked(
  directory: string,
  before: string,
  { operator, isDryRun = false }: Forgetter,
): ForgottenAsked {
  checkArchive(directory);
  using archive = openDatabase(directory);
  const beforeMs = toBeforeMs(before, readTimeZone(archive));
  using access = openAccessOf(archive, directory);
  if (!isDryRun)
    appendAct(access, {
      operation: "audit forget",
      operator,
      asked: { before },
      outcome: "done",
    });
  return forgetAskedBefore(access, beforeMs, { isDryRun });
}

function createLostLog(directory: string, media: MediaStore): LostLog {
  const open = () => {
    checkArchive(directory);
    return openDatabase(directory);
  };
  return {
    beginAnew: async (operator) => {
      using archive = open();
      replaceLostAccess(archive, directory, (access) =>
        appendAct(access, { operation: "audit begin-anew", operator, asked: {}, outcome: "done" }),
      );
    },
    acceptLoss: async (operator) => {
      using archive = open();
      return await acceptLostRows({ archive, directory, media }, (access, lost) =>
        appendAct(access, {
          operation: "audit accept-loss",
          operator,
          asked: { lost },
          outcome: "done",
        }),
      );
    },
  };
}

async function openReferencedMedia(
  directory: string,
  { isCurrent = false, ...days }: Days & { readonly isCurrent?: boolean },
): Promise<ReferencedMedia> {
  const archive = await openArchiveToKeep(directory);
  try {
    const { database } = archive;
    const span = toIdSpan(days, readTimeZone(database));
    const isWhole = days.fromDay === undefined && days.toDay === undefined;
    const isCopy = isBackup(directory);
    const without = isCopy ? await listGoneSound(database, directory) : [];
    const others = openOthers(directory);
    const listed = listReferencedMedia(database, span, {
      hasEarlier: isWhole && !isCurrent,
      without,
      isOfOthers: others.has,
    });
    return {
      files: listed.files,
      bytes: listed.bytes,
      has: (sha256) => listed.has(sha256),
      async *[Symbol.asyncIterator]() {
        yield* listed;
      },
      [Symbol.asyncDispose]: async () => {
        others[Symbol.dispose]();
        archive[Symbol.dispose]();
      },
    };
  } catch (error) {
    archive[Symbol.dispose]();
    throw error;
  }
}
