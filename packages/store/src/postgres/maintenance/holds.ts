// The holds of an archive in PostgreSQL. One can be added while other work runs, even a purge, which applies it before it removes the next
// rows.
import type { Holds, ListedHold, NewHold } from "../../port/holds.ts";
import type { InternalRow, Writer } from "../../port/index.ts";
import { checkMigrated } from "../../values/half-migrated.ts";
import {
  checkNewName,
  createHoldJudge,
  inBytes,
  refuseTaken,
  type StoredHold,
  toListedHold,
  toStoredHold,
} from "../../values/holds.ts";
import { toOwedRow } from "../../values/owed-marks.ts";
import { notWritten } from "../../values/damaged-records.ts";
import type { Archive } from "../archive.ts";
import {
  type CallRow,
  createRecordForm,
  nameCall,
  readCalls,
  type RecordForm,
} from "../call-rows.ts";
import { readChats } from "../chats.ts";
import type { Ask, Transaction } from "../connection.ts";
import {
  createHoldWatch,
  type Held,
  type LoneMessage,
  type Pin,
  readHolds,
  savePins,
  selectLone,
} from "../holds.ts";
import { lockHolds } from "../locks.ts";
import { toName } from "../names.ts";
import { openSnapshot } from "../open-transaction.ts";
import { createActSource, readActs } from "../writing/acts.ts";
import { countOwed } from "./doomed.ts";
import { listOfCall } from "./history.ts";
import { EVERY_ID, readRange } from "./id-ranges.ts";
import { readOwed, saveOwed } from "./owed.ts";

/** `open`: opens the archive, which is closed after each use. */
export function createHolds(open: () => Promise<Archive>): Holds {
  return {
    add: async (given, by) => {
      await using archive = await open();
      checkMigrated(archive.settings.migrating);
      await archive.write.transact((one) => add(archive, one, { given, by }), { isLong: true });
      const [listed] = await list(archive, given.name);
      return listed ?? refuseTaken(given.name);
    },
    list: async () => {
      await using archive = await open();
      return await list(archive);
    },
    release: async (name) => {
      await using archive = await open();
      const isKnown = await archive.write.transact(async (transaction) => {
        await lockHolds(transaction, true);
        const gone = await transaction.ask("DELETE FROM hold WHERE name = $1::text RETURNING 1", [
          name,
        ]);
        return gone.length > 0;
      });
      if (!isKnown) return undefined;
      const { settings, write } = archive;
      await using snapshot = await openSnapshot(write);
      const form = createRecordForm(settings);
      return await countOwed({ ask: snapshot.ask, form, ...settings });
    },
  };
}

/** Judges all calls and messages. */
async function findHeld({ write, settings }: Archive): Promise<Held> {
  await using snapshot = await openSnapshot(write);
  const { ask } = snapshot;
  const { timeZone } = settings;
  const watch = await createHoldWatch({ ask, timeZone, form: createRecordForm(settings) });
  if (watch.holds.length > 0)
    for await (const rows of readRange(ask, EVERY_ID)) await watch.take(rows);
  if (watch.holds.length > 0) await watch.takeMessages(await ask<LoneMessage>(selectLone("true")));
  return watch.end();
}

async function list(archive: Archive, only?: string): Promise<readonly ListedHold[]> {
  const { found } = await findHeld(archive);
  const holds = await readHolds(archive.write.ask);
  const acts = await readActs(
    archive.write.ask,
    holds.map(({ act }) => act),
  );
  const missing = await listMissing(archive.write.ask);
  return holds
    .filter(({ name }) => name === (only ?? name))
    .map((hold) =>
      toListedHold(hold, {
        added: acts.get(hold.act),
        calls: found.count(hold.name),
        missing: hold.asked === null ? inBytes(missing.get(hold.name) ?? []) : [],
      }),
    );
}

/** The missing call_ids, by the names of holds. */
async function listMissing(ask: Ask): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await ask<{ hold: string; call_id: string }>(
    `SELECT hold, call_id FROM held
     WHERE NOT EXISTS (SELECT FROM call_name WHERE call_name.name = held.name AND kind = 'c')
       AND NOT EXISTS (SELECT FROM chat WHERE call_name = held.name)`,
  );
  const byHold = Map.groupBy(rows, ({ hold }) => hold);
  return new Map([...byHold].map(([hold, own]) => [hold, own.map(toCallId)]));
}

interface Given {
  readonly given: NewHold;
  readonly by: Writer;
}

