// The input for the writer of a hand-over: the calls with their files, and how they were found.
import type { CallRecord } from "@call-media/client";
import type { Exporter } from "../export/exporter.ts";
import type { Searched } from "../export/findings.ts";
import type { Item, Outcome } from "../export/manifest.ts";
import type { Listed } from "../export/report.ts";
import type { ViewerMessage } from "./viewer.ts";

/** A file that was received. */
export interface ReceivedFile {
  /** The path within the export. */
  readonly file: string;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly content: AsyncIterable<Uint8Array>;
}

/** The result for one file of a record. */
export interface HandedFile {
  readonly item: Item;
  readonly outcome: Outcome;
}

/** A record, and the results for its files. */
export interface HandedCall {
  /** Masked. */
  readonly record: CallRecord;
  /** The index of the search that found it. */
  readonly span: number;
  readonly files: readonly HandedFile[];
  /** The messages of the call. */
  readonly readMessages: () => Promise<readonly ViewerMessage[]>;
  /** True for an earlier version of a record that was edited between two searches. */
  readonly isSuperseded: boolean;
}

/** The content of a hand-over. */
export interface HandOverSource {
  readonly search: Searched;
  readonly exportedBy: Exporter;
  /** When the export began: UTC, ISO 8601. */
  readonly beganAt: string;
  /** The clock, for the time when the export was finished. */
  readonly now: () => Date;
  /** The searches that found the calls. */
  readonly spans: readonly Listed[];
  /** IANA name of the time zone of dates in the sheet. Default: that of the archive, else UTC. */
  readonly timeZone?: string | undefined;
  /** Read first, and only once. */
  readonly files: () => AsyncIterable<ReceivedFile>;
  /** In the order of the search. Read after the files, several times. */
  readonly calls: () => AsyncIterable<HandedCall>;
}
