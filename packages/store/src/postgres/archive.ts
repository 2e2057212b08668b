// Opens an archive in PostgreSQL.
import { claiming } from "../media/claim.ts";
import { ArchiveError } from "../port/faults.ts";
import type { MediaStore } from "../port/media.ts";
import type { ReplicaPlace } from "../port/replica.ts";
import { type Connections, openConnections } from "./connection.ts";
import { checkVersion, readVersion } from "./schema/settle-schema.ts";
import { readSettings, type Settings } from "./settings.ts";

/** The addresses of an archive. */
export interface PostgresPlaces {
  /** A postgres://user@host/database address. */
  readonly address: string;
  readonly media: MediaStore;
  readonly replica?: ReplicaPlace | undefined;
}

/** The connections and settings that each part of an open archive uses. */
export interface Archive extends Connections {
  readonly settings: Settings;
  readonly media: MediaStore;
}

/** The identifier of the access log. */
export const toLogId = ({ accessId, archiveId }: Settings): string => accessId || archiveId;

/** PgBouncer refuses this setting from a program, and a role may have a non-default value. */
async function checkSettings({ ask }: Connections["write"]): Promise<void> {
  const [row] = await ask<{ digits: number; role: string }>(
    "SELECT current_setting('extra_float_digits')::int4 AS digits, current_user::text AS role",
  );
  if (row === undefined || row.digits >= 0) return;
  throw new ArchiveError(
    `by the settings of the role ${row.role} numbers are rounded (extra_float_digits is ${row.digits}): ALTER ROLE ${row.role} RESET extra_float_digits, also where it is set for the database`,
  );
}

/** Throws `ArchiveError` if the archive is missing, or if this version cannot use it. */
export async function openArchive({ address, media }: PostgresPlaces): Promise<Archive> {
  const connections = openConnections(address);
  try {
    checkVersion(await readVersion(connections.write));
    await checkSettings(connections.write);
    const settings = await readSettings(connections.write);
    return { ...connections, settings, media: claiming(media, () => settings.archiveId) };
  } catch (error) {
    await connections[Symbol.asyncDispose]();
    throw error;
  }
}
