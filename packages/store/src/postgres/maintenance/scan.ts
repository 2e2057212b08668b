// Reads a complete archive for export, in the order in which an import needs it.
import type {
  ArchiveItem,
  CallItem,
  ChatMessageRecord,
  Scan,
  ScannedRow,
  ScanOptions,
} from "../../port/index.ts";
import { ArchiveError } from "../../port/faults.ts";
import { toOperatorEntry } from "../../values/access-chain.ts";
import {
  nameDamagedMessage,
  nameDamagedPerson,
  nameMessageOf,
  readWhole,
} from "../../values/damaged-records.ts";
import { checkMigrated } from "../../values/half-migrated.ts";
import { createLegNumbers } from "../../values/leg-numbers.ts";
import { toInstantMs, toLastOfMoment } from "../../values/order-key.ts";
import { toPerson } from "../../values/persons.ts";
import { type Instants, toInstants } from "../../values/days.ts";
import { appendEntry } from "../access-log.ts";
import type { Archive } from "../archive.ts";
import { type CallRow, createRecordForm, nameCall, readItems } from "../call-rows.ts";
import { MESSAGE_COLUMNS, type MessageRow, type ToMessage } from "../chats.ts";
import type { Ask } from "../connection.ts";
import { toList } from "../values.ts";
import { holdGate } from "../locks.ts";
import type { IdRange } from "../months.ts";
import { toName } from "../names.ts";
import { type PersonRow, readPerson, selectPersons } from "../users.ts";
import { openSnapshot } from "../open-transaction.ts";
import { listLost } from "../row-sums.ts";
import { BATCH_ROWS, readRange, toIdRange } from "./id-ranges.ts";

/** Closes the archive when disposed, or if this throws. */
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
    // Without a command the reader is the migration itself.
    if (act !== undefined) checkMigrated(settings.migrating);
    if (act !== undefined) await write.transact((one) => appendEntry(one, toOperatorEntry(act)));
    return {
      archiveId: settings.archiveId,
      timeZone: settings.timeZone,
      bytes: await measure(archive, toIdRange(instants)),
      rows: async function* () {
        await using snapshot = await openSnapshot(write);
        const { ask } = snapshot;
        let isKnown = false;
        for await (const row of readAll(archive, ask, { instants, after })) {
          isKnown ||= row.damaged !== undefined && row.damaged.length > 0;
          yield row;
        }
        if (instants.fromMs !== undefined || instants.untilMs !== undefined) return;
        for (const name of await listLost(ask, SCANNED, isKnown))
          yield { items: [], damaged: [name], bytes: 0 };
      },
      [Symbol.asyncDispose]: release,
    };
  } catch (error) {
    await release();
    throw error;
  }
}

const SCANNED = ["user", "flag", "call", "recording", "media", "chat", "call_revision"] as const;

interface RowsAsked {
  readonly instants: Instants;
  readonly after: string | undefined;
}

async function* readAll(archive: Archive, ask: Ask, { instants, after }: RowsAsked) {
  yield* readPersons(ask);
  const range = toIdRange(instants);
  for await (const call of readCalls(archive, ask, { range, after })) yield toScanned(call);
  yield* readLoneChats(ask, instants, createRecordForm(archive.settings).toMessage);
}

/** The length of the records in the range. */
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
  for (const table of ["user", "flag"] as const)
    for (const row of await ask<PersonRow>(selectPersons(table))) {
      const item = readWhole(() => toPerson(table, readPerson(table, row), row["user_id"]));
      yield item === undefined
        ? { items: [], damaged: [nameDamagedPerson(table, row.id)], bytes: 0 }
        : { items: [item], bytes: 0 };
    }
}

interface CallsAsked {
  readonly range: IdRange;
  readonly after?: string | undefined;
}

export interface ReadCall {
  readonly row: CallRow;
  /** Undefined if it is damaged. */
  readonly item: CallItem | undefined;
  /** The name by which an operator finds it. */
  readonly name: string;
  /** The chat goes with the newest record of its call in the range. */
  readonly chats: readonly ReadChat[];
}

/** Newest first, which is also the order in which equal instants were imported (D09). */
export async function* readCalls(
  { settings }: Archive,
  ask: Ask,
  { range, after }: CallsAsked,
): AsyncGenerator<ReadCall> {
  const form = createRecordForm(settings);
  const withNumber = createLegNumbers();
  // The legs of an instant that was already begun have numbers too.
  const untilId = after === undefined ? range.untilId : toLastOfMoment(BigInt(after)) + 1n;
  for await (const rows of readRange(ask, { ...range, untilId })) {
    const items = (await readItems(ask, rows, form)).map(({ toItem }) => readWhole(toItem));
    const named = await findNames(
      ask,
      rows.filter((_, index) => items[index] === undefined),
    );
    const names = rows.map(({ id }, index) => toCallName(items[index]) ?? named.get(id));
    const rest = await readRest(ask, names, range);
    for (const [index, row] of rows.entries()) {
      const [name, whole] = [names[index], items[index]];
      const revisedMs = name === undefined ? undefined : rest.revisions.get(name);
      const item = whole && withNumber({ ...whole, revisedMs }, toInstantMs(BigInt(row.id)));
      if (after !== undefined && BigInt(row.id) >= BigInt(after)) continue;
      const chats = (rest.chats.get(row.id) ?? []).map((chat) => readChat(chat, form.toMessage));
      yield { row, item, name: nameCall(row, form.readNames(row)), chats };
    }
  }
}

