// `Maintenance.ledger` of an archive in PostgreSQL.
import type { ArchiveLedger } from "../../port/ledger.ts";
import type { MediaStore } from "../../port/media.ts";
import type { Archive } from "../archive.ts";
import { followAlone } from "./catch-up.ts";
import { readHead } from "./ledger.ts";
import { inArchiveAlone } from "./open-alone.ts";

/** `open`: opens the archive, which is closed after each use. */
export function createLedger(
  media: MediaStore,
  open: () => Promise<Archive>,
): ArchiveLedger | undefined {
  if (media.ledger === undefined) return undefined;
  return {
    place: media.ledger,
    readHead: async () => {
      await using archive = await open();
      return await readHead(archive.write.ask);
    },
    follow: async (head) => {
      await using archive = await open();
      await inArchiveAlone(archive, (alone) => followAlone(alone, head));
    },
  };
}
