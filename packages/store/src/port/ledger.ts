// The ledger of erasures: numbered texts outside the database. If the database is set back to an earlier state, the ledger still says what
// was erased since.

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
}

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
  /** For an archive into which another one is migrated, with its ledger. */
  putHead(head: LedgerHead): Promise<void>;
}
