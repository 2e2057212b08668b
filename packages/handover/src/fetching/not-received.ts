// The reasons why a file of an export was not received, as in its manifest.
import { isCallMediaError } from "@call-media/client";
import { NO_FILE, type Outcome } from "../export/manifest.ts";
import { type Masking, toReason } from "../masking/recorded.ts";

type Status = Outcome["status"];

/** The reason why a file was not received. */
export type FetchFailure = Pick<Outcome, "status" | "error">;

/** A file that does not exist, or that could be another's. The message may be read by third parties. */
export class NotReceived extends Error {
  override readonly name = "NotReceived";
  readonly status: Status;

  constructor(status: Status, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }

  /** The bytes differ from those that the service announced; none were stored. */
  static asDamaged = (sha256: string, announced: string): NotReceived =>
    new NotReceived("damaged", `its SHA-256 is ${sha256}, and ${announced} was announced`);

  /** It would be an empty file. */
  static asNothing = (): NotReceived =>
    new NotReceived("missing", "the service gives nothing for it");

  /** Its record is missing among those of its call, or has changed, so it is unknown which recordings are its own. */
  static asChanged = (options?: ErrorOptions): NotReceived =>
    new NotReceived("failed", "its record has changed meanwhile: export it again", options);
}

/** For a record that `isUnaskable`. */
export const UNASKABLE = {
  ...NO_FILE,
  status: "missing",
  error: "its identifier repeats a masked value, so that the service cannot be asked for it",
} as const;

/** @throws the error itself if it concerns more than this file: sign-in, an abort, anything except an error of a call. */
export function toFetchFailure(error: unknown, masking: Masking): FetchFailure {
  const own = toNotReceived(error);
  const status = toStatus(own);
  if (status === undefined || !(own instanceof Error)) throw error;
  return { status, error: toReason(own, masking) };
}

/** The client's messages about a record and its recordings do not reveal masked values. */
function toNotReceived(cause: unknown): unknown {
  if (!isCallMediaError(cause)) return cause;
  const { code, message } = cause;
  if (code === "CLIENT_REST_OF_NAME") return new NotReceived("none", message, { cause });
  if (code === "CLIENT_RECORD_CHANGED") return NotReceived.asChanged({ cause });
  if (code === "CLIENT_AMBIGUOUS_RECORDING")
    return new NotReceived("failed", `${code}: ${message}`, { cause });
  return cause;
}

function toStatus(error: unknown): Status | undefined {
  if (error instanceof NotReceived) return error.status;
  if (isCallMediaError(error, "NotFoundError")) return "missing";
  if (isCallMediaError(error, "PermissionError")) return "refused";
  const isOfAll =
    !isCallMediaError(error) ||
    isCallMediaError(error, "AuthenticationError") ||
    isCallMediaError(error, "AbortError");
  return isOfAll ? undefined : "failed";
}
