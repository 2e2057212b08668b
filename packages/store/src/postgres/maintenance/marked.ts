// Finds what marks of the ledger are for. Reads every call and every message.
import type { ChatMessageRecord } from "../../port/index.ts";
import { readWhole } from "../../values/damaged-records.ts";
import { toDeclaredIdentity } from "../../values/identity.ts";
import { toInstantMs } from "../../values/order-key.ts";
import { parseStored } from "../../values/record-form.ts";
import {
  createStoredNamer,
  type ErasedCall,
  listMessageNames,
  type Sought,
} from "../../values/tombstones.ts";
import { type CallRow, type RecordForm, toLinked } from "../call-rows.ts";
import { MESSAGE_COLUMNS, type MessageRow } from "../chats.ts";
import type { Ask } from "../connection.ts";
import { toDigest } from "../names.ts";
import { EVERY_ID, readRange } from "./id-ranges.ts";

interface Searched {
  readonly ask: Ask;
  readonly form: RecordForm;
  readonly timeZone: string;
}

type MarkTest = (names: readonly Sought[]) => boolean;

/** The ids of the marked calls. `isSound`: of those of whose recordings the marks are. */
export async function findMarkedCalls(
  { ask, form, timeZone }: Searched,
  isMarked: MarkTest,
  isSound: boolean,
): Promise<readonly bigint[]> {
  const toNames = createStoredNamer(timeZone);
  const isListed = (row: CallRow) => {
    const call = readWhole(() => toErased(row, form));
    if (call === undefined) return false;
    return isMarked(toNames(call).filter((one) => (one.isSound ?? false) === isSound));
  };
  const ids: bigint[] = [];
  for await (const rows of readRange(ask, EVERY_ID))
    ids.push(...rows.filter(isListed).map(({ id }) => BigInt(id)));
  return ids;
}

function toErased(row: CallRow, form: RecordForm): ErasedCall | undefined {
  const record = form.readNames(row);
  if (record === undefined) return undefined;
  const identity = toDeclaredIdentity(row.identity);
  return { record, identity, instantMs: toInstantMs(BigInt(row.id)), ...toLinked(row.linked) };
}

const BATCH_CHATS = 2_000;

/** The ids of the marked messages. */
export async function findMarkedChats(
  { ask }: Searched,
  isMarked: MarkTest,
): Promise<readonly bigint[]> {
  const ids: bigint[] = [];
  for await (const { id, digest, message, instant_ms: instantMs } of readMessages(ask)) {
    const of = { callId: message?.call_id ?? null, instantMs };
    if (isMarked(listMessageNames(toDigest(digest), of))) ids.push(BigInt(id));
  }
  return ids;
}

interface StoredMessage extends MessageRow {
  readonly id: string;
  /** Undefined if it is damaged. */
  readonly message: ChatMessageRecord | undefined;
}

/** Every message, in the order of their ids. */
export async function* readMessages(ask: Ask): AsyncGenerator<StoredMessage> {
  for (let after = -(2n ** 63n); ;) {
    const rows = await ask<MessageRow & { id: string }>(
      `SELECT chat.id, ${MESSAGE_COLUMNS} FROM chat WHERE chat.id > $1::int8 ORDER BY chat.id LIMIT ${BATCH_CHATS}`,
      [after],
    );
    for (const row of rows)
      yield { ...row, message: readWhole((): ChatMessageRecord => parseStored(row.record)) };
    const last = rows.at(-1);
    if (last === undefined) return;
    after = BigInt(last.id);
  }
}
