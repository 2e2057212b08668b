// Records of an archive as entries of its own format, which an import reads back as the same records.
import type { ArchiveItem, MetadataRecord } from "@call-media/store";
import type { ExportedCall, ExportedRecording } from "./format.ts";

type Entry = Record<string, unknown>;

/** A call, with those of its recordings that are exported; of the others the record keeps the names. */
export function toCallEntry(
  { record, sessionId, masterId, revisedMs, identity }: ExportedCall,
  recordings: readonly ExportedRecording[],
): Entry {
  const { media, recordings: names, ...fields } = record;
  const hasFiles = recordings.length > 0;
  // Without files nothing tells an empty text from none.
  const isTold = hasFiles && names === recordings.map(({ filename }) => filename).join("; ");
  return {
    kind: "call",
    ...dropNulls(fields),
    ...dropNulls({ session_id: sessionId ?? null, master_id: masterId ?? null }),
    ...(identity !== undefined && { identity }),
    ...(revisedMs !== undefined && { revised: new Date(revisedMs).toISOString() }),
    ...dropNulls(hasFiles ? { media_field: media } : { media }),
    ...dropNulls(isTold ? {} : { recordings: names }),
    ...(hasFiles && { media: recordings.map(toMediaEntry) }),
  };
}

export function toFlagEntry({ record, userId }: Extract<ArchiveItem, { kind: "flag" }>): Entry {
  return { kind: "flag", ...record, ...dropNulls({ user_id: userId ?? null }) };
}

function toMediaEntry({ filename, startMs, file }: ExportedRecording): Entry {
  const { place, sha256, type } = file;
  return {
    file: place,
    ...(place.endsWith(`/${filename}`) ? {} : { name: filename }),
    ...(startMs === undefined ? {} : { start: new Date(startMs).toISOString() }),
    ...(/^(?:audio|video)\/[\w.+-]+$/.test(type) ? { type } : {}),
    sha256,
  };
}

type Fields = Partial<MetadataRecord> | Record<string, string | number | null>;

function dropNulls(fields: Fields): Entry {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
