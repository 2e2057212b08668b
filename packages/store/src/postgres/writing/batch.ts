// The names, instants and digests by which the archive knows the rows of a batch.
import type { ArchiveItem, CallItem } from "../../port/index.ts";
import { toCallDigest } from "../../values/call-digest.ts";
import { parseDatetime } from "../../values/instant.ts";
import { toFlagKey } from "../../values/match-key.ts";
import { listForms } from "../../values/recording-names.ts";
import { toTextDigest } from "../../values/row-digest.ts";
import type { RecordForm } from "../call-rows.ts";
import { toLockKey, toName, toUuid } from "../names.ts";

type ItemOf<Kind extends ArchiveItem["kind"]> = Extract<ArchiveItem, { kind: Kind }>;

export interface Batch {
  readonly calls: readonly CallItem[];
  readonly chats: readonly ItemOf<"chat">[];
  readonly users: readonly ItemOf<"user">[];
  readonly flags: readonly ItemOf<"flag">[];
  /** The call_ids, by their names. */
  readonly callIds: ReadonlyMap<string, string>;
  /** Identify calls without a call_id. */
  readonly digests: readonly string[];
  readonly chatDigests: readonly string[];
  /** In ms since 1970. */
  readonly instants: readonly number[];
}

export function toBatch(
  rows: readonly (readonly ArchiveItem[])[],
  timeZone: string,
  { toStored }: RecordForm,
): Batch {
  const items = rows.flat();
  const listOf = <Kind extends ArchiveItem["kind"]>(kind: Kind) =>
    items.filter((item): item is ItemOf<Kind> => item.kind === kind);
  const calls = listOf("call");
  const chats = listOf("chat");
  const callIds = calls.flatMap(({ record }) => record.call_id ?? []);
  const toInstantMs = ({ record: { datetime } }: CallItem): number | undefined => {
    const parsed = datetime === null ? undefined : parseDatetime(datetime, timeZone);
    return typeof parsed === "object" ? parsed.instantMs : undefined;
  };
  const anonymous = calls
    .filter(({ record }) => record.call_id === null)
    .flatMap((call) => listForms(call, toInstantMs(call)));
  return {
    calls,
    chats,
    users: listOf("user"),
    flags: listOf("flag"),
    callIds: new Map(callIds.map((callId) => [toName(callId), callId])),
    digests: anonymous.map((call) => toUuid(toCallDigest(call, toStored(call.record)))),
    chatDigests: chats.map(({ record }) => toUuid(toTextDigest(JSON.stringify(record)))),
    instants: calls.flatMap((call) => toInstantMs(call) ?? []),
  };
}

const HOUR_MS = 3_600_000;

// All users and flags share one lock: they are few, and their names have to be unique.
const PERSONS = 1n;

/** The locks that keep others from deciding about the same rows: identities, messages, and hours, within which ids are assigned. */
export function* toLockKeys(batch: Batch): Generator<bigint> {
  for (const name of batch.callIds.keys()) yield toLockKey(name);
  // A search finds a chat's words through its call, which may be imported at the same time.
  for (const { record } of batch.chats)
    if (record.call_id !== null) yield toLockKey(toName(record.call_id));
  for (const digest of [...batch.digests, ...batch.chatDigests]) yield toLockKey(digest);
  for (const instantMs of batch.instants) yield BigInt(Math.floor(instantMs / HOUR_MS));
  if (batch.calls.some(({ record }) => record.datetime === null)) yield UNDATED;
  if (batch.users.length + batch.flags.length > 0) yield PERSONS;
}

const UNDATED = 2n ** 62n;

export const toFlagName = (name: string): string => toName(toFlagKey(name));
