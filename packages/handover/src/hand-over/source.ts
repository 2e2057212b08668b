// What the writer of a hand-over is given: the calls with their files, and how they were found.
import type { CallRecord } from "@call-media/client";
import type { Exporter } from "../export/exporter.ts";
import type { Searched } from "../export/findings.ts";
import type { Item, Outcome } from "../export/manifest.ts";
import type { Listed } from "../export/report.ts";
import type { ViewerMessage } from "./viewer.ts";

/** A file that was received. */
export interface ReceivedFile {
  /** Path within the export. */
  readonly file: string;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly content: AsyncIterable<Uint8Array>;
}

/** What became of one file of a record. */
export interface HandedFile {
  readonly item: Item;
  readonly outcome: Outcome;
}

/** A record, and what became of its files. */
export interface HandedCall {
  /** With its masks. */
  readonly record: CallRecord;
  /** Index of the search that found it. */
  readonly span: number;
  readonly files: readonly HandedFile[];
  /** What was written in the call. */
  readonly readMessages: () => Promise<readonly ViewerMessage[]>;
  /** True for an earlier version of a record that was edited between two searches. */
  readonly isSuperseded: boolean;
}

/** What is handed over. */
export interface HandOverSource {
  readonly search: Searched;
  readonly exportedBy: Exporter;
  /** When the export was begun: UTC, ISO 8601. */
  readonly beganAt: string;
  /** The clock, which says when the export was finished. */
  readonly now: () => Date;
  /** The searches by which the calls were found. */
  readonly spans: readonly Listed[];
  /** IANA name of the zone of dates in the sheet. Default: that of the archive, else UTC. */
  readonly timeZone?: string | undefined;
  /** Read first, and once. */
  readonly files: () => AsyncIterable<ReceivedFile>;
  /** In the order of the search. Read after the files, several times. */
  readonly calls: () => AsyncIterable<HandedCall>;
}
