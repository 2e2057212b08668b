// Why a file of an export was not received, as its manifest says it.
import { type CallRecord, isCallMediaError } from "@call-media/client";
import { NO_FILE, type Outcome } from "../export/manifest.ts";
import { type Masking, toReason } from "../masking/told.ts";
import { type CallSelector, LegGone } from "./legs.ts";
import { AmbiguousRecording, NoSuchRecording, RestOfName } from "./open-recording.ts";

/** Why a file was not received. */
export type FetchFailure = Pick<Outcome, "status" | "error">;

/** The bytes differ from those that the service announced; none of them were kept. */
export class DamagedRecording extends Error {
  override readonly name = "DamagedRecording";

  static of(sha256: string, announced: string): DamagedRecording {
    return new DamagedRecording(`its SHA-256 is ${sha256}, and ${announced} was announced`);
  }
}

export const NO_IDENTIFIER: FetchFailure = {
  status: "missing",
  error: "the record has neither a call_id nor a ref_id",
};

/** For a record that `isUnaskable`. */
export const UNASKABLE = {
  ...NO_FILE,
  status: "missing",
  error: "its identifier repeats a masked value, so that the service cannot be asked for it",
} as const;

/** How the service is asked for the recordings of a record; undefined if it has no identifier. */
export function toSelector({ call_id, ref_id }: CallRecord): CallSelector | undefined {
  if (call_id !== null && call_id !== "") return { call_id };
  return ref_id === null || ref_id === "" ? undefined : { ref_id };
}

/** @throws the error itself if it concerns more than this file: sign-in, an abort, anything but an error of a call. */
export function toFetchFailure(error: unknown, masking: Masking): FetchFailure {
  const status = toStatus(error);
  if (status === undefined || !(error instanceof Error)) throw error;
  return { status, error: toReason(error, masking) };
}

function toStatus(error: unknown): Outcome["status"] | undefined {
  if (error instanceof RestOfName) return "none";
  if (error instanceof NoSuchRecording || isCallMediaError(error, "NotFoundError"))
    return "missing";
  if (error instanceof DamagedRecording) return "damaged";
  if (error instanceof LegGone || error instanceof AmbiguousRecording) return "failed";
  if (isCallMediaError(error, "PermissionError")) return "refused";
  const isOfAll =
    !isCallMediaError(error) ||
    isCallMediaError(error, "AuthenticationError") ||
    isCallMediaError(error, "AbortError");
  return isOfAll ? undefined : "failed";
}
