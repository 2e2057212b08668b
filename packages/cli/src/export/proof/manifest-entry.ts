// The lines of a manifest, made of what the journals say.
import type { CallRecord } from "@call-media/client";
import { SHEET_TYPE } from "@call-media/handover";
import type { Field } from "../../search/where/comparison.ts";
import { type Item, NO_FILE, type Outcome, type Row, toRecord } from "../journal/entries.ts";
import type { Outcomes } from "../journal/outcomes.ts";
import { findWanting, listItems } from "../journal/placing.ts";
import type { Plan } from "../plan/plan.ts";
import { listMasked } from "../plan/redaction.ts";

/** A line: one file that a record should have, or the metadata itself. */
export interface ManifestEntry {
  readonly kind: Item["kind"] | "metadata";
  readonly call_id: string | null;
  readonly ref_id: string | null;
  readonly part: number | null;
  readonly file: string | null;
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly content_type: string | null;
  readonly verified: Outcome["verified"];
  readonly status: Outcome["status"];
  readonly attempts: number;
  readonly error: string | null;
  /** Fields whose values are masked in the file for good; none where nothing is, as in what was recorded. */
  readonly redacted: readonly Field[];
}

/** A file as it was written. */
export interface Written {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

const TYPES = { jsonl: "application/jsonl", csv: "text/csv", xlsx: SHEET_TYPE } as const;

/** An entry, and the day of its record: lines are put in the order of the days. */
export interface DayEntry {
  readonly day: string;
  readonly entry: ManifestEntry;
}

/** Of some records of a journal, in their order; also of files that are none, which the manifest has not. */
export function* toEntries(
  plan: Plan,
  rows: readonly Row[],
  outcomes: Outcomes,
): Generator<DayEntry> {
  const redacted = { recording: [], transcript: listMasked(plan) };
  for (const row of findWanting(plan, rows)) {
    const record = toRecord(row);
    for (const item of listItems(plan, row)) {
      const outcome = outcomes.get(item) ?? NOT_TRIED;
      const entry = { ...toEntry(record, item, outcome), redacted: redacted[item.kind] };
      yield { day: row.day, entry };
    }
  }
}

const NOT_TRIED: Outcome = {
  ...NO_FILE,
  status: "failed",
  attempts: 0,
  error: "it was not tried",
};

function toEntry(
  { call_id, ref_id }: CallRecord,
  { kind, part }: Item,
  outcome: Outcome,
): Omit<ManifestEntry, "redacted"> {
  const { file, bytes, sha256, content_type, verified, status, attempts, error } = outcome;
  const facts = { file, bytes, sha256, content_type, verified, status, attempts, error };
  return { kind, call_id, ref_id, part, ...facts };
}

export function toMetadataEntry({ file, bytes, sha256 }: Written, plan: Plan): ManifestEntry {
  const content = {
    file,
    bytes,
    sha256,
    content_type: TYPES[plan.format],
    verified: null,
  } as const;
  const none = { call_id: null, ref_id: null, part: null };
  const settled = { status: "complete", attempts: 0, error: null } as const;
  return { kind: "metadata", ...none, ...content, ...settled, redacted: listMasked(plan) };
}
