// The records found by a search, one page at a time.
import type { CallRecord, CallSearch } from "@call-media/client";

export interface Found {
  readonly pages: () => AsyncIterable<FoundPage>;
  readonly report: Pick<
    CallSearch["report"],
    "rows" | "duplicates" | "windows" | "verdict" | "chats"
  >;
  /** With a list of identifiers: those so far without a record that the caller may see (D21). */
  readonly missing?: readonly string[];
}

export interface FoundPage {
  readonly records: readonly CallRecord[];
  /** Undefined for a folder. */
  readonly response?: Response;
}
