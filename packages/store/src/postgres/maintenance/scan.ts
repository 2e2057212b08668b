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
import { toCallDigest } from "../../values/call-digest.ts";
import { nameDamagedCall, nameDamagedMessage, readWhole } from "../../values/damaged-records.ts";
import { toDeclaredIdentity } from "../../values/identity.ts";
import { createLegNumbers } from "../../values/leg-numbers.ts";
import { toInstantMs, toLastOfMoment } from "../../values/order-key.ts";
import { type Instants, toInstants } from "../../values/days.ts";
import { parseStored } from "../../values/record-form.ts";
import { toTextDigest } from "../../values/row-digest.ts";
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
import { toName, toUuid } from "../names.ts";
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
  const users = await ask<PersonRow>(`SELECT id, record FROM "user" ORDER BY id`);
  for (const user of users)
    yield toPerson("user", user, (record) => ({ kind: "user", record: parseStored(record) }));
  const flags = await ask<PersonRow & { user_id: string | null }>(
    "SELECT id, record, user_id FROM flag ORDER BY id",
  );
  for (const flag of flags) {
    const userId = flag.user_id === null ? undefined : Number(flag.user_id);
    yield toPerson("flag", flag, (record) => ({
      kind: "flag",
      record: parseStored(record),
      userId,
    }));
  }
}

interface PersonRow {
  readonly id: string;
  readonly record: string;
}

// They have no digest here: what cannot be read is damaged.
function toPerson(
  table: string,
  { id, record }: PersonRow,
  read: (record: string) => ArchiveItem,
): ScannedRow {
  const item = readWhole(() => read(record));
  return {
    items: item === undefined ? [] : [item],
    damaged: item ? [] : [`${table} ${id}`],
    bytes: 0,
  };
}

interface CallsAsked {
  readonly range: IdRange;
  readonly after?: string | undefined;
}

export interface ReadCall {
  readonly row: CallRow;
  /** Undefined if it is not what was written. */
  readonly item: CallItem | undefined;
  /** How it is found. */
  readonly name: string;
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
  const withNumber = createLegNumbers();
  // The legs of a moment that was begun before have numbers as well.
  const untilId = after === undefined ? range.untilId : toLastOfMoment(BigInt(after)) + 1n;
  for await (const rows of readRange(ask, { ...range, untilId })) {
    const calls = rows.map((row) =>
      toCall(
        row,
        readWhole(() => toRecord(row.record)),
      ),
    );
    const rest = await readRest(ask, calls, range);
    for (const call of calls) {
      const { row, record } = call;
      const isWhole = (item: CallItem) =>
        toUuid(toCallDigest(item, row.record)) === toHex(row.digest);
      const whole = record && readWhole(() => toItem({ ...call, record }, rest), isWhole);
      const item = whole && withNumber(whole, toInstantMs(BigInt(row.id)));
      if (after !== undefined && BigInt(row.id) >= BigInt(after)) continue;
      yield {
        row,
        item,
        name: record ? nameDamagedCall(record.call_id, record.ref_id) : `the call ${row.id}`,
        chats: rest.chats.get(row.id) ?? [],
      };
    }
  }
}

interface Call {
  readonly row: CallRow;
  /** Undefined if it cannot be read. */
  readonly record: MetadataRecord | undefined;
  /** Of its call_id; undefined without one. */
  readonly name: string | undefined;
}

const toCall = (row: CallRow, record: MetadataRecord | undefined): Call => ({
  row,
  record,
  name: typeof record?.call_id === "string" ? toName(record.call_id) : undefined,
});

const toHex = (uuid: string) => uuid.replaceAll("-", "");

/** What some calls have in other tables. */
interface Rest {
  readonly recordingsOf: RecordingsOf;
  /** By the id of the newest record of their call. */
  readonly chats: ReadonlyMap<string, readonly ChatRow[]>;
  /** By the name of the call_id. */
  readonly revisions: ReadonlyMap<string, number>;
}

interface ChatRow {
  readonly digest: string;
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
    `SELECT newest.id, digest, record FROM (
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

function toItem(
  { row, record, name }: Call & { readonly record: MetadataRecord },
  { recordingsOf, revisions }: Rest,
): CallItem {
  return {
    kind: "call",
    record,
    ...toLinked(row.linked),
    identity: toDeclaredIdentity(row.identity),
    revisedMs: name === undefined ? undefined : revisions.get(name),
    recordings: recordingsOf(row.id),
  };
}

function toScanned({ row, item, name, chats }: ReadCall): ScannedRow {
  const whole = chats.filter(isWholeMessage);
  return {
    id: row.id,
    items: [...(item === undefined ? [] : [item]), ...whole.map(toChat)],
    damaged: [
      ...(item === undefined ? [name] : []),
      ...chats.filter((chat) => !isWholeMessage(chat)).map(() => `a chat message of ${name}`),
    ],
    bytes: chats.reduce((sum, chat) => sum + chat.record.length, row.record.length),
  };
}

const isWholeMessage = ({ digest, record }: ChatRow) =>
  toUuid(toTextDigest(record)) === toHex(digest);

function toChat({ record }: ChatRow): ArchiveItem {
  const parsed: ChatMessageRecord = parseStored(record);
  return { kind: "chat", record: parsed };
}

async function* readLoneChats(ask: Ask, { fromMs, untilMs }: Instants): AsyncGenerator<ScannedRow> {
  for (let after = "0"; ;) {
    const rows = await ask<ChatRow & { id: string }>(
      `SELECT id, digest, record FROM chat
       WHERE id > $1::int8 AND ($2::float8 IS NULL OR instant_ms >= $2::float8)
         AND ($3::float8 IS NULL OR instant_ms < $3::float8)
         AND NOT EXISTS (SELECT FROM call_name WHERE name = chat.call_name AND kind = 'c')
       ORDER BY id LIMIT ${BATCH_ROWS}`,
      [after, fromMs ?? null, untilMs ?? null],
    );
    for (const row of rows)
      yield isWholeMessage(row)
        ? { items: [toChat(row)], bytes: row.record.length }
        : { items: [], damaged: [nameDamagedMessage(null)], bytes: row.record.length };
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}
