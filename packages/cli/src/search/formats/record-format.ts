// The type of a format of records, and its options.
import type { ShowDatetime } from "@call-media/conditions";
import type { CallRecord } from "@call-media/client";
import type { Content } from "../../terminal/output.ts";
import type { Field } from "@call-media/handover";

/** Writes records a batch at a time, so that a search of any length needs no more memory than a page. */
export interface RecordFormat {
  readonly begin: () => Content;
  /** Text includes line endings. */
  readonly add: (records: readonly CallRecord[]) => Content;
  readonly end: () => Content;
  /** A sentence about values that the format could not hold; undefined if it has all of them. */
  readonly toWarning?: () => string | undefined;
}

export interface FormatOptions {
  /** Fields to show, in this order; undefined: the default of the format. */
  readonly columns: readonly Field[] | undefined;
  readonly showDatetime: ShowDatetime;
  /** Columns of the terminal; Infinity for other outputs. */
  readonly width: number;
  /** IANA name of the zone of dates in a spreadsheet. Default: that of the archive, else UTC. */
  readonly timeZone: string | undefined;
  /** Zone of datetimes without an offset (D03, D34); undefined if unknown. */
  readonly archiveTimeZone: string | undefined;
}
