// The rows of the access log that the service writes: one for each request of a caller, one for each sign-in.
import type { AccessEntry, ReleasedRecording, SignInEntry } from "@call-media/store";
import type { ServiceRequest } from "../request.ts";
import type { Caller } from "./access.ts";

/** What an answer releases. */
export interface Released {
  /** The calls that the answer shows; a call_id that was asked for is known. */
  readonly callIds?: readonly (string | null)[] | undefined;
  /** Records in the answer. */
  readonly rows?: number;
  readonly recording?: ReleasedRecording;
}

interface Read {
  readonly request: ServiceRequest;
  readonly caller: Caller;
  readonly operation: AccessEntry["operation"];
  /** Parameters and filter; empty when they were refused. */
  readonly asked: AccessEntry["asked"];
  readonly status: number;
  /** Undefined of an error. */
  readonly released: Released | undefined;
  readonly timeMs: number;
}

export function toReadRow(read: Read): AccessEntry {
  const { request, caller, operation, asked, status, released, timeMs } = read;
  const recording = request.method === "HEAD" ? undefined : released?.recording;
  return {
    timeMs,
    requestId: request.requestId,
    address: request.address,
    userId: caller.user.id,
    credential: caller.credential,
    ...(caller.session !== undefined && { session: caller.session }),
    operation,
    asked,
    callIds: toCallIds(asked["call_id"], released?.callIds ?? []),
    rows: released?.rows ?? 0,
    status,
    ...(recording !== undefined && { recording }),
  };
}

interface Input {
  readonly path?: object;
  readonly query?: object;
  readonly body?: unknown;
}

/** The parameters and the filter of a request, by the contract's own names. Not for POST /Token, whose body is secret. */
export function toAsked({ path, query, body }: Input): AccessEntry["asked"] {
  return { ...path, ...query, ...(body !== undefined && { filter: body }) };
}

export interface SignIn {
  readonly request: ServiceRequest;
  readonly operation: SignInEntry["operation"];
  /** What was tried, as logs may show it. */
  readonly triedID: string;
  /** Undefined when it failed. */
  readonly userId: number | undefined;
  readonly status: number;
}

/** Undefined for a sign-in of which nothing was checked: a flood of them would fill the disk. */
export function toSignInRow(signIn: SignIn, timeMs: number): SignInEntry | undefined {
  const { request, operation, triedID, userId, status } = signIn;
  if (status !== 200 && status !== 401) return undefined;
  return {
    timeMs,
    requestId: request.requestId,
    address: request.address,
    ...(userId !== undefined && { userId }),
    credential: triedID,
    operation,
    asked: {},
    callIds: [],
    rows: 0,
    status,
  };
}

/** The second row of a recording that was cut. `bytes` of its body were sent. */
export function toCutRow(row: AccessEntry, bytes: number, timeMs: number): AccessEntry {
  const { recording: whole, ...entry } = row;
  const isBase64 = row.operation.startsWith("get");
  const recording = whole && toSent(whole, isBase64 ? Math.ceil((bytes * 3) / 4) : bytes);
  return { ...entry, timeMs, ...(recording && { recording }), isCut: true };
}

// An upper bound: what the connection took may still have been lost on its way. In base64 four bytes carry three.
function toSent(
  { sha256, first, last }: ReleasedRecording,
  bytes: number,
): ReleasedRecording | undefined {
  return bytes === 0 ? undefined : { sha256, first, last: Math.min(last, first + bytes - 1) };
}

function toCallIds(asked: unknown, found: readonly (string | null)[]): string[] {
  if (found.length === 0) return typeof asked === "string" ? [asked] : [];
  return [...new Set([asked, ...found].filter((id) => typeof id === "string"))];
}
