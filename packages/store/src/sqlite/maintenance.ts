// Maintenance of an archive in a folder.
import { join } from "node:path";
import { acceptLostAccessRows, beginAccessLogAnew } from "../keeping/access-decisions.ts";
import { backUp, restore } from "../keeping/backup.ts";
import { examine } from "../keeping/doctor/examine.ts";
import { openArchiveToKeep } from "../keeping/open-archive.ts";
import { planPurge, purge } from "../keeping/purge.ts";
import { rebuildIndex } from "../keeping/rebuild-index.ts";
import { listReferencedMedia } from "../keeping/referenced-media.ts";
import { remember } from "../keeping/verify-media.ts";
import { createMediaFolder } from "../media/media-folder.ts";
import { MEDIA } from "../media/media-path.ts";
import type { Days, Maintenance, ReferencedMedia } from "../port/index.ts";
import { guard } from "./faults.ts";
import { openScan, toIdSpan } from "./scan.ts";
import { readSetting } from "./settings.ts";

/** Nothing is opened before it is asked for, and everything on connections of its own. */
export function createMaintenance(directory: string): Maintenance {
  const lostLog = guard({
    beginAnew: async (operator: string) => beginAccessLogAnew({ directory, operator }),
    acceptLoss: async (operator: string) => acceptLostAccessRows({ directory, operator }),
  });
  const maintenance = guard<Omit<Maintenance, "lostLog" | "media">>({
    scan: async (options = {}) => {
      const { database } = await openArchiveToKeep(directory);
      return openScan(database, directory, options);
    },
    referencedMedia: (days = {}) => openReferencedMedia(directory, days),
    noteVerified: async (media) => {
      using archive = await openArchiveToKeep(directory);
      // A backup stays as it is.
      if (!archive.isWritable) return;
      for (const { sha256, version = "" } of media) remember(archive.database, sha256, version);
    },
    planErasure: (filter) => planPurge({ directory, filter }),
    erase: async (filter, by) => {
      const { isScrubbed, ...report } = await purge({ directory, filter, ...by });
      return { ...report, isComplete: isScrubbed };
    },
    check: (onProgress) => examine(directory, { onProgress }),
    reindex: (onProgress) => rebuildIndex({ directory, onProgress }),
    snapshot: (to, options) => backUp({ from: directory, to, ...options }),
    restore: (from, options) => restore({ from, to: directory, ...options }),
  });
  return { media: createMediaFolder(join(directory, MEDIA)), ...maintenance, lostLog };
}

async function openReferencedMedia(directory: string, days: Days): Promise<ReferencedMedia> {
  const archive = await openArchiveToKeep(directory);
  try {
    const { database } = archive;
    const listed = listReferencedMedia(
      database,
      toIdSpan(days, readSetting(database, "time_zone")),
    );
    return {
      files: listed.files,
      bytes: listed.bytes,
      has: (sha256) => listed.has(sha256),
      async *[Symbol.asyncIterator]() {
        yield* listed;
      },
      [Symbol.asyncDispose]: async () => archive[Symbol.dispose](),
    };
  } catch (error) {
    archive[Symbol.dispose]();
    throw error;
  }
}
