// What an adapter provides for its places; `open.ts` finds the adapter by the scheme of the address.
import type { CallStore } from "./call-store.ts";
import type { Maintenance } from "./maintenance.ts";

export interface OpenOptions {
  /**
   * Also opens an archive whose access log lost rows, which is refused otherwise, so that the rest of the log can be
   * read.
   */
  readonly toInspect?: boolean | undefined;
  /** Also opens an archive that a migration has begun to fill, which is refused otherwise. */
  readonly toMigrate?: boolean | undefined;
  /** Told why an archive that is opened may still have what its ledger says is erased, in a sentence. */
  readonly onBehind?: ((why: string) => void) | undefined;
}

export interface CreateOptions {
  /** IANA name (D03); default UTC. One that has calls or chats keeps its own. */
  readonly timeZone?: string | undefined;
  /** See `OpenOptions`. */
  readonly toMigrate?: boolean | undefined;
}

export interface DryRunOptions extends CreateOptions {
  /** Ends the dry run at once, and what it keeps meanwhile. */
  readonly signal?: AbortSignal | undefined;
  /** Told now and then how much of the records is copied. */
  readonly onCopied?: ((bytesDone: number, bytesTotal: number) => void) | undefined;
}

/** The functions for places of one scheme. All of it throws `ArchiveError` for places that cannot be used. */
export interface Adapter {
  /** True if there is an archive, or the rest of one. */
  readonly exists: () => Promise<boolean>;
  readonly open: (options: OpenOptions) => Promise<CallStore>;
  /** Opens the archive, or makes an empty one. */
  readonly create: (options: CreateOptions) => Promise<CallStore>;
  /** Also works for an archive that cannot be opened. */
  readonly maintenance: Maintenance;
  /** An archive like that of these places, which is forgotten when it is closed; recordings are only hashed. */
  readonly openDryRun?: (options: DryRunOptions) => Promise<CallStore>;
}
