// Calls, their recordings and chats, as a caller may see them.
import type { Schema } from "@call-media/api";
import type { Query } from "@call-media/words";
import type { Media } from "./media.ts";

export type MetadataRecord = Schema<"MetadataRecord">;
export type ChatMessageRecord = Schema<"ChatMessageRecord">;
export type FilterField = keyof Schema<"MetadataFilter"> | keyof Schema<"CustomFieldsFilter">;
export type Filter = Readonly<Partial<Record<FilterField, string | number>>>;

/** One condition of D21: the record's `field` must have one of the `allowed` match keys; null has none. */
export interface Restriction {
  readonly field: FilterField;
  readonly allowed: readonly string[];
}

/**
 * A caller's rights to records: everything, or all restrictions at once. The type excludes an empty list, so lost rights do not
 * compile.
 */
export type Visibility = "everything" | readonly [Restriction, ...Restriction[]];

/** A date range, the conditions (ANDed, D08), and the page of 50 matching records. */
export interface CallSearch {
  readonly filter: Filter;
  /** ANDed with the filter (D30). Adapters without `hasWordSearch` never receive it. */
  readonly words?: Query | undefined;
  /** Calendar days in the archive's time zone, YYYY-MM-DD, both inclusive (D06). */
  readonly startDate: string;
  readonly endDate: string;
  /** Counts from 0 (D07). */
  readonly pageIndex: number;
  readonly visibility: Visibility;
  /** True to count the matching records of all pages exactly (D10). */
  readonly isCounted: boolean;
  /**
   * The caller: searches of one caller wait for each other, not for those of other callers (D23). Undefined: callers are not
   * distinguished.
   */
  readonly by?: string | undefined;
}

export interface CallPage {
  /** Newest instant first, ties by import order (D09). */
  readonly records: MetadataRecord[];
  /** Present when the search asked for it. */
  readonly recordCount?: number;
  readonly hasNext: boolean;
  /** Records of a full page (D07). */
  readonly pageSize: number;
}

/**
 * Records as a caller may see them: what `visibility` hides is left out of every result and every count (D21). A damaged record
 * throws a `StoreFault`. In lookups by identifier, it is hidden from a caller with restrictions.
 */
export interface Calls {
  byCallId(callId: string, visibility: Visibility): Promise<MetadataRecord[]>;
  /** By reference, session or master identifier. */
  byReference(reference: string, visibility: Visibility): Promise<MetadataRecord[]>;
  /**
   * Throws `StoreFault`: `busy` if it would take too long, or if too many others wait; `broad` if the caller sees too many calls for
   * a short prefix (D30).
   */
  search(search: CallSearch): Promise<CallPage>;
  /** The recordings of a call, or of a reference, in the order of D17. */
  recordings(
    of: { callId: string } | { reference: string },
    visibility: Visibility,
  ): Promise<FoundRecording[]>;
  /** The chat of a call, oldest message first. If it has no call record, its restricted fields count as null. */
  chat(callId: string, visibility: Visibility): Promise<ChatMessageRecord[]>;
}

export interface Recording {
  readonly filename: string;
  /** The start, in ms since 1970. If unknown, the datetime of its record counts (D17). */
  readonly startMs?: number | undefined;
  readonly media: Media;
}

/** A recording with the values that distinguish its record from others (D38). */
export interface FoundRecording extends Recording {
  readonly owner: RecordingOwner;
}

export type RecordingOwner = Pick<MetadataRecord, "call_id" | "ref_id" | "datetime">;