/** Every erasure and every replacement reads holds under the same lock. */
async function add(
  { settings }: Archive,
  transaction: Transaction,
  { given, by }: Given,
): Promise<void> {
  await lockHolds(transaction, true);
  const { ask } = transaction;
  checkNewName(given.name, await readHolds(ask));
  const acts = await createActSource(ask, by);
  const hold = toStoredHold(given, acts.act());
  const judge = createHoldJudge([hold], settings.timeZone);
  await acts.save(ask);
  await putHold(ask, hold);
  const { name } = hold;
  const pins: Pin[] =
    "callIds" in given.holds
      ? given.holds.callIds.map((callId) => ({ hold: name, callId }))
      : await listPastPins(ask, settings, { judge, name });
  await savePins(ask, pins);
}

const putHold = (ask: Ask, { name, reason, asked, act }: StoredHold) =>
  ask(
    "INSERT INTO hold (name, reason, asked, act) VALUES ($1::text, $2::text, $3::text, $4::int8)",
    [name, JSON.stringify(reason), asked, act],
  );

interface Past {
  readonly judge: ReturnType<typeof createHoldJudge>;
  readonly name: string;
}

/** The states of a call before it was replaced count as well. */
async function listPastPins(
  ask: Ask,
  settings: Archive["settings"],
  { judge, name }: Past,
): Promise<Pin[]> {
  const form = createRecordForm(settings);
  const rows = await ask<{ id: string; name: string }>(
    `SELECT id, replace(name::text, '-', '') AS name FROM call_name WHERE kind = 'c'
       AND name IN (SELECT name FROM version WHERE kind = 'call')`,
  );
  const calls = await readCalls(
    ask,
    rows.map(({ id }) => BigInt(id)),
  );
  const byId = new Map(calls.map((row) => [row.id, row]));
  const pins: Pin[] = [];
  for (const [callName, legs] of Map.groupBy(rows, (row) => row.name)) {
    const callId = toProven(
      callName,
      legs.flatMap(({ id }) => byId.get(id) ?? []),
      form,
    );
    const names = judge.hasWords ? [callName] : [];
    const chatOf = await readChats(ask, names, form.toMessage);
    for (const { state } of await listOfCall(ask, form, callId))
      if (judge.judgePast(state, () => chatOf(callId)).length > 0)
        pins.push({ hold: name, callId });
  }
  return pins;
}

/**
 * The call_id of these records, which have its digest in `call_name`: it can be read from a damaged one, too. Throws `StoreFault` if it cannot
 * be read from any: the call may be one that is held.
 */
function toProven(name: string, legs: readonly CallRow[], form: RecordForm): string {
  for (const row of legs) {
    const callId = form.readNames(row)?.call_id;
    if (typeof callId === "string" && toName(callId) === name) return callId;
  }
  const [row] = legs;
  throw notWritten(row === undefined ? "a call" : nameCall(row, form.readNames(row)));
}

/** For `Internals`. */
export async function* listKept(ask: Ask): AsyncGenerator<InternalRow> {
  const holds = await readHolds(ask);
  const acts = await readActs(
    ask,
    holds.map(({ act }) => act),
  );
  for (const { act, ...hold } of holds) {
    const added = acts.get(act);
    if (added !== undefined) yield { kind: "hold", ...hold, added };
  }
  const held = await ask<{ hold: string; call_id: string }>("SELECT hold, call_id FROM held");
  const byHold = Map.groupBy(held, ({ hold }) => hold);
  for (const hold of inBytes(byHold.keys()))
    for (const callId of inBytes((byHold.get(hold) ?? []).map(toCallId)))
      yield { kind: "held", hold, callId };
  const { callIds, references } = await readOwed(ask);
  const toReason = (reason: string | null = null) => (reason === null ? {} : { reason });
  for (const callId of inBytes(callIds.keys()))
    yield { kind: "owed", callId, ...toReason(callIds.get(callId)) };
  for (const reference of inBytes(references.keys()))
    yield { kind: "owed_reference", reference, ...toReason(references.get(reference)) };
}

const toCallId = ({ call_id }: { readonly call_id: string }): string => JSON.parse(call_id);

/** Writes a row that `listKept` has returned. */
export async function putKept(ask: Ask, row: InternalRow): Promise<void> {
  if (row.kind === "held") await savePins(ask, [row]);
  await saveOwed(ask, toOwedRow(row));
  if (row.kind !== "hold") return;
  if ((await readHolds(ask)).some(({ name }) => name === row.name)) return;
  const { atMs, operation, operator, run = null } = row.added;
  const [act] = await ask<{ id: number }>(
    `INSERT INTO act (at_ms, operation, operator, run) VALUES ($1::float8, $2::text, $3::text, $4::text) RETURNING id::float8`,
    [atMs, operation, operator, run],
  );
  await putHold(ask, { ...row, act: act?.id ?? 0 });
}
