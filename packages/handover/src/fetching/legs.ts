// The current records of a call or a reference from the service: an export may lack some of them, or have them only masked.
import {
  type CallMediaClient,
  type CallRecord,
  isCallMediaError,
  isSameLeg,
} from "@call-media/client";
import type { Redaction } from "../masking/redaction.ts";
import type { Muting } from "../muting/muting.ts";
import { type CallSelector, toSelector } from "./call-selector.ts";
import { NotReceived } from "./not-received.ts";

/** The context for fetching files. */
export interface FetchContext {
  readonly client: CallMediaClient;
  readonly signal: AbortSignal;
  readonly redaction: Redaction;
  /** Default: nothing is muted. */
  readonly muting?: Muting | undefined;
}

/** Newest first (D09). */
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

const AT_ONCE = 8;

/**
 * For each of these records, all records of its call, including itself. A value masked in one leg is then masked in all, whichever
 * search, page or condition found them. Sends one request for each call.
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

/** Some services have numbers as identifiers, which cannot be requested. */
const isText = (identifier: unknown): boolean => typeof identifier === "string";

/** Empty if the call no longer exists. */
const listThere: typeof listLegs = (work, which) =>
  listLegs(work, which).catch((error: unknown) => {
    if (isCallMediaError(error, "NotFoundError")) return [];
    throw error;
  });

/**
 * The record without masks.
 *
 * @throws NotReceived if no record, or more than one, matches; the errors of a call.
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
