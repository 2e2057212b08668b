// The shared context of the files of one window, and the keys that identify recordings of earlier rounds.
import type { CallRecord } from "@call-media/client";
import type { Outcome } from "@call-media/handover";
import type { Job } from "../job.ts";
import type { OpenJournal } from "../journal/open-journal.ts";

/** The job, and the state shared by the files of one window. */
export interface FileContext extends Job {
  readonly journal: OpenJournal;
  readonly earlier: EarlierRecordings;
}

/** Recordings that earlier rounds have for the same days, each under both of its keys. */
export type EarlierRecordings = Map<string, Outcome>;

/** Identifies a recording by its record, as far as possible: legs of a call may differ only in their times and agents. */
export const toRecordingKey = (record: CallRecord, part: number) => {
  const { call_id, ref_id, datetime, agent, recordings } = record;
  return JSON.stringify([call_id, ref_id, datetime, agent, recordings, part]);
};

/** Identifies the same recording of a changed record. */
export const toDigestKey = ({ call_id, ref_id }: CallRecord, sha256: string) =>
  JSON.stringify([call_id, ref_id, sha256]);
