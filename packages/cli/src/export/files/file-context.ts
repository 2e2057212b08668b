// What the files of one window share, and how a recording is found again that an earlier round has.
import type { CallRecord } from "@call-media/client";
import type { Outcome } from "@call-media/handover";
import type { Job } from "../job.ts";
import type { OpenJournal } from "../journal/open-journal.ts";

/** The job, and what the files of one window share. */
export interface FileContext extends Job {
  readonly journal: OpenJournal;
  readonly earlier: EarlierRecordings;
}

/** Recordings that earlier rounds have of the same days, each under both of its keys. */
export type EarlierRecordings = Map<string, Outcome>;

/** Names the same recording, as far as a record tells: legs of a call may differ in their times and agents alone. */
export const toRecordingKey = (record: CallRecord, part: number) => {
  const { call_id, ref_id, datetime, agent, recordings } = record;
  return JSON.stringify([call_id, ref_id, datetime, agent, recordings, part]);
};

/** Names the same recording of a record that has changed. */
export const toDigestKey = ({ call_id, ref_id }: CallRecord, sha256: string) =>
  JSON.stringify([call_id, ref_id, sha256]);
