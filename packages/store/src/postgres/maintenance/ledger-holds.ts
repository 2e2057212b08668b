// Makes an archive in PostgreSQL and its ledger agree on the holds. The ledger is written first: a process that is killed between the two
// leaves a hold too many, never one too few.
import type { Act } from "../../port/history.ts";
import { createHoldJudge, type StoredHold } from "../../values/holds.ts";
import type { OwnLedger } from "../../values/ledger.ts";
import {
  compareHolds,
  hasChanges,
  type HoldChanges,
  type LedgerHold,
  putHold as putToldHold,
  readHolds as readToldHolds,
  toUnion,
} from "../../values/ledger-holds.ts";
import { inHaste } from "../../values/ledger-reach.ts";
import type { Archive } from "../archive.ts";
import type { Ask } from "../connection.ts";
import { isWhole } from "../digested.ts";
import { type Pin, readHolds, savePins } from "../holds.ts";
import { lockHolds } from "../locks.ts";
import { readActs } from "../writing/acts.ts";
import { inTransaction, toOwn } from "./ledger.ts";
import { listPastPins } from "./past-pins.ts";

const NO_CHANGES: HoldChanges = { added: [], released: [], widened: [], told: [] };

/** Without holds whose act is damaged: nothing says when they were added. */
export async function listHolds(ask: Ask): Promise<readonly LedgerHold[]> {
  const stored = await readHolds(ask);
  const acts = await readActs(
    ask,
    stored.map(({ act }) => act),
  );
  const pins = await ask<{ hold: string; call_id: string }>(
    `SELECT hold, call_id FROM held WHERE ${isWhole("held")}`,
  );
  const byHold = Map.groupBy(pins, ({ hold }) => hold);
  const toCallId = (row: { readonly call_id: string }): string => JSON.parse(row.call_id);
  return stored.flatMap(({ act, ...hold }) => {
    const added = acts.get(act);
    const callIds = toUnion((byHold.get(hold.name) ?? []).map(toCallId), []);
    return added === undefined ? [] : [{ ...hold, added, callIds }];
  });
}

const compare = async (ask: Ask, own: OwnLedger): Promise<HoldChanges> =>
  compareHolds(await listHolds(ask), await readToldHolds(own));

export const compareWithLedger = async (archive: Archive): Promise<HoldChanges> => {
  const own = toOwn(archive);
  return own === undefined ? NO_CHANGES : await compare(archive.write.ask, own);
};

/** Returns what was changed. Throws `LedgerFault` for a damaged ledger. */
export async function matchHolds(archive: Archive): Promise<HoldChanges> {
  const own = toOwn(archive);
  const seen = await compareWithLedger(archive);
  if (own === undefined || !hasChanges(seen)) return seen;
  return await archive.write.transact(
    async (transaction) => {
      await lockHolds(transaction, true);
      const { ask } = transaction;
      const there = inTransaction({ ...own, place: inHaste(own.place) });
      const changes = await compare(ask, there);
      for (const hold of changes.told) await putToldHold(there, hold);
      for (const name of changes.released) await removeHold(ask, name);
      for (const hold of changes.added) await replaceHold(ask, archive.settings, hold);
      for (const { name: hold, callIds } of changes.widened)
        await savePins(
          ask,
          callIds.map((callId) => ({ hold, callId })),
        );
      return changes;
    },
    { isLong: true },
  );
}

/** False if the archive has no hold of the name. */
export const removeHold = async (ask: Ask, name: string): Promise<boolean> =>
  (await ask("DELETE FROM hold WHERE name = $1::text RETURNING 1", [name])).length > 0;

async function replaceHold(
  ask: Ask,
  settings: Archive["settings"],
  { callIds, added, ...hold }: LedgerHold,
): Promise<void> {
  await removeHold(ask, hold.name);
  await insertHold(ask, settings, { ...hold, act: await addAct(ask, added) });
  await savePins(
    ask,
    callIds.map((callId) => ({ hold: hold.name, callId })),
  );
}

/** The act of a command that another copy of the archive has recorded; returns its id. */
export async function addAct(ask: Ask, { atMs, operation, operator, run }: Act): Promise<number> {
  const [act] = await ask<{ id: number }>(
    `INSERT INTO act (at_ms, operation, operator, run) VALUES ($1::float8, $2::text, $3::text, $4::text) RETURNING id::float8`,
    [atMs, operation, operator, run ?? null],
  );
  return act?.id ?? 0;
}

export const putHold = async (ask: Ask, { name, reason, asked, act }: StoredHold): Promise<void> =>
  void (await ask(
    "INSERT INTO hold (name, reason, asked, act) VALUES ($1::text, $2::text, $3::text, $4::int8)",
    [name, JSON.stringify(reason), asked, act],
  ));

/** A query also holds calls by the states before they were replaced. */
export async function insertHold(
  ask: Ask,
  settings: Archive["settings"],
  hold: StoredHold,
): Promise<void> {
  await putHold(ask, hold);
  if (hold.asked === null) return;
  const judge = createHoldJudge([hold], settings.timeZone);
  const pins: readonly Pin[] = await listPastPins(ask, settings, { judge, name: hold.name });
  await savePins(ask, pins);
}
