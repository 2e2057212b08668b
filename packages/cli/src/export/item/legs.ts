// The records of a call, which has several where it was transferred: asked for where the export may not have all of them.
import type { CallRecord } from "@call-media/client";
import { toRecordingNames } from "../../call/recording-names.ts";
import type { Which } from "../../call/which.ts";
import { toInstant } from "../../search/instant.ts";
import type { DownloadWork } from "./download.ts";

/** The newest first (D09); only calls with a call_id have several. */
export async function listLegs(
  { client, signal }: Pick<DownloadWork, "client" | "signal">,
  { call_id }: Which,
): Promise<readonly CallRecord[]> {
  if (call_id === undefined) return [];
  const params = { path: { call_id } };
  const { data } = await client.GET("/metadata/by-call-id/{call_id}", { params, signal });
  return data.data;
}

/** The leg is not among those of its call, or not as it was: which recordings are its own nobody can tell. */
export class LegGone extends Error {
  override readonly name = "LegGone";
}

/**
 * How many recordings of the call come before those of the record. They are counted by their start (D17).
 *
 * @throws LegGone, the errors of a call.
 */
export async function findOffset(
  work: DownloadWork,
  which: Which,
  record: CallRecord,
): Promise<number> {
  const legs = (await listLegs(work, which))
    .toReversed()
    .toSorted((one, other) => toStartMs(one) - toStartMs(other));
  if (legs.length < 2) return 0;
  const at = legs.findIndex((leg) => isSame(work.redaction.redact(leg), record));
  if (at === -1) throw new LegGone("its record has changed meanwhile: export it again");
  return legs.slice(0, at).flatMap(({ recordings }) => toRecordingNames(recordings)).length;
}

/** What tells the legs of a call apart. All else may change while an export is under way. */
const TELLING = ["datetime", "ref_id", "agent", "recordings"] as const;

/** A service may leave out what is null. */
const isSame = (one: CallRecord, other: CallRecord) =>
  TELLING.every((field) => (one[field] ?? null) === (other[field] ?? null));

const toStartMs = ({ datetime }: CallRecord): number => toInstant(datetime)?.getTime() ?? 0;
