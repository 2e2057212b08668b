// What is known of a file without its bytes, and of bytes that came again.
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

/** What becomes of a file that is not asked for; undefined where it is. */
export function findOutcome(
  { earlier, redaction }: Known,
  record: CallRecord,
  { kind, part }: Item,
): Omit<Outcome, "attempts"> | undefined {
  const { call_id, ref_id } = record;
  const identifier = kind === "recording" ? call_id || ref_id : call_id;
  if (isUnaskable(identifier, redaction)) return UNASKABLE;
  // Of masked names nobody can tell whether they are the same.
  const isTold = kind === "recording" && redaction.fields.length === 0;
  return isTold ? earlier.get(toRecordingKey(record, part)) : undefined;
}

/** The file that has these bytes of the record already, from an earlier round. */
export const findFile = (
  { earlier }: Pick<Known, "earlier">,
  record: CallRecord,
  sha256: string,
): string | undefined => earlier.get(toDigestKey(record, sha256))?.file ?? undefined;
