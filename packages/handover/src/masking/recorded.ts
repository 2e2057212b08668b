// Facts about a file for third parties, without the service's own wording.
import { isCallMediaError, type RecordingStream } from "@call-media/client";
import { isKnownExtension, toExtension } from "../naming/template.ts";
import { MASK } from "./mask.ts";
import type { Redaction } from "./redaction.ts";

export type Masking = Pick<Redaction, "fields">;

/** The reason for a missing file. Services often include the file's name, which may contain the caller's number. */
export function toReason(error: Error, { fields }: Masking): string {
  if (fields.length === 0 || !isCallMediaError(error)) return error.message;
  return error.status === undefined
    ? "the service did not answer"
    : `the service answered with status ${error.status}`;
}

/** Parameters of a media type are left out: one of them may be a name. */
export function toRecorded(stream: RecordingStream, { fields }: Masking): RecordingStream {
  const contentType = toMediaType(stream.contentType);
  if (fields.length === 0) return { ...stream, contentType };
  const extension = toExtension([stream.filename], contentType);
  const filename = isKnownExtension(extension) ? `${MASK}${extension}` : undefined;
  return { ...stream, contentType, filename, owner: undefined };
}

/** RFC 9110, 8.3.1. */
function toMediaType(contentType: string): string {
  const [, type] =
    /^\s*([\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+)\s*(?:[;,]|$)/.exec(contentType) ?? [];
  return type?.toLowerCase() ?? "application/octet-stream";
}
