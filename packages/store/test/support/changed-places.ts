// An archive in PostgreSQL whose recordings and ledger are in a folder, with some functions of these places changed.
import { join } from "node:path";
import type { LedgerPlace, MediaStore } from "../../src/index.ts";
import { createLedgerFolder } from "../../src/media/ledger-folder.ts";
import { createMediaFolder } from "../../src/media/media-folder.ts";
import type { PostgresPlaces } from "../../src/postgres/archive.ts";
import { createMaintenance } from "../../src/postgres/maintenance/maintenance.ts";
import type { PostgresPlace } from "./postgres.ts";

interface Changed {
  readonly media?: Partial<MediaStore>;
  readonly ledger?: Partial<LedgerPlace>;
}

export const toFolder = ({ media }: Pick<PostgresPlace, "media">) => media.replace("file:", "");

export function changePlaces(
  places: PostgresPlace,
  change: (media: MediaStore, ledger: LedgerPlace) => Changed,
): PostgresPlaces {
  const folder = createMediaFolder(toFolder(places));
  const place = createLedgerFolder(join(toFolder(places), ".call-media-ledger"));
  const { media, ledger } = change(folder, place);
  return {
    address: places.records,
    media: { ...folder, ...media, ledger: { ...place, ...ledger } },
  };
}

export const openChanged = (...given: Parameters<typeof changePlaces>) =>
  createMaintenance(changePlaces(...given));
