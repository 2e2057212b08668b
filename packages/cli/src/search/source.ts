// The source of a search: a service, or an exported folder.
import type { CallRecord } from "@call-media/client";
import type { Connection } from "../access/connect.ts";
import type { Counted, CountedGroup, Counting } from "./counting.ts";
import type { FoundFew } from "./wider.ts";
import type { WantedFields } from "./wanted.ts";
import type { Found } from "./found.ts";

export type CountedFound = Counted & { readonly groups?: readonly CountedGroup[] | undefined };

export interface Source extends AsyncDisposable {
  readonly archiveZone: Connection["archiveZone"];
  /** The condition to test on each record. */
  readonly condition: WantedFields["condition"];
  /** A test of the days, if they are in another time zone than the search's. */
  readonly isOfDays?: (record: CallRecord) => boolean;
  readonly open: () => Found;
  /** Counts all records, or by the value that was chosen when the source was opened. */
  readonly count: (
    counting: Required<Pick<Counting, "filter" | "onRead">>,
  ) => Promise<CountedFound>;
  /** Hints for a search by words that found little; missing if unsupported. */
  readonly listHints?: (found: FoundFew) => Promise<readonly string[]>;
  /** Explains why nothing was found, after `came` records did not pass the filter here. */
  readonly explain: (came: number) => Promise<string>;
  /** The messages of a call, one per line; undefined if the caller has no access to them. */
  readonly readChatText: (call_id: string) => Promise<string | undefined>;
}

/** The part of a search that both sources share. */
export interface Asked {
  /** Instead of days and values. */
  readonly ids: readonly string[] | undefined;
  readonly signal: AbortSignal;
}
