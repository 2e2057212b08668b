// The records that a search has found, a page at a time.
import type { CallRecord, CallSearch } from "@call-media/client";

export interface Found {
  readonly pages: () => AsyncIterable<FoundPage>;
  readonly report: Pick<
    CallSearch["report"],
    "rows" | "duplicates" | "windows" | "verdict" | "chats"
  >;
  /** With a list of identifiers: those without a record, or without one that may be seen (D21), so far. */
  readonly missing?: readonly string[];
}

export interface FoundPage {
  readonly records: readonly CallRecord[];
  /** Undefined in a folder. */
  readonly response?: Response;
}
