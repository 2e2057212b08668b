// The contents that recordings name, in the order of their digests. Read page by page: reading recordings for hours keeps no old state
// of the database.
import type { Days, Reference, ReferencedMedia } from "../../port/index.ts";
import { toInstants } from "../../values/days.ts";
import { readWhole } from "../../values/damaged-records.ts";
import { parseStored } from "../../values/record-form.ts";
import { toKnownSound } from "../../values/stored-sound.ts";
import type { Archive } from "../archive.ts";
import { createRecordForm, readCalls, readItems } from "../call-rows.ts";
import { toList } from "../values.ts";
import { BATCH_ROWS, toIdRange } from "./id-ranges.ts";

interface MediaRow {
  readonly sha256: string;
  readonly bytes: number;
  readonly version: string | null;
  readonly location: string | null;
  readonly sound: string | null;
}

interface NamedRow {
  readonly sha256: string;
  /** The oldest call that names it; null if only an earlier state does. */
  readonly call: string | null;
  readonly filename: string;
  readonly type: string;
  readonly modified_ms: number;
  readonly recordings: number;
}

/** Closes the archive when disposed, or if this throws. */
export async function openReferencedMedia(
  archive: Archive,
  { isCurrent = false, ...days }: Days & { readonly isCurrent?: boolean },
): Promise<ReferencedMedia> {
  try {
    const { write, settings } = archive;
    const range = toIdRange(toInstants(days, settings.timeZone));
    const isWhole = days.fromDay === undefined && days.toDay === undefined;
    const span = [range.fromId, range.untilId, isWhole && !isCurrent];
    const [total] = await write.transact(
      ({ ask }) =>
        ask<{ files: number; bytes: number }>(
          `SELECT count(*)::float8 AS files, coalesce(sum(bytes), 0)::float8 AS bytes FROM media
           WHERE EXISTS (SELECT FROM recording WHERE recording.sha256 = media.sha256 AND call >= $1::int8 AND call < $2::int8)
             OR $3::bool AND EXISTS (SELECT FROM version_recording WHERE version_recording.sha256 = media.sha256)`,
          span,
        ),
      { isLong: true },
    );
    const form = createRecordForm(settings);
    const readPage = async (rows: readonly MediaRow[]): Promise<readonly Reference[]> => {
      const named = await write.ask<NamedRow>(
        `SELECT DISTINCT ON (sha256) encode(sha256, 'hex') AS sha256, call, filename, type, modified_ms,
           (count(*) OVER (PARTITION BY sha256, call IS NULL))::float8 AS recordings
         FROM (SELECT sha256, call, part, filename, type, modified_ms FROM recording
             WHERE sha256 = ANY($1::bytea[]) AND call >= $2::int8 AND call < $3::int8
           UNION ALL SELECT sha256, NULL, part, filename, type, modified_ms FROM version_recording
             WHERE sha256 = ANY($1::bytea[]) AND $4::bool) AS named
         ORDER BY sha256, call NULLS LAST, part`,
        [toList(rows.map(({ sha256 }) => `\\x${sha256}`)), ...span],
      );
      const byDigest = new Map(named.map((one) => [one.sha256, one]));
      const calls = await readCalls(
        write.ask,
        named.flatMap(({ call }) => (call === null ? [] : BigInt(call))),
      );
      const records = new Map(
        (await readItems(write.ask, calls, form)).map(({ row, toItem }) => [
          row.id,
          readWhole(() => toItem().record),
        ]),
      );
      return rows.flatMap((row) => {
        const first = byDigest.get(row.sha256);
        return first === undefined ? [] : toReference(row, first, records.get(first.call ?? ""));
      });
    };
    return {
      files: total?.files ?? 0,
      bytes: total?.bytes ?? 0,
      has: async (sha256) => {
        const found = await write.ask(
          `SELECT 1 FROM recording WHERE sha256 = decode($1::text, 'hex') AND call >= $2::int8 AND call < $3::int8
           UNION ALL SELECT 1 FROM version_recording WHERE sha256 = decode($1::text, 'hex') AND $4::bool LIMIT 1`,
          [sha256, ...span],
        );
        return found.length > 0;
      },
      async *[Symbol.asyncIterator]() {
        for (let after = ""; ;) {
          const rows = await write.ask<MediaRow>(
            `SELECT encode(sha256, 'hex') AS sha256, bytes::float8, version, location, sound FROM media
             WHERE sha256 > decode($1::text, 'hex') ORDER BY sha256 LIMIT ${BATCH_ROWS}`,
            [after],
          );
          const last = rows.at(-1);
          if (last === undefined) return;
          yield* await readPage(rows);
          after = last.sha256;
        }
      },
      [Symbol.asyncDispose]: () => archive[Symbol.asyncDispose](),
    };
  } catch (error) {
    await archive[Symbol.asyncDispose]();
    throw error;
  }
}

function toReference(
  { sha256, bytes, version, location, sound }: MediaRow,
  { filename, type, modified_ms: modifiedMs, recordings }: NamedRow,
  record: { readonly call_id: string | null; readonly ref_id: string | null } | undefined,
): Reference {
  const where = { version: version ?? undefined, location: location ?? undefined };
  return {
    media: { sha256, bytes, type, modifiedMs, ...where, ...toKnownSound(sound) },
    callId: record?.call_id ?? null,
    refId: record?.ref_id ?? null,
    filename: parseStored(filename),
    recordings,
  };
}
