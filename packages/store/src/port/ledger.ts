// The ledger of erasures: numbered texts outside of the database. A database that is set back to an earlier state finds there what was
// erased since.

/** Where the entries lie. Everything throws `StoreFault` where the place cannot be reached. */
export interface LedgerPlace {
  /** For messages. */
  readonly name: string;
  /** The numbers of all entries, ascending. */
  list(): Promise<readonly number[]>;
  /** Undefined where there is none. */
  read(number: number): Promise<string | undefined>;
  /** Keeps it whole or not at all; it is safe when this resolves. False if another entry has the number. */
  add(number: number, text: string): Promise<boolean>;
}

/** How far an archive has come in its ledger. */
export interface LedgerHead {
  readonly number: number;
  /** SHA-256 of the entry; undefined before the first, and where an operator has gone on without the ledger. */
  readonly digest: string | undefined;
}

/** That of an archive. */
export interface ArchiveLedger {
  readonly place: LedgerPlace;
  readHead(): Promise<LedgerHead>;
  /** For an archive into which another one is migrated, with its ledger. */
  putHead(head: LedgerHead): Promise<void>;
}
