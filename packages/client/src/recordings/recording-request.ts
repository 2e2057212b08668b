// How a recording is asked for.
import { type CallInit, toOperation } from "../call/request.ts";
import type { Operation } from "../errors.ts";
import { type CallOptions, toCallOptions } from "../options.ts";
import type { CallRecord } from "../search/keys.ts";
import type { Announced, RecordingOwner } from "./recording-headers.ts";
import type { RangeHeaders } from "./resume.ts";

/**
 * Which recording: by call identifier, or by reference, session or master identifier. Limits and headers are for each
 * request; the signal stops the download also while the body is read.
 */
export type RecordingRequest = (
  | { readonly call_id: string; readonly ref_id?: undefined }
  | { readonly ref_id: string; readonly call_id?: undefined }
) &
  CallOptions & {
    /**
     * Which recording of a call that has several, from 1 in order of start (D17). The recordings of all its records are
     * counted: `find` returns the number of one that a record lists. Default: the first.
     */
    readonly part?: number | undefined;
    /** The record that it must be of, where the service says whose it is (D38): `find` and `of` set it. Default: any. */
    readonly owner?: RecordingOwner | undefined;
  };

/** What tells a record from the others of its call. */
export type OwnerRecord = Pick<
  CallRecord,
  "call_id" | "ref_id" | "datetime" | "agent" | "recordings"
>;

/** The only recording of a call that has this name, as `toRecordingNames` reads it from a record. */
export type NamedRecording = RecordingRequest & {
  readonly part?: undefined;
  readonly filename: string;
};

/** A recording of a record. Limits and headers are for each request. */
export type RecordingOfRecord = CallOptions & {
  /** A record as the service gave it. */
  readonly record: OwnerRecord;
  /** Which one of those that it lists, as `toRecordingNames` reads them; from 1. Default: the first. */
  readonly number?: number | undefined;
};

/** A recording of a record, as the service announces it. */
export interface OwnRecording extends Announced {
  /** How the service is asked for it. */
  readonly wanted: RecordingRequest;
  /** Which one of those that the record lists it is, from 1. */
  readonly number: number;
}

/** A service without `part` may refuse it. */
export const toPart = (which: RecordingRequest, part: number): RecordingRequest =>
  part === 1 ? which : { ...which, part };

export function toRecordingOperation(kind: "stream-" | "", wanted: RecordingRequest): Operation {
  return toOperation("GET", `/recording/${kind}${toPath(wanted)}`);
}

export const toPath = ({ call_id }: RecordingRequest) =>
  call_id === undefined ? "by-reference/{ref_id}" : "by-call-id/{call_id}";

export function toInit(wanted: RecordingRequest, header?: RangeHeaders): CallInit {
  const { call_id, ref_id, part } = wanted;
  return {
    ...toCallOptions(wanted),
    params: { path: { call_id, ref_id }, query: { part }, header },
  };
}
