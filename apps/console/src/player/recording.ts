// One recording of the service: its address, what is announced of it, and its bytes (D16).
import type { Access } from "../access.ts";
import { FaultError } from "../faults.ts";
import { noticeUnauthorized } from "../session.ts";

export interface Which {
  readonly by: "call_id" | "ref_id";
  readonly id: string;
  /** From 1, in order of start (D17). */
  readonly part: number;
}

export interface Head {
  readonly contentType: string;
  readonly bytes: number | undefined;
  /** SHA-256 in base64, as Repr-Digest has it. */
  readonly digest: string | undefined;
  readonly filename: string | undefined;
  readonly requestId: string | undefined;
}

export function toRecordingUrl({ baseUrl }: Access, { by, id, part }: Which): string {
  const kind = by === "call_id" ? "call-id" : "reference";
  const query = part === 1 ? "" : `?part=${part}`;
  return `${baseUrl}/recording/stream-by-${kind}/${encodeURIComponent(id)}${query}`;
}

/**
 * What is announced of a recording. Asked by HEAD, which leaves no word in the access log that anybody got the sound.
 *
 * @throws FaultError
 */
export async function describeRecording(
  access: Access,
  which: Which,
  signal: AbortSignal,
): Promise<Head> {
  const { headers } = await ask(access, which, { method: "HEAD", signal });
  const bytes = Number(headers.get("Content-Length") ?? Number.NaN);
  return {
    contentType: headers.get("Content-Type") ?? "application/octet-stream",
    bytes: Number.isFinite(bytes) ? bytes : undefined,
    digest: /(?:^|[\s,])sha-256=:([^:]+):/.exec(headers.get("Repr-Digest") ?? "")?.[1],
    filename: toFilename(headers.get("Content-Disposition") ?? ""),
    requestId: headers.get("X-Request-Id") ?? undefined,
  };
}

/** The whole of it. @throws FaultError */
export async function readRecording(
  access: Access,
  which: Which,
  signal: AbortSignal,
): Promise<ArrayBuffer> {
  const response = await ask(access, which, { method: "GET", signal });
  return await response.arrayBuffer().catch((cause: unknown) => {
    throw signal.aborted ? cause : new FaultError({ kind: "unreachable" }, { cause });
  });
}

async function ask(access: Access, which: Which, init: RequestInit): Promise<Response> {
  const url = toRecordingUrl(access, which);
  let refused: string | undefined;
  for (let isLast = access.kind === "session"; ; isLast = true) {
    const headers = await access.headers(refused);
    const response = await fetch(url, {
      ...init,
      headers,
      redirect: "error",
      cache: "no-store",
    }).catch((cause: unknown) => {
      throw init.signal?.aborted === true
        ? cause
        : new FaultError({ kind: "unreachable" }, { cause });
    });
    if (response.ok) return response;
    if (response.status === 401 && !isLast) {
      refused = headers["Authorization"];
      continue;
    }
    if (response.status === 401) noticeUnauthorized();
    throw await FaultError.fromResponse(response);
  }
}

/** RFC 6266, section 4.3: `filename*` goes before `filename`. */
function toFilename(disposition: string): string | undefined {
  const extended = /;\s*filename\*\s*=\s*utf-8''([^;\s]+)/i.exec(disposition)?.[1];
  const plain = /;\s*filename\s*=\s*("(?:[^"\\]|\\.)*"|[^;\s"]+)/i.exec(disposition)?.[1];
  try {
    return extended === undefined
      ? plain?.replaceAll(/^"|"$|\\(.)/g, "$1")
      : decodeURIComponent(extended);
  } catch {
    return undefined;
  }
}

export async function toDigest(bytes: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return btoa(String.fromCharCode(...digest));
}
