// Where calls are searched: a service, or an exported folder.
import type { CallRecord } from "@call-media/client";
import type { Connection } from "../access/connect.ts";
import type { Counted, CountedGroup, Counting } from "./counting.ts";
import type { FoundFew } from "./wider.ts";
import type { WantedFields } from "./wanted.ts";
import type { Found } from "./found.ts";

export type CountedFound = Counted & { readonly groups?: readonly CountedGroup[] | undefined };

export interface Source extends AsyncDisposable {
  readonly archiveZone: Connection["archiveZone"];
  /** What is left to be judged of each record. */
  readonly condition: WantedFields["condition"];
  /** Likewise, where the days are of another zone than those that were searched. */
  readonly isOfDays?: (record: CallRecord) => boolean;
  readonly open: () => Found;
  /** Counts all, or by the value that the source was opened to count by. */
  readonly count: (
    counting: Required<Pick<Counting, "filter" | "onRead">>,
  ) => Promise<CountedFound>;
  /** Sentences about a search by words that found little; none where that is not known. */
  readonly listHints?: (found: FoundFew) => Promise<readonly string[]>;
  /** Says why nothing was found, after `came` records did not pass the filter here. */
  readonly explain: (came: number) => Promise<string>;
  /** The messages of a call, a line each; undefined if the caller may not read them. */
  readonly readChatText: (call_id: string) => Promise<string | undefined>;
}

/** The part of a search that both sources share. */
export interface Asked {
  /** Instead of days and values. */
  readonly ids: readonly string[] | undefined;
  readonly signal: AbortSignal;
}
