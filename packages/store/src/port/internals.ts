// The contents of an archive that do not come from imports: hashes of credentials, the access log, and the keys of tombstones.
// Read and written in stored form, to move an archive to other places.
import type { Application, Bearer } from "./credentials.ts";
import type { Act } from "./history.ts";

/** An issued credential; `revokedMs` is set once. */
export type Revocable<T> = T & { readonly revokedMs?: number };

export type InternalRow =
  | { readonly kind: "setting"; readonly name: InternalSetting; readonly value: string }
  | { readonly kind: "application"; readonly application: Revocable<Application> }
  | { readonly kind: "bearer"; readonly bearer: Revocable<Bearer> }
  | StoredTombstone
  | KeptHold
  | { readonly kind: "held"; readonly hold: string; readonly callId: string }
  | { readonly kind: "owed"; readonly callId: string; readonly reason?: string }
  | { readonly kind: "owed_reference"; readonly reference: string; readonly reason?: string }
  | LoggedRow;

/** A hold and who added it. `asked`: see values/holds.ts. */
export interface KeptHold {
  readonly kind: "hold";
  readonly name: string;
  readonly reason: string;
  readonly asked: string | null;
  readonly added: Act;
}

/** `mark`: hexadecimal; see values/tombstones.ts. `erasure`: the row of the access log that says who erased it. */
export interface StoredTombstone {
  readonly kind: "tombstone";
  readonly mark: string;
  /** The last day that it covers, counted from 1970; null if it covers every day. */
  readonly untilDay: number | null;
  readonly erasure: number | null;
}

/** A row of the access log. `entry`: the JSON text that was hashed. */
export interface LoggedRow {
  readonly kind: "access";
  readonly seq: number;
  readonly entry: string;
  readonly hash: string;
}

/**
 * `policy`: JSON, see values/retention.ts; absent without one. `owed_marks`: JSON, see values/owed-marks.ts; absent without any. `migrating`: when a migration into this archive began, ISO 8601.
 * `migrated_after`: the id of the last scanned row that it moved. Both are empty when the migration is over.
 */
export type InternalSetting =
  | "archive_id"
  | "tombstone_key"
  | "policy"
  | "owed_marks"
  | "time_zone"
  | "migrating"
  | "migrated_after";

export interface Internals {
  /**
   * Reads settings, applications, API keys, other bearers, tombstones, holds, held calls and owed calls. The rows of the access log
   * after `afterSeq` come last.
   */
  read(afterSeq?: number): AsyncIterable<InternalRow>;
  /**
   * Writes rows in the order of `read`, all or none of them. Rows with the same key are overwritten. Throws
   * `ArchiveError` for a row of the access log that does not follow the newest one here.
   */
  write(rows: readonly InternalRow[]): Promise<void>;
}
