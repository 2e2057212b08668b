// A recording of a record: fetched, or why it was not had.
import { rm } from "node:fs/promises";
import { type CallRecord, isCallMediaError } from "@call-media/client";
import type { Which } from "../../call/which.ts";
import { DamagedRecording } from "../folder/digest.ts";
import type { Begun, Outcome } from "../journal/entries.ts";
import { type DownloadWork, type Received, receiveRecording } from "./download.ts";
import { LegGone } from "./legs.ts";
import {
  knowsParts,
  type Numbered,
  NoSuchRecording,
  openRecording,
  RestOfName,
} from "./open-recording.ts";
import { type Masking, toReason } from "./own-words.ts";

/** A recording that is wanted. */
export interface WantedRecording extends Numbered {
  /** Digests of the recordings of this record that were received before. */
  readonly earlier: ReadonlySet<string>;
  /** Where the bytes go until they are whole. */
  readonly partFile: string;
  readonly begun: Begun | undefined;
  readonly tellBegun: (begun: Begun) => Promise<void>;
}

/** Why a recording was not had. */
export type NotHad = Pick<Outcome, "status" | "error">;

/** @throws what concerns more than this recording: sign-in, disk, Ctrl-C. */
export async function fetchRecording(
  work: DownloadWork,
  wanted: WantedRecording,
): Promise<Received | NotHad> {
  const which = toWhich(wanted.record);
  if (which === undefined)
    return { status: "missing", error: "the record has neither a call_id nor a ref_id" };
  const { partFile, begun, tellBegun } = wanted;
  const open = () => openRecording(work, which, wanted);
  try {
    const download = { which, part: partFile, begun, tellBegun, open };
    const received = await receiveRecording(work, download);
    // A service that does not know `part` gives the first one again; where it gives names, they have told.
    const isTold = received.filename !== undefined && work.redaction.fields.length === 0;
    const isAgain = !isTold && wanted.earlier.has(received.sha256);
    if (!isAgain || (await knowsParts(work, which))) return received;
    await rm(partFile, { force: true });
    return { status: "missing", error: "the service gives the recording before it again" };
  } catch (error) {
    return toNotHad(error, work.redaction);
  }
}

function toWhich({ call_id, ref_id }: CallRecord): Which | undefined {
  if (call_id !== null && call_id !== "") return { call_id };
  return ref_id === null || ref_id === "" ? undefined : { ref_id };
}

/** @throws what is no matter of this file alone. */
export function toNotHad(error: unknown, masking: Masking): NotHad {
  const status = toStatus(error);
  if (status === undefined || !(error instanceof Error)) throw error;
  return { status, error: toReason(error, masking) };
}

function toStatus(error: unknown): Outcome["status"] | undefined {
  if (error instanceof RestOfName) return "none";
  if (error instanceof NoSuchRecording || isCallMediaError(error, "NotFoundError"))
    return "missing";
  if (error instanceof DamagedRecording) return "damaged";
  if (error instanceof LegGone) return "failed";
  if (isCallMediaError(error, "PermissionError")) return "refused";
  const isOfAll =
    !isCallMediaError(error) ||
    isCallMediaError(error, "AuthenticationError") ||
    isCallMediaError(error, "AbortError");
  return isOfAll ? undefined : "failed";
}
