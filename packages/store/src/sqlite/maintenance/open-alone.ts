// Opens an archive to erase from it: no other process fills or copies it, and on a full disk the reserve is used.
import type { DatabaseSync } from "node:sqlite";
import type { OpenOptions } from "../../port/adapter.ts";
import { openDatabase } from "../files/database.ts";
import { lacksRoom } from "../files/full-disk.ts";
import { lockForPurging } from "../files/purge-lock.ts";
import { keepReserve, releaseReserve, RESERVE_BYTES } from "../files/reserve.ts";
import { ARCHIVE_SCHEMA } from "../schema/archive-schema.ts";
import { setTempStore } from "../schema/settle-schema.ts";
import { checkMigratedIn } from "../settings.ts";
import { checkArchive } from "./open-archive.ts";

/** Throws `ArchiveError` while another process fills, copies or erases. */
export function openAlone(
  directory: string,
  { toMigrate = false }: Pick<OpenOptions, "toMigrate"> = {},
): Disposable & { readonly database: DatabaseSync } {
  checkArchive(directory);
  const lock = lockForPurging(directory);
  releaseReserve(directory);
  const end = () => {
    keepReserve(directory);
    lock[Symbol.dispose]();
  };
  try {
    const database = openDatabase(directory);
    if (!toMigrate) checkMigratedIn(database);
    // On disk, the lists would take the room that their rows need.
    if (lacksRoom(directory, SCARCE_BYTES)) setTempStore(database, ARCHIVE_SCHEMA, "MEMORY");
    const close = () => {
      database.close();
      end();
    };
    return { database, [Symbol.dispose]: close };
  } catch (error) {
    end();
    throw error;
  }
}

const SCARCE_BYTES = 4 * RESERVE_BYTES;
