// Records of an archive as entries of its own format, which an import reads back as the same records.
import type { FlagRecord, MetadataRecord } from "@call-media/store";
import type { ExportedRecording, StoredCall } from "@call-media/store/export";

export type Entry = Record<string, unknown>;

/** A call, with those of its recordings that are exported; of the others the record keeps the names. */
export function toCallEntry(
  { record, sessionId, masterId, revisedMs, identity }: StoredCall,
  recordings: readonly ExportedRecording[],
): Entry {
  const { media, recordings: names, ...fields } = record;
  const hasFiles = recordings.length > 0;
  // Without files nothing tells an empty text from none.
  const isTold = hasFiles && names === recordings.map(({ filename }) => filename).join("; ");
  return {
    kind: "call",
    ...dropNulls(fields),
    ...dropNulls({ session_id: sessionId, master_id: masterId }),
    ...(identity !== undefined && { identity }),
    ...(revisedMs !== null && { revised: new Date(revisedMs).toISOString() }),
    ...dropNulls(hasFiles ? { media_field: media } : { media }),
    ...dropNulls(isTold ? {} : { recordings: names }),
    ...(hasFiles && { media: recordings.map(toMediaEntry) }),
  };
}

export function toFlagEntry(record: FlagRecord, userId: number | null): Entry {
  return { kind: "flag", ...record, ...dropNulls({ user_id: userId }) };
}

function toMediaEntry({ filename, startMs, file }: ExportedRecording): Entry {
  const { place, sha256, type } = file;
  return {
    file: place,
    ...(place.endsWith(`/${filename}`) ? {} : { name: filename }),
    ...(startMs === null ? {} : { start: new Date(startMs).toISOString() }),
    ...(/^(?:audio|video)\/[\w.+-]+$/.test(type) ? { type } : {}),
    sha256,
  };
}

type Fields = Partial<MetadataRecord> | Record<string, string | number | null>;

function dropNulls(fields: Fields): Entry {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