/** The name of its call_id; undefined without one. */
const toCallName = (item: CallItem | undefined) =>
  typeof item?.record.call_id === "string" ? toName(item.record.call_id) : undefined;

/** The names of damaged calls' call_ids, by their ids: their chats are undamaged. No index supports this, but such calls are few. */
async function findNames(
  ask: Ask,
  damaged: readonly CallRow[],
): Promise<ReadonlyMap<string, string>> {
  if (damaged.length === 0) return new Map();
  const rows = await ask<{ id: string; name: string }>(
    "SELECT id, replace(name::text, '-', '') AS name FROM call_name WHERE kind = 'c' AND id = ANY($1::int8[])",
    [toList(damaged.map(({ id }) => BigInt(id)))],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** A message that was read; undefined if it is damaged. */
interface ReadChat {
  readonly message: ChatMessageRecord | undefined;
  readonly bytes: number;
}

const readChat = (row: MessageRow, toMessage: ToMessage): ReadChat => ({
  message: readWhole(() => toMessage(row)),
  bytes: row.record.length,
});

/** The rows of some calls in other tables. */
interface Rest {
  /** By the id of the newest record of their call. */
  readonly chats: ReadonlyMap<string, readonly MessageRow[]>;
  /** By the name of the call_id. */
  readonly revisions: ReadonlyMap<string, number>;
}

async function readRest(
  ask: Ask,
  ofCalls: readonly (string | undefined)[],
  range: IdRange,
): Promise<Rest> {
  const names = toList(new Set(ofCalls.flatMap((name) => name ?? [])));
  const revisions = await ask<{ name: string; revised_ms: number }>(
    `SELECT replace(name::text, '-', '') AS name, revised_ms FROM call_revision WHERE name = ANY($1::uuid[])`,
    [names],
  );
  const chats = await ask<MessageRow & { id: string }>(
    `SELECT newest.id, ${MESSAGE_COLUMNS} FROM (
       SELECT name, max(id) AS id FROM call_name
       WHERE name = ANY($1::uuid[]) AND kind = 'c' AND id >= $2::int8 AND id < $3::int8 GROUP BY name) AS newest
     JOIN chat ON chat.call_name = newest.name ORDER BY chat.id`,
    [names, range.fromId, range.untilId],
  );
  return {
    chats: Map.groupBy(chats, ({ id }) => id),
    revisions: new Map(revisions.map(({ name, revised_ms }) => [name, revised_ms])),
  };
}

function toScanned({ row, item, name, chats }: ReadCall): ScannedRow {
  const messages = chats.flatMap(({ message }) => message ?? []);
  const damaged = chats.filter(({ message }) => message === undefined);
  return {
    id: row.id,
    items: [...(item === undefined ? [] : [item]), ...messages.map(toChat)],
    damaged: [...(item === undefined ? [name] : []), ...damaged.map(() => nameMessageOf(name))],
    bytes: chats.reduce((sum, { bytes }) => sum + bytes, row.record.length),
  };
}

const toChat = (record: ChatMessageRecord): ArchiveItem => ({ kind: "chat", record });

export async function* readLoneChats(
  ask: Ask,
  { fromMs, untilMs }: Instants,
  toMessage: ToMessage,
): AsyncGenerator<ScannedRow> {
  for (let after = "0"; ;) {
    const rows = await ask<MessageRow & { id: string }>(
      `SELECT id, ${MESSAGE_COLUMNS} FROM chat
       WHERE id > $1::int8 AND ($2::float8 IS NULL OR instant_ms >= $2::float8)
         AND ($3::float8 IS NULL OR instant_ms < $3::float8)
         AND NOT EXISTS (SELECT FROM call_name WHERE name = chat.call_name AND kind = 'c')
       ORDER BY id LIMIT ${BATCH_ROWS}`,
      [after, fromMs ?? null, untilMs ?? null],
    );
    for (const row of rows) {
      const { message, bytes } = readChat(row, toMessage);
      yield message === undefined
        ? { items: [], damaged: [nameDamagedMessage(null)], bytes }
        : { items: [toChat(message)], bytes };
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}
