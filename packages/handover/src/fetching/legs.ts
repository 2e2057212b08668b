// The records of a call or a reference, as the service has them now: an export may not have all of them, or only masked.
import {
  type CallMediaClient,
  type CallRecord,
  isCallMediaError,
  isSameLeg,
} from "@call-media/client";
import type { Redaction } from "../masking/redaction.ts";
import type { Muting } from "../muting/muting.ts";
import { NotReceived } from "./not-received.ts";

/** Identifies a call or a reference. */
export type CallSelector =
  | { readonly call_id: string; readonly ref_id?: undefined }
  | { readonly ref_id: string; readonly call_id?: undefined };

/** The context for fetching files. */
export interface FetchContext {
  readonly client: CallMediaClient;
  readonly signal: AbortSignal;
  readonly redaction: Redaction;
  /** Default: nothing is muted. */
  readonly muting?: Muting | undefined;
}

/** The newest first (D09). */
export async function listLegs(
  { client, signal }: Pick<FetchContext, "client" | "signal">,
  { call_id, ref_id }: CallSelector,
): Promise<readonly CallRecord[]> {
  const asked =
    call_id === undefined
      ? client.GET("/metadata/by-reference/{ref_id}", { params: { path: { ref_id } }, signal })
      : client.GET("/metadata/by-call-id/{call_id}", { params: { path: { call_id } }, signal });
  return (await asked).data.data;
}

/** How the service is asked for the recordings of a record; undefined if it has no identifier. */
export function toSelector({ call_id, ref_id }: CallRecord): CallSelector | undefined {
  if (call_id !== null && call_id !== "") return { call_id };
  return ref_id === null || ref_id === "" ? undefined : { ref_id };
}

const AT_ONCE = 8;

/**
 * For each of these records all that its call has, itself included: what is masked in one leg is masked in all, whatever
 * search, page or condition found it. One request for each call.
 */
export async function createLegs(
  { client, signal }: Pick<FetchContext, "client" | "signal">,
  records: readonly CallRecord[],
): Promise<(record: CallRecord) => readonly CallRecord[]> {
  const toKey = (record: CallRecord) => JSON.stringify(toSelector(record));
  const selectors = new Map(records.map((record) => [toKey(record), toSelector(record)]));
  const found = new Map<string, readonly CallRecord[]>();
  const queue = selectors.entries();
  const ask = async () => {
    for (const [key, which] of queue)
      if (which !== undefined && isText(which.call_id ?? which.ref_id))
        found.set(key, await listThere({ client, signal }, which));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  return (record) => [record, ...(found.get(toKey(record)) ?? [])];
}

/** Some services have numbers for identifiers, by which nothing can be asked for. */
const isText = (identifier: unknown): boolean => typeof identifier === "string";

/** None if the call is gone by now. */
const listThere: typeof listLegs = (work, which) =>
  listLegs(work, which).catch((error: unknown) => {
    if (isCallMediaError(error, "NotFoundError")) return [];
    throw error;
  });

/**
 * The record without masks.
 *
 * @throws NotReceived if none, or more than one, could be it; the errors of a call.
 */
export async function findUnmasked(work: FetchContext, record: CallRecord): Promise<CallRecord> {
  const which = toSelector(record);
  if (which === undefined)
    throw new NotReceived("missing", "the record has neither a call_id nor a ref_id");
  const { fields, redact } = work.redaction;
  if (fields.length === 0) return record;
  const legs = await listLegs(work, which);
  const found = legs.filter((leg) => isSameLeg(redact(leg, legs), record));
  if (found.length > 1)
    throw new NotReceived(
      "failed",
      "its masks leave nothing that tells it from another record of the call",
    );
  const [leg] = found;
  if (leg === undefined) throw NotReceived.asChanged();
  return leg;
}
