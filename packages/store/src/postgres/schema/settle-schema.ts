// The version of the tables. Setting an archive up creates or upgrades them; opening one checks their version.
import { ArchiveError } from "../../port/faults.ts";
import type { Pool } from "../connection.ts";
import { hasCode } from "../faults.ts";
import { lockSchema } from "../locks.ts";
import { MIGRATIONS } from "./migrations.ts";

interface Version {
  readonly version: number;
  readonly readable_since: number;
}

const CURRENT = MIGRATIONS.at(-1)?.version ?? 0;

/** Undefined if the tables do not exist. */
export async function readVersion({ ask }: Pick<Pool, "ask">): Promise<Version | undefined> {
  const select = "SELECT version, readable_since FROM schema_version";
  try {
    return (await ask<Version>(select))[0];
  } catch (error) {
    if (hasCode(error, "42P01")) return undefined;
    throw error;
  }
}

/** Creates the tables, or upgrades them to this version, once for all parallel callers. Throws `ArchiveError`. */
export async function migrate(pool: Pool): Promise<void> {
  const found = await readVersion(pool);
  if (found !== undefined && found.version >= CURRENT) return checkVersion(found);
  await pool.transact(
    async (transaction) => {
      await lockSchema(transaction);
      await transaction.ask(
        "CREATE TABLE IF NOT EXISTS schema_version (version int4 NOT NULL, readable_since int4 NOT NULL)",
      );
      // Read again while holding the lock: another program may have been faster.
      const known = (await readVersion(transaction))?.version ?? 0;
      for (const { version, readableSince, sql } of MIGRATIONS) {
        if (version <= known) continue;
        await transaction.run(sql);
        await transaction.ask("DELETE FROM schema_version");
        await transaction.ask("INSERT INTO schema_version VALUES ($1::int4, $2::int4)", [
          version,
          readableSince,
        ]);
      }
    },
    { isLong: true },
  );
}

/** Throws `ArchiveError` for tables that this program cannot use. */
export function checkVersion(found: Version | undefined): void {
  if (found === undefined)
    throw new ArchiveError(
      `there is no archive in this database: make one with "call-media-server setup"`,
    );
  if (found.version < CURRENT)
    throw new ArchiveError(
      `the archive has tables of version ${found.version}, and this program uses ${CURRENT}: run "call-media-server setup"`,
    );
  if (found.readable_since > CURRENT)
    throw new ArchiveError(
      `the archive has tables of version ${found.version}, which this program does not know: use a newer program`,
    );
}
