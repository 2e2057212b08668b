// A call for the page: its records in order of time, the records of the same reference, and its messages.
import { type CallMediaClient, type CallRecord, isSameLeg } from "@call-media/client";
import { byTime, type Message, readChat } from "@call-media/handover";
import { recordingsOf } from "../fields.ts";
import type { CallRoute } from "../route.ts";
import { toCallRoute } from "../route.ts";
import { noteZone } from "../search/query.ts";
import { archiveZone, toInstantOf } from "../time.ts";
import { type Line, toLines, toRecorded } from "./lines.ts";

/** A record, and the address that shows it. */
export interface Leg {
  readonly record: CallRecord;
  readonly route: CallRoute;
  /** The numbers of its recordings in its list of them, from 1. */
  readonly parts: readonly number[];
  /** When the next leg of the call begins: what is said from then on is in another recording. */
  readonly endMs: number;
}

export interface Call {
  /** The records with the requested identifier and those of its reference, in order of time. */
  readonly legs: readonly Leg[];
  /** The one that was asked for. */
  readonly leg: Leg;
  readonly messages: readonly Message[];
}

/**
 * Undefined without a visible record: hidden and missing records get the same answer (D21).
 *
 * @throws CallMediaError
 */
export async function loadCall(
  client: CallMediaClient,
  { by, id, leg: wanted }: CallRoute,
  signal: AbortSignal,
): Promise<Call | undefined> {
  const [own, messages] = await Promise.all([
    readRecords(client, { by, id }, signal),
    by === "call_id" ? readChat(client, id, signal) : [],
  ]);
  const [first] = own;
  // "Go to" accepts references as well as call identifiers.
  if (first === undefined)
    return by === "call_id" ? await loadCall(client, toCallRoute("ref_id", id), signal) : undefined;
  const legs = toLegs(own, by, id);
  const listed = legs[wanted - 1] ?? legs[0];
  if (listed === undefined) return undefined;
  const { call_id, ref_id } = listed.record;
  const [leg, others, chat] = await Promise.all([
    withOwnParts(client, listed, signal),
    by === "call_id" && ref_id !== null
      ? readRecords(client, { by: "ref_id", id: ref_id }, signal)
      : [],
    by === "ref_id" && call_id !== null ? readChat(client, call_id, signal) : messages,
  ]);
  const byCall = Map.groupBy(
    others.filter((record) => record.call_id !== null && record.call_id !== id),
    ({ call_id: other }) => other ?? "",
  );
  const related = [...byCall].flatMap(([other, records]) => toLegs(records, "call_id", other));
  const all = [...legs, ...related];
  const order = byTime(archiveZone.value);
  return { legs: all.toSorted((a, b) => order(a.record, b.record)), leg, messages: chat ?? [] };
}

/**
 * The leg that a record of a search is, since others may share its identifier, and all legs of that identifier in order of time.
 *
 * @throws CallMediaError
 */
export async function findLeg(
  client: CallMediaClient,
  record: CallRecord,
  signal: AbortSignal,
): Promise<Pick<Call, "leg" | "legs"> | undefined> {
  const { call_id, ref_id } = record;
  const by = call_id === null ? "ref_id" : "call_id";
  const id = call_id ?? ref_id;
  if (id === null) return undefined;
  const legs = toLegs(await readRecords(client, { by, id }, signal), by, id);
  const found = legs.find((leg) => isSameLeg(leg.record, record));
  return found && { legs, leg: await withOwnParts(client, found, signal) };
}

const NOT_RECORDED = { startMs: undefined, endMs: Infinity };

/** Reads the messages of the chat of a record, else takes its text. @throws CallMediaError */
export async function readLines(
  client: CallMediaClient,
  leg: Leg,
  signal: AbortSignal,
): Promise<readonly Line[]> {
  const { call_id } = leg.record;
  const messages = call_id === null ? [] : await readChat(client, call_id, signal);
  const [part] = leg.parts;
  // A leg without a recording shows times of the day.
  const recorded = part === undefined ? NOT_RECORDED : toRecorded(leg, part);
  return toLines(leg.record, messages ?? [], recorded);
}

/** Some names in its list may have no recording, or be the rest of the name before. */
export async function withOwnParts(
  client: CallMediaClient,
  leg: Leg,
  signal: AbortSignal,
): Promise<Leg> {
  if (leg.parts.length < 2) return leg;
  // The player says why nothing is heard.
  const own = await client.recordings.of(leg.record, { signal }).catch(() => []);
  signal.throwIfAborted();
  return own.length === 0 ? leg : { ...leg, parts: own.map(({ number }) => number) };
}

/** The records of one identifier, the oldest first. */
function toLegs(records: readonly CallRecord[], by: CallRoute["by"], id: string): Leg[] {
  const starts = records.flatMap(({ datetime }) => toInstantOf(datetime) ?? []);
  return records.toSorted(byTime(archiveZone.value)).map((record, index) => ({
    record,
    route: toCallRoute(by, id, index + 1),
    parts: recordingsOf(record).map((_, at) => at + 1),
    endMs: Math.min(
      ...starts.filter((start) => start > (toInstantOf(record.datetime) ?? Infinity)),
      Infinity,
    ),
  }));
}

async function readRecords(
  client: CallMediaClient,
  { by, id }: Pick<CallRoute, "by" | "id">,
  signal: AbortSignal,
): Promise<readonly CallRecord[]> {
  const { data, response } =
    by === "call_id"
      ? await client.GET("/metadata/by-call-id/{call_id}", {
          params: { path: { call_id: id } },
          signal,
        })
      : await client.GET("/metadata/by-reference/{ref_id}", {
          params: { path: { ref_id: id } },
          signal,
        });
  noteZone(response);
  return data.data;
}
