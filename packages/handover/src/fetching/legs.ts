// The records of a call, several if it was transferred: requested if the export may not have all of them.
import { type CallMediaClient, type CallRecord, toDatetime } from "@call-media/client";
import type { Redaction } from "../masking/redaction.ts";
import { toRecordingNames } from "./recording-names.ts";

/** Identifies a call or a reference. */
export type CallSelector =
  | { readonly call_id: string; readonly ref_id?: never }
  | { readonly ref_id: string; readonly call_id?: never };

/** The context for fetching files. */
export interface FetchContext {
  readonly client: CallMediaClient;
  readonly signal: AbortSignal;
  readonly redaction: Redaction;
}

/** The newest first (D09); only calls with a call_id have several. */
export async function listLegs(
  { client, signal }: Pick<FetchContext, "client" | "signal">,
  { call_id }: CallSelector,
): Promise<readonly CallRecord[]> {
  if (call_id === undefined) return [];
  const params = { path: { call_id } };
  const { data } = await client.GET("/metadata/by-call-id/{call_id}", { params, signal });
  return data.data;
}

/** The leg is missing among those of its call, or has changed: its own recordings are unknown. */
export class LegGone extends Error {
  override readonly name = "LegGone";
}

/**
 * How many recordings of the call come before those of the record. They are counted by their start (D17).
 *
 * @throws LegGone, the errors of a call.
 */
export async function findOffset(
  work: FetchContext,
  which: CallSelector,
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

/** The fields that identify a leg of a call. All else may change while an export is under way. */
const TELLING = ["datetime", "ref_id", "agent", "recordings"] as const;

/** A service may leave out what is null. */
const isSame = (one: CallRecord, other: CallRecord) =>
  TELLING.every((field) => (one[field] ?? null) === (other[field] ?? null));

/** All legs of a call are in one zone: that of datetimes without an offset does not matter for their order. */
const toStartMs = ({ datetime }: CallRecord): number => {
  const { instant } = read(datetime) ?? read(`${datetime}Z`) ?? {};
  return instant?.getTime() ?? 0;
};

/** Dates of JavaScript have no leap second: it is the one before. */
const read = (text: unknown) => toDatetime(String(text).replace(/(?<=^.{16}):60/, ":59"));
