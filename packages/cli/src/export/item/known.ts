// Outcomes known without a download, and recordings whose bytes arrived before.
import type { CallRecord } from "@call-media/client";
import {
  isUnaskable,
  UNASKABLE,
  type Item,
  type Outcome,
  type Redaction,
} from "@call-media/handover";
import { type EarlierRecordings, toDigestKey, toRecordingKey } from "../journal/placing.ts";

export interface Known {
  readonly earlier: EarlierRecordings;
  readonly redaction: Pick<Redaction, "fields">;
}

/** The outcome of a file that needs no request; undefined if the file has to be requested. */
export function findOutcome(
  { earlier, redaction }: Known,
  record: CallRecord,
  { kind, part }: Item,
): Omit<Outcome, "attempts"> | undefined {
  const { call_id, ref_id } = record;
  const identifier = kind === "recording" ? call_id || ref_id : call_id;
  if (isUnaskable(identifier, redaction)) return UNASKABLE;
  // Masked names cannot be compared.
  const isTold = kind === "recording" && redaction.fields.length === 0;
  return isTold ? earlier.get(toRecordingKey(record, part)) : undefined;
}

/** The file that has these bytes of the record already, from an earlier round. */
export const findFile = (
  { earlier }: Pick<Known, "earlier">,
  record: CallRecord,
  sha256: string,
): string | undefined => earlier.get(toDigestKey(record, sha256))?.file ?? undefined;
