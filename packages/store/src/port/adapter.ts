// What an adapter gives for its places: `open.ts` finds it by the scheme of their address.
import type { CallStore } from "./call-store.ts";
import type { Maintenance } from "./maintenance.ts";

export interface OpenOptions {
  /** Opens an archive whose access log lost rows as well, which is refused else: to read what is left of the log. */
  readonly toInspect?: boolean | undefined;
}

export interface CreateOptions {
  /** IANA name (D03); default UTC. One that has calls or chats keeps its own. */
  readonly timeZone?: string | undefined;
}

export interface DryRunOptions extends CreateOptions {
  /** Ends the dry run at once, and what it keeps meanwhile. */
  readonly signal?: AbortSignal | undefined;
  /** Told now and then how much of the records is copied. */
  readonly onCopied?: ((bytesDone: number, bytesTotal: number) => void) | undefined;
}

/** What there is for the places of one scheme. All of it throws `ArchiveError` for places that cannot be used. */
export interface Adapter {
  /** Whether an archive, or what is left of one, is there. */
  readonly exists: () => Promise<boolean>;
  readonly open: (options: OpenOptions) => Promise<CallStore>;
  /** Opens the archive, or makes an empty one. */
  readonly create: (options: CreateOptions) => Promise<CallStore>;
  /** Of an archive that cannot be opened, too. */
  readonly maintenance: Maintenance;
  /** An archive like that of these places, which is forgotten when it is closed; recordings are only hashed. */
  readonly openDryRun?: (options: DryRunOptions) => Promise<CallStore>;
}
