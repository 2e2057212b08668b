// The ledger: numbered texts of what was erased, and a text for each hold, outside the database. If the database is set back to an earlier
// state, the ledger still says what was erased since, and what is held.

/** Where the entries are stored. Every method throws `StoreFault` if the place cannot be reached. */
export interface LedgerPlace {
  /** For messages. */
  readonly name: string;
  /** The numbers of all entries, ascending. */
  list(): Promise<readonly number[]>;
  /** Undefined if there is no such entry. */
  read(number: number): Promise<string | undefined>;
  /** Stores the entry whole or not at all, durably before it resolves. False if another entry has the number. */
  add(number: number, text: string): Promise<boolean>;
  /** The texts of all holds; see values/ledger-holds.ts. */
  listHolds(): Promise<readonly HoldText[]>;
  /** Stores the text as `add` does, and replaces an earlier one. `forgets`: no version of that stays, as far as the place allows it. */
  putHold(file: string, text: string, forgets?: boolean): Promise<void>;
}

export interface HoldText {
  readonly file: string;
  readonly text: string;
}

/**
 * What an entry says of its marks. `erased`: one batch of an erasure; `lifted`: what an import let in again; `owed`: what an erasure named
 * while a hold kept it; `settled`: references of which no record is left that was owed.
 */
export type EntryKind = "erased" | "lifted" | "owed" | "settled";

/** The newest ledger entry that an archive has applied. */
export interface LedgerHead {
  readonly number: number;
  /** SHA-256 of the entry; undefined before the first, and after an operator went on without the ledger. */
  readonly digest: string | undefined;
}

/** The ledger of one archive. */
export interface ArchiveLedger {
  readonly place: LedgerPlace;
  readHead(): Promise<LedgerHead>;
  /**
   * For an archive into which another one is migrated, after the copy of the ledger. Erases what the new entries name, which an earlier
   * migration may have moved. The access log gets no row, because the migration adds those of the other archive.
   */
  follow(head: LedgerHead): Promise<void>;
}
