// Reading all of an archive, to write it out again: in the order in which an import has to meet it.
import type {
  ArchiveItem,
  CallItem,
  ChatMessageRecord,
  MetadataRecord,
  Scan,
  ScannedRow,
  ScanOptions,
} from "../../port/index.ts";
import { ArchiveError } from "../../port/faults.ts";
import { toOperatorEntry } from "../../values/access-chain.ts";
import { toDeclaredIdentity } from "../../values/call-digest.ts";
import { type Instants, toInstants } from "../../values/days.ts";
import { parseStored } from "../../values/record-form.ts";
import { appendEntry } from "../access-log.ts";
import type { Archive } from "../archive.ts";
import {
  type CallRow,
  createRecordForm,
  type RecordingsOf,
  readRecordings,
  toLinked,
} from "../call-rows.ts";
import { type Ask, toList } from "../connection.ts";
import { holdGate } from "../locks.ts";
import type { IdRange } from "../months.ts";
import { toName } from "../names.ts";
import { openSnapshot } from "../open-transaction.ts";
import { BATCH_ROWS, readRange, toIdRange } from "./id-ranges.ts";

/** Closes the archive when it is disposed of, or when this throws. */
export async function openScan(
  archive: Archive,
  { act, after, ...days }: ScanOptions,
): Promise<Scan> {
  const held: AsyncDisposable[] = [archive];
  const release = async () => {
    for (const one of held.splice(0).toReversed()) await one[Symbol.asyncDispose]();
  };
  try {
    const { write, settings } = archive;
    const instants = toInstants(days, settings.timeZone);
    const gate = await holdGate(write, false);
    if (gate === undefined)
      throw new ArchiveError(
        "records are being purged from this archive: try again when that has ended",
      );
    held.push(gate);
    if (act !== undefined) await write.transact((one) => appendEntry(one, toOperatorEntry(act)));
    return {
      archiveId: settings.archiveId,
      timeZone: settings.timeZone,
      bytes: await measure(archive, toIdRange(instants)),
      rows: async function* () {
        await using snapshot = await openSnapshot(write);
        const { ask } = snapshot;
        yield* readPersons(ask);
        const range = toIdRange(instants);
        for await (const call of readCalls(archive, ask, { range, after })) yield toScanned(call);
        yield* readLoneChats(ask, instants);
      },
      [Symbol.asyncDispose]: release,
    };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Length of the records in the range. */
export async function measure({ write }: Archive, { fromId, untilId }: IdRange): Promise<number> {
  const [row] = await write.transact(
    ({ ask }) =>
      ask<{ bytes: number }>(
        `SELECT coalesce(sum(octet_length(record)), 0)::float8 AS bytes FROM call WHERE id >= $1::int8 AND id < $2::int8`,
        [fromId, untilId],
      ),
    { isLong: true },
  );
  return row?.bytes ?? 0;
}

async function* readPersons(ask: Ask): AsyncGenerator<ScannedRow> {
  const users = await ask<{ record: string }>(`SELECT record FROM "user" ORDER BY id`);
  for (const { record } of users)
    yield { items: [{ kind: "user", record: parseStored(record) }], bytes: 0 };
  const flags = await ask<{ record: string; user_id: string | null }>(
    "SELECT record, user_id FROM flag ORDER BY id",
  );
  for (const { record, user_id } of flags) {
    const userId = user_id === null ? undefined : Number(user_id);
    yield { items: [{ kind: "flag", record: parseStored(record), userId }], bytes: 0 };
  }
}

interface CallsAsked {
  readonly range: IdRange;
  readonly after?: string | undefined;
}

export interface ReadCall {
  readonly row: CallRow;
  readonly item: CallItem;
  /** The chat goes with the newest record of its call in the range. */
  readonly chats: readonly ChatRow[];
}

/** Newest first, which is also the order in which equal instants were imported (D09). */
export async function* readCalls(
  { settings }: Archive,
  ask: Ask,
  { range, after }: CallsAsked,
): AsyncGenerator<ReadCall> {
  const { toRecord } = createRecordForm(settings);
  const untilId = after === undefined ? range.untilId : BigInt(after);
  for await (const rows of readRange(ask, { ...range, untilId })) {
    const calls = rows.map((row) => toCall(row, toRecord(row.record)));
    const rest = await readRest(ask, calls, range);
    for (const call of calls)
      yield {
        row: call.row,
        item: toItem(call, rest),
        chats: rest.chats.get(call.row.id) ?? [],
      };
  }
}

interface Call {
  readonly row: CallRow;
  readonly record: MetadataRecord;
  /** Of its call_id; undefined without one. */
  readonly name: string | undefined;
}

const toCall = (row: CallRow, record: MetadataRecord): Call => ({
  row,
  record,
  name: record.call_id === null ? undefined : toName(record.call_id),
});

/** What some calls have in other tables. */
interface Rest {
  readonly recordingsOf: RecordingsOf;
  /** By the id of the newest record of their call. */
  readonly chats: ReadonlyMap<string, readonly ChatRow[]>;
  /** By the name of the call_id. */
  readonly revisions: ReadonlyMap<string, number>;
}

interface ChatRow {
  readonly record: string;
}

const NAME = "replace(name::text, '-', '') AS name";

async function readRest(ask: Ask, calls: readonly Call[], range: IdRange): Promise<Rest> {
  const names = toList(new Set(calls.flatMap(({ name }) => name ?? [])));
  const ids = calls.map(({ row }) => BigInt(row.id));
  const recordingsOf = await readRecordings(ask, ids);
  const revisions = await ask<{ name: string; revised_ms: number }>(
    `SELECT ${NAME}, revised_ms FROM call_revision WHERE name = ANY($1::uuid[])`,
    [names],
  );
  const chats = await ask<ChatRow & { id: string }>(
    `SELECT newest.id, record FROM (
       SELECT name, max(id) AS id FROM call_name
       WHERE name = ANY($1::uuid[]) AND kind = 'c' AND id >= $2::int8 AND id < $3::int8 GROUP BY name) AS newest
     JOIN chat ON chat.call_name = newest.name ORDER BY chat.id`,
    [names, range.fromId, range.untilId],
  );
  return {
    recordingsOf,
    chats: Map.groupBy(chats, ({ id }) => id),
    revisions: new Map(revisions.map(({ name, revised_ms }) => [name, revised_ms])),
  };
}

function toItem({ row, record, name }: Call, { recordingsOf, revisions }: Rest): CallItem {
  return {
    kind: "call",
    record,
    ...toLinked(row.linked),
    revisedMs: name === undefined ? undefined : revisions.get(name),
    identity: toDeclaredIdentity(row.identity),
    recordings: recordingsOf(row.id),
  };
}

const toScanned = ({ row, item, chats }: ReadCall): ScannedRow => ({
  id: row.id,
  items: [item, ...chats.map(toChat)],
  bytes: chats.reduce((sum, chat) => sum + chat.record.length, row.record.length),
});

function toChat({ record }: ChatRow): ArchiveItem {
  const parsed: ChatMessageRecord = parseStored(record);
  return { kind: "chat", record: parsed };
}

async function* readLoneChats(ask: Ask, { fromMs, untilMs }: Instants): AsyncGenerator<ScannedRow> {
  for (let after = "0"; ;) {
    const rows = await ask<ChatRow & { id: string }>(
      `SELECT id, record FROM chat
       WHERE id > $1::int8 AND ($2::float8 IS NULL OR instant_ms >= $2::float8)
         AND ($3::float8 IS NULL OR instant_ms < $3::float8)
         AND NOT EXISTS (SELECT FROM call_name WHERE name = chat.call_name AND kind = 'c')
       ORDER BY id LIMIT ${BATCH_ROWS}`,
      [after, fromMs ?? null, untilMs ?? null],
    );
    for (const row of rows) yield { items: [toChat(row)], bytes: row.record.length };
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}
