// The functions that an adapter provides for its places. `open.ts` finds the adapter by the scheme of the address.
import type { CallStore } from "./call-store.ts";
import type { Maintenance } from "./maintenance.ts";

export interface OpenOptions {
  /** Also opens an archive whose access log lost rows, so that the rest of the log can be read. Default: such an archive is refused. */
  readonly toInspect?: boolean | undefined;
  /** Also opens an archive that a migration has begun to fill. Default: such an archive is refused. */
  readonly toMigrate?: boolean | undefined;
  /** Called with a sentence if an opened archive may still contain what its ledger says is erased. */
  readonly onBehind?: ((why: string) => void) | undefined;
}

export interface CreateOptions extends Pick<OpenOptions, "toMigrate" | "onBehind"> {
  /** IANA name (D03); default UTC. An archive that has calls or chats keeps its own. */
  readonly timeZone?: string | undefined;
}

export interface DryRunOptions extends CreateOptions {
  /** Ends the dry run immediately and drops what it stored. */
  readonly signal?: AbortSignal | undefined;
  /** Called now and then with the amount of records copied. */
  readonly onCopied?: ((bytesDone: number, bytesTotal: number) => void) | undefined;
}

/** The functions for places of one scheme. Each throws `ArchiveError` for places that cannot be used. */
export interface Adapter {
  /** True if there is an archive, or the remains of one. */
  readonly exists: () => Promise<boolean>;
  readonly open: (options: OpenOptions) => Promise<CallStore>;
  /** Opens the archive, or creates an empty one. */
  readonly create: (options: CreateOptions) => Promise<CallStore>;
  /** Also works for an archive that cannot be opened. */
  readonly maintenance: Maintenance;
  /** A temporary copy of the archive, dropped when it is closed. Recordings are only hashed. */
  readonly openDryRun?: (options: DryRunOptions) => Promise<CallStore>;
}
