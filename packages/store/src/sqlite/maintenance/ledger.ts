// The ledger of an archive in a directory.
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { createLedgerFolder, LEDGER } from "../../media/ledger-folder.ts";
import type { LedgerHead, LedgerPlace } from "../../port/ledger.ts";
import type { MediaStore } from "../../port/media.ts";
import { type Behind, parseHead, readBehind, toHeadText } from "../../values/ledger.ts";
import {
  createLedgerWriter as createWriter,
  type LedgerWriter,
  NO_OPERATOR,
} from "../../values/ledger-notes.ts";
import { isNothing } from "../../values/owed-marks.ts";
import { ERASURES } from "../erase-batches.ts";
import { openDatabase } from "../files/database.ts";
import { findSetting, putSetting, readSetting } from "../settings.ts";
import { createTombstones } from "../tombstones.ts";
import { inLongTransaction } from "./ledger-holds.ts";
import { listMarks } from "./owed.ts";

export interface OwnLedger {
  readonly directory: string;
  readonly media: MediaStore;
}

/** The ledger that belongs to the place of the recordings, if that has one. */
export const toLedger = ({ directory, media }: OwnLedger): LedgerPlace =>
  media.ledger ?? createLedgerFolder(join(directory, LEDGER));

/** With the identifier of the archive. */
export const toOwn = (database: DatabaseSync, archive: OwnLedger) => ({
  place: toLedger(archive),
  archiveId: readSetting(database, "archive_id"),
  directory: archive.directory,
});

type Own = ReturnType<typeof toOwn>;

export const readHead = (database: DatabaseSync): LedgerHead =>
  parseHead(findSetting(database, ERASURES));

/** Call it when nothing is left of what the entries up to this one name. */
export const putHead = (database: DatabaseSync, head: LedgerHead): void =>
  putSetting(database, ERASURES, toHeadText(head));

/** The entries that the archive has not applied. Throws as `readBehind` does. */
export const readNew = (database: DatabaseSync, archive: OwnLedger): Promise<Behind> =>
  readBehind(toOwn(database, archive), readHead(database));

/** Store its head with `putHead` when the archive has applied it. */
export const createLedgerWriter = (
  database: DatabaseSync,
  own: Pick<Own, "place" | "archiveId">,
): LedgerWriter =>
  createWriter(own, {
    head: readHead(database),
    listBefore: () => ({
      marks: createTombstones(database).list(),
      owed: listMarks(database),
    }),
  });

/**
 * Writes into a ledger without entries what an earlier version has erased and owes, so that a restore of an earlier backup knows it. Returns
 * false if there is nothing to write.
 */
export async function tellBefore(database: DatabaseSync, own: Own): Promise<boolean> {
  if (!(await isUntold(database, own))) return false;
  // Reads of the service may share the given connection.
  using alone = openDatabase(own.directory);
  return await inLongTransaction(alone, async () => {
    if (!(await isUntold(alone, own))) return false;
    const writer = createLedgerWriter(alone, own);
    await writer.tellBefore(NO_OPERATOR);
    putHead(alone, writer.head());
    return true;
  });
}

async function isUntold(database: DatabaseSync, { place }: Own): Promise<boolean> {
  if (readHead(database).number > 0) return false;
  if (createTombstones(database).isEmpty() && isNothing(listMarks(database))) return false;
  return (await place.list()).length === 0;
}
