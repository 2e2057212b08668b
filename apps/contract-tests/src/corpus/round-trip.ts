// Exports an archive, imports it again, and describes archives for comparison.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { importFiles } from "@call-media/import";
import { EXPORT_FORMATS, exportArchive, type ExportFormatName } from "@call-media/import/export";
import { openMaintenance } from "@call-media/store/open";
import { createStore } from "@call-media/store/sqlite";

/** Returns the folder of the new archive; `scratch` is an empty folder for it and the export. */
export async function exportAndImport(
  directory: string,
  format: ExportFormatName,
  scratch: string,
): Promise<string> {
  const [to, again] = [join(scratch, "export"), join(scratch, "again")];
  const { timeZone } = await exportArchive({
    archive: await openMaintenance({ records: directory }),
    format: EXPORT_FORMATS[format],
    to,
  });
  await using store = await createStore({ directory: again, timeZone });
  const { firstRejections } = await importFiles({ store, paths: [to] });
  if (firstRejections.length > 0) throw new Error(firstRejections[0]?.reason);
  return again;
}

/** Digests of the calls with their recordings, in order; chats, users, flags, and the recordings' files. */
export function describeArchive(directory: string): unknown[] {
  using database = new DatabaseSync(join(directory, "archive.db"), { readOnly: true });
  return [
    "SELECT lower(hex(digest)) FROM call ORDER BY id",
    "SELECT record FROM chat ORDER BY call_id, instant_ms, id",
    "SELECT record FROM user ORDER BY id",
    "SELECT record, user_id FROM flag ORDER BY id",
    "SELECT sha256, bytes FROM media ORDER BY sha256",
    "SELECT sha256, type FROM recording ORDER BY call, part",
  ].map((sql) => database.prepare(sql).all());
}
