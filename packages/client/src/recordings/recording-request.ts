// The request for a recording.
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
    /** The record that it must belong to, if the service says so (D38). `find` and `of` set it. Default: any. */
    readonly owner?: RecordingOwner | undefined;
  };

/** The fields that distinguish a record from the others of its call. */
export type OwnerRecord = Pick<
  CallRecord,
  "call_id" | "ref_id" | "datetime" | "agent" | "recordings"
>;

/** The only recording of a call with this name, as `toRecordingNames` reads it from a record. */
export type NamedRecording = RecordingRequest & {
  readonly part?: undefined;
  readonly filename: string;
};

/** A recording of a record. Limits and headers are for each request. */
export type RecordingOfRecord = CallOptions & {
  /** A record from the service. */
  readonly record: OwnerRecord;
  /** The position in its list of names, as `toRecordingNames` reads it, from 1. Default: the first. */
  readonly number?: number | undefined;
};

/** A recording of a record, with what the service announces about it. */
export interface OwnRecording extends Announced {
  /** The request for it. */
  readonly wanted: RecordingRequest;
  /** Its position in the record's list, from 1. */
  readonly number: number;
}

/** A service without support for `part` may reject the parameter. */
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
