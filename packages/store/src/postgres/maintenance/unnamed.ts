// Deletes the recordings that no record names any more. The caller keeps others from adding one meanwhile.
import type { Archive } from "../archive.ts";

/** SQL: true if an earlier state names the content. */
export const IS_EARLIER =
  "EXISTS (SELECT FROM version_recording WHERE version_recording.sha256 = media.sha256)";

interface Content {
  readonly sha256: string;
  readonly bytes: number;
  readonly location: string | null;
}

/** `remove`: deletes a content from the media store, and returns false if that still keeps it. */
export async function removeUnnamed(
  archive: Pick<Archive, "write">,
  remove: (sha256: string, bytes: number) => Promise<boolean>,
): Promise<void> {
  for await (const { sha256, bytes, location } of readUnnamed(archive)) {
    const isGone = location !== null || (await remove(sha256, bytes));
    if (isGone)
      await archive.write.transact(({ ask }) =>
        ask("DELETE FROM media WHERE sha256 = decode($1::text, 'hex')", [sha256]),
      );
  }
}

/** The contents that no recording names. */
async function* readUnnamed({ write }: Pick<Archive, "write">): AsyncGenerator<Content> {
  for (let after = ""; ;) {
    const rows = await write.transact(
      ({ ask }) =>
        ask<Content>(
          `SELECT encode(sha256, 'hex') AS sha256, bytes::float8, location FROM media
           WHERE sha256 > decode($1::text, 'hex') AND NOT EXISTS (SELECT FROM recording WHERE recording.sha256 = media.sha256)
             AND NOT ${IS_EARLIER}
           ORDER BY sha256 LIMIT 1000`,
          [after],
        ),
      { isLong: true },
    );
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.sha256;
  }
}
