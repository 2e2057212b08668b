// The transactions of an erasure. Each has its entry in the ledger before it is committed, and removes nothing that a hold keeps.
import { mergeMarks, type StoredMark } from "../../values/ledger.ts";
import type { Notes } from "../../values/ledger-notes.ts";
import type { Debt, Mark } from "../../values/tombstones.ts";
import { type CallRow, createRecordForm, type RecordForm } from "../call-rows.ts";
import type { Ask, Transaction } from "../connection.ts";
import { elsewhere } from "../faults.ts";
import { readHolds, toHoldsMark } from "../holds.ts";
import { lockHolds } from "../locks.ts";
import { toName } from "../names.ts";
import { bury, toStored } from "../tombstones.ts";
import { toList } from "../values.ts";
import type { Doomed } from "./doomed.ts";
import { toIds } from "./doomed-calls.ts";
import type { AloneArchive } from "./open-alone.ts";

/** A hold was added or released: what to erase must be determined again. The transaction is rolled back. */
export class HoldsChanged extends Error {
  override readonly name = "HoldsChanged";
}

export interface Erasure {
  /** The row of the access log. */
  readonly erasure: number | null;
  /** See `Erased`. */
  readonly isForEver: boolean;
  /** See `ErasureFilter`. */
  readonly isSound: boolean;
  /** True if calls that do not exist leave marks, too. */
  readonly isOwed: boolean;
  readonly debt: Debt;
  /** Writes the next entries of the ledger; undefined for an archive without one. "are there": the ledger and the marks say it already. */
  readonly notes: Notes | "are there" | undefined;
}

/** What one transaction erases. */
export interface Batch extends Transaction {
  readonly doomed: Doomed;
  readonly addMarks: (marks: readonly Mark[]) => void;
  /** Notes the contents of these calls that no other call has. */
  readonly addSounds: (rows: readonly CallRow[]) => Promise<void>;
  /** Leaves tombstones, and writes the ledger; also called before the transaction ends. */
  readonly note: () => Promise<void>;
}

export function createBatches({ write, settings, prove }: AloneArchive, asked: Erasure) {
  const { erasure, isOwed } = asked;
  const isAgain = asked.notes === "are there";
  const notes = asked.notes === "are there" ? undefined : asked.notes;
  const form = createRecordForm(settings);
  const toMark = toStored(settings.tombstoneKey);
  // An erasure of what is owed names few calls.
  const noted = new Set<string>();
  let isBegun = false;

  const toBatch = (transaction: Transaction, doomed: Doomed): Batch => {
    const { ask } = transaction;
    let marks: StoredMark[] = [];
    const sounds = new Set<string>();
    return {
      ...transaction,
      doomed,
      addMarks: (some) => void marks.push(...some.map(toMark)),
      addSounds: async (rows) => {
        for (const one of await listSounds(ask, rows, form))
          if (doomed.contents.has(one)) sounds.add(one);
      },
      note: async () => {
        const [own, contentsOf] = [mergeMarks(marks), [...sounds]];
        [marks] = [[]];
        sounds.clear();
        if (isAgain || own.length + contentsOf.length === 0) return;
        if (isOwed) for (const [mark] of own) noted.add(mark);
        await bury(ask, own, { erasure });
        isBegun = true;
        await notes?.erase(own, contentsOf);
      },
    };
  };

  /**
   * Runs in a transaction during which no hold can be added, so everything that was planned is still valid. The ledger has what it erases
   * before it is committed.
   */
  const transact = <T>(doomed: Doomed, work: (batch: Batch) => Promise<T>) =>
    write.transact(
      async (transaction) => {
        await lockHolds(transaction, false);
        // Otherwise an import may bring what the entry of the ledger would name.
        await elsewhere(prove());
        const { holdsMark } = doomed;
        if (!isAgain && toHoldsMark(await readHolds(transaction.ask)) !== holdsMark)
          throw new HoldsChanged();
        const batch = toBatch(transaction, doomed);
        const done = await work(batch);
        await batch.note();
        return done;
      },
      { isLong: true },
    );

  return {
    transact,
    notes,
    /** True if the ledger and the marks say already what is erased. */
    isAgain,
    /** True once the ledger has an entry that is not applied. */
    isBegun: () => isBegun,
    /** Leaves marks that existing ones of the same name outlast, and writes them into the ledger. */
    noteKept: async ({ ask }: Batch, own: readonly StoredMark[]): Promise<void> => {
      await bury(ask, own, { erasure, isKept: true });
      if (own.length === 0) return;
      isBegun = true;
      await notes?.erase(mergeMarks(own), []);
    },
    /** True if a batch has left this mark. */
    isNoted: (mark: string) => noted.has(mark),
  };
}

/** The contents of these calls, and of their earlier states. */
async function listSounds(
  ask: Ask,
  rows: readonly CallRow[],
  form: RecordForm,
): Promise<readonly string[]> {
  const names = rows.flatMap((row) => form.readNames(row)?.call_id ?? []).map(toName);
  const found = await ask<{ sha256: string }>(
    `SELECT encode(sha256, 'hex') AS sha256 FROM recording WHERE call = ANY($1::int8[]) UNION
     SELECT encode(sha256, 'hex') FROM version_recording JOIN version ON version.id = version_recording.version
       WHERE kind = 'call' AND name = ANY($2::uuid[])`,
    [toIds(rows), toList(new Set(names))],
  );
  return found.map(({ sha256 }) => sha256);
}
