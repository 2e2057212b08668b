// The rows of operators' commands in the access log of an archive that is not open. Works on a full disk too.
import { join } from "node:path";
import { recordNoted } from "../../media/head-note.ts";
import { StoreFault } from "../../port/faults.ts";
import type { MediaStore, OperatorAct } from "../../port/index.ts";
import { openAccessOf, toNotedLog } from "../access/access-pairing.ts";
import { tryUpdateWitness } from "../access/access-witness.ts";
import { appendAct } from "../access/operator-row.ts";
import { ACCESS_DATABASE } from "../files/database.ts";
import { isOfFullDisk } from "../files/full-disk.ts";
import { keepReserve, releaseReserve, toFullText } from "../files/reserve.ts";
import { checkMigratedIn } from "../settings.ts";
import { openArchiveToKeep } from "./open-archive.ts";

export interface RecordedArchive {
  readonly directory: string;
  readonly media: Pick<MediaStore, "notes">;
}

/** See `Maintenance.record`. */
export async function recordCommand(archive: RecordedArchive, act: OperatorAct): Promise<void> {
  const { directory } = archive;
  const isFull = (error: unknown): boolean => {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return isOfFullDisk(cause, join(directory, ACCESS_DATABASE));
  };
  try {
    await record(archive, act);
  } catch (error) {
    if (!isFull(error)) throw error;
    // A command that filled the disk has to log that, and one that frees space has to start.
    releaseReserve(directory);
    await record(archive, act).catch((again: unknown) => {
      throw isFull(again) ? new StoreFault("full", toFullText(directory), { cause: again }) : again;
    });
    keepReserve(directory);
  }
}

async function record({ directory, media }: RecordedArchive, act: OperatorAct): Promise<void> {
  using archive = await openArchiveToKeep(directory);
  if (!archive.isWritable) return;
  checkMigratedIn(archive.database);
  using access = openAccessOf(archive.database, directory);
  await recordNoted(media, toNotedLog(access), () => appendAct(access, act));
  tryUpdateWitness(archive.database, access);
}
