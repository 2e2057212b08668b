// Deletes the recordings that no record names any more. The caller keeps others from adding one meanwhile.
import type { Transaction } from "../connection.ts";
import { elsewhere } from "../faults.ts";
import { toList } from "../values.ts";
import type { AloneArchive } from "./open-alone.ts";

/** SQL: true if an earlier state names the content. */
export const IS_EARLIER =
  "EXISTS (SELECT FROM version_recording WHERE version_recording.sha256 = media.sha256)";

const IS_UNNAMED = `NOT EXISTS (SELECT FROM recording WHERE recording.sha256 = media.sha256) AND NOT ${IS_EARLIER}`;

interface Content {
  readonly sha256: string;
  readonly bytes: number;
  readonly location: string | null;
}

interface Removal {
  /** Deletes a content from the media store, and returns false if that still keeps it. */
  readonly remove: (sha256: string, bytes: number) => Promise<boolean>;
  /** Removes only these. */
  readonly only?: ReadonlySet<string>;
}

/** Thrown in a transaction to roll it back. */
class StillKept extends Error {
  override readonly name = "StillKept";
}

/** Throws if the archive is not alone any more: an import may be adding a record with one of the contents. */
export async function removeUnnamed(
  archive: Pick<AloneArchive, "write" | "prove">,
  { remove, only }: Removal,
): Promise<void> {
  for await (const { sha256, bytes, location } of readUnnamed(archive, only)) {
    await archive.prove();
    const work = async ({ ask }: Transaction) => {
      const gone = await ask(
        `DELETE FROM media WHERE sha256 = decode($1::text, 'hex') AND ${IS_UNNAMED} RETURNING 1`,
        [sha256],
      );
      if (gone.length === 0 || location !== null) return;
      // The row goes when the file is gone, and nobody adds one of the same content before.
      if (!(await elsewhere(remove(sha256, bytes)))) throw new StillKept();
    };
    await archive.write.transact(work, { isLong: true }).catch((error: unknown) => {
      if (!(error instanceof StillKept)) throw error;
    });
  }
}

/** The contents that no recording names. */
async function* readUnnamed(
  { write }: Pick<AloneArchive, "write">,
  only: Removal["only"],
): AsyncGenerator<Content> {
  const isAsked = only === undefined ? "$2::bytea[] IS NULL" : "sha256 = ANY($2::bytea[])";
  const asked = only === undefined ? null : toList(Array.from(only, (one) => `\\x${one}`));
  for (let after = ""; ;) {
    const rows = await write.transact(
      ({ ask }) =>
        ask<Content>(
          `SELECT encode(sha256, 'hex') AS sha256, bytes::float8, location FROM media
           WHERE sha256 > decode($1::text, 'hex') AND ${isAsked} AND ${IS_UNNAMED}
           ORDER BY sha256 LIMIT 1000`,
          [after, asked],
        ),
      { isLong: true },
    );
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.sha256;
  }
}
