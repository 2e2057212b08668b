// The ledger of an archive in PostgreSQL. It belongs to the place of the recordings.
import type { LedgerHead } from "../../port/ledger.ts";
import type { Writer } from "../../port/access-log.ts";
import {
  type Behind,
  type OwnLedger,
  parseHead,
  readBehind,
  replay,
  toHeadText,
} from "../../values/ledger.ts";
import { createLedgerWriter, type LedgerWriter, NO_OPERATOR } from "../../values/ledger-notes.ts";
import { isNothing } from "../../values/owed-marks.ts";
import type { Archive } from "../archive.ts";
import type { Ask, Transaction } from "../connection.ts";
import { elsewhere } from "../faults.ts";
import { lockLedger } from "../locks.ts";
import { findSetting, putSetting } from "../settings.ts";
import { listTombstones } from "../tombstones.ts";
import { listMarks } from "./owed.ts";

const ERASURES = "erasures";

type Ledgered = Pick<Archive, "media" | "settings">;

/** Undefined if the place of the recordings has none. */
export const toOwn = ({ media, settings }: Ledgered): OwnLedger | undefined =>
  media.ledger === undefined ? undefined : { place: media.ledger, archiveId: settings.archiveId };

/** For use in a transaction. */
export const inTransaction = ({ place, archiveId }: OwnLedger): OwnLedger => ({
  archiveId,
  place: {
    ...place,
    list: () => elsewhere(place.list()),
    read: (number) => elsewhere(place.read(number)),
    add: (number, text) => elsewhere(place.add(number, text)),
    listHolds: () => elsewhere(place.listHolds()),
    putHold: (...given) => elsewhere(place.putHold(...given)),
  },
});

export const readHead = async (ask: Ask): Promise<LedgerHead> =>
  parseHead(await findSetting(ask, ERASURES));

/** Call it when nothing is left of what the entries up to this one name. */
export const putHead = async (ask: Ask, head: LedgerHead): Promise<void> =>
  await putSetting(ask, ERASURES, toHeadText(head));

/** Adds entries after those that the archive has applied, in transactions. */
export const openWriter = async (
  ask: Ask,
  own: OwnLedger,
  { tombstoneKey }: Pick<Archive["settings"], "tombstoneKey">,
): Promise<LedgerWriter> =>
  createLedgerWriter(inTransaction(own), {
    head: await readHead(ask),
    listBefore: async () => ({
      marks: await listTombstones(ask),
      owed: await listMarks({ ask, tombstoneKey }),
    }),
  });

/** See `tellBefore` of `LedgerWriter`. For an archive whose ledger has no entry yet. */
export async function tellBefore({ write, ...archive }: Archive): Promise<void> {
  const own = toOwn(archive);
  if (own === undefined || !(await isUntold(write.ask, archive))) return;
  if ((await own.place.list()).length > 0) return;
  await write.transact(
    async (transaction) => {
      const { ask } = transaction;
      await lockLedger(transaction, true);
      const { place } = inTransaction(own);
      if (!(await isUntold(ask, archive)) || (await place.list()).length > 0) return;
      const writer = await openWriter(ask, own, archive.settings);
      await writer.tellBefore(NO_OPERATOR);
      await putHead(ask, writer.head());
    },
    { isLong: true },
  );
}

async function isUntold(ask: Ask, { settings }: Ledgered): Promise<boolean> {
  if ((await readHead(ask)).number > 0) return false;
  const [row] = await ask<{ is: boolean }>("SELECT EXISTS (SELECT FROM tombstone) AS is");
  return row?.is === true || !isNothing(await listMarks({ ask, ...settings }));
}

/** The entries that the archive has not applied. Throws as `readBehind` does. */
export async function readNew(archive: Archive): Promise<Behind> {
  const own = toOwn(archive);
  if (own === undefined) return { entries: [], head: parseHead(undefined) };
  return await archive.write.transact(
    async (transaction) => {
      // What an import is adding has its entry before it is committed.
      await lockLedger(transaction, false);
      return await readBehind(inTransaction(own), await readHead(transaction.ask));
    },
    { isLong: true },
  );
}

/**
 * True if an entry names what is not erased here yet, because a purge was interrupted, or the archive was set back. For use under the lock of
 * the holds, which a purge has from its entry to the end of the transaction that leaves the marks. Throws as `readBehind` does.
 */
export async function isPending(transaction: Transaction, own: OwnLedger): Promise<boolean> {
  const { ask } = transaction;
  await lockLedger(transaction, false);
  const { entries } = await readBehind(own, await readHead(ask));
  const marks = Array.from(replay(entries).erased, ([mark, until]) => ({ mark, until }));
  const [row] = await ask<{ is: boolean }>(
    `SELECT EXISTS (SELECT FROM json_to_recordset($1::text::json) AS given (mark text, until int4) WHERE NOT EXISTS
       (SELECT FROM tombstone WHERE tombstone.mark = decode(given.mark, 'hex') AND (until_day IS NULL OR until_day >= until))) AS is`,
    [JSON.stringify(marks)],
  );
  return row?.is === true;
}

interface Lifted {
  /** Hexadecimal. */
  readonly marks: readonly string[];
  readonly writer: Writer | undefined;
}

/** Says what an import lets in again although a purge has erased it, so that a restore of an earlier state does not erase it again. */
export async function lift(
  transaction: Transaction,
  archive: Ledgered,
  { marks, writer }: Lifted,
): Promise<void> {
  const own = toOwn(archive);
  if (own === undefined || marks.length === 0) return;
  await lockLedger(transaction, true);
  const ledger = await openWriter(transaction.ask, own, archive.settings);
  const lifted = marks.map((mark) => [mark, null] as const);
  const by = writer?.operator ?? "";
  await ledger.append({ kind: "lifted", by, why: {}, marks: lifted, sounds: [] });
  await putHead(transaction.ask, ledger.head());
}
