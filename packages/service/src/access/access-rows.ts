// The rows of the access log that the service writes: one for each request of a caller, one for each sign-in.
import type { OperationInput } from "@call-media/api";
import type { AccessEntry, ReleasedRecording, SignInEntry } from "@call-media/store";
import type { ServiceRequest } from "../request.ts";
import type { Released } from "../operations/handler.ts";
import type { Result, Step } from "../steps.ts";
import type { Caller } from "./access.ts";
import { toTriedID } from "./secrets.ts";

type Row = AccessEntry | SignInEntry;

/** Undefined until the caller is known, and for a sign-in whose credentials were not checked. */
export function toRow(step: Step, status: number, timeMs: number): Row | undefined {
  if (!("caller" in step)) return undefined;
  const { request, caller, route } = step;
  const { operationId: operation } = route;
  if (caller === undefined || operation === "createToken") {
    const [triedID, userId] = [toTried(step), toSignedIn(step)];
    if (triedID === undefined) return undefined;
    return toSignInRow({ request, operation: "createToken", triedID, userId, status }, timeMs);
  }
  const asked = "input" in step ? toAsked(step.input) : {};
  const released: Released = "result" in step ? toReleased(step.result) : {};
  const recording = request.method === "HEAD" ? undefined : released.recording;
  return {
    timeMs,
    ...toOrigin(request),
    ...toHolder(caller),
    operation,
    asked,
    callIds: toCallIds(asked["call_id"], released.callIds ?? []),
    rows: released.rows ?? 0,
    status,
    ...(recording !== undefined && { recording }),
    ...(released.isHandedOut && { isHandedOut: true }),
  };
}

const toOrigin = ({ requestId, address }: ServiceRequest) => ({ requestId, address });

const toHolder = ({ user, credential, session, use, purpose }: Caller) => ({
  userId: user.id,
  credential,
  ...(session !== undefined && { session }),
  ...(use !== undefined && { use }),
  ...(purpose !== undefined && { purpose }),
});

/** A request for the rows of the access log about one call (D40). */
export interface Look {
  readonly request: ServiceRequest;
  readonly caller: Caller;
  readonly asked: { readonly call_id: string };
  /** Rows in the response. */
  readonly rows: number;
  readonly status: number;
}

export function toLookRow(
  { request, caller, asked, rows, status }: Look,
  timeMs: number,
): AccessEntry {
  return {
    timeMs,
    ...toOrigin(request),
    ...toHolder(caller),
    operation: "console access",
    asked: { ...asked },
    callIds: [asked.call_id],
    rows,
    status,
  };
}

/** The secretID of POST /Token, as logs may show it. */
export function toTried(step: Step): string | undefined {
  if (!("input" in step) || step.route.operationId !== "createToken") return undefined;
  const { body } = step.input as OperationInput<"createToken">; // of this route
  return toTriedID(body.secretID);
}

function toSignedIn(step: Step): number | undefined {
  return "result" in step && "signedIn" in step.result ? step.result.signedIn : undefined;
}

function toReleased(result: Result): Released {
  if ("media" in result) return result.released;
  return { callIds: result.callIds, rows: result.body.data.length };
}

interface Input {
  readonly path?: object;
  readonly query?: object;
  readonly body?: unknown;
}

// The parameters and the filter of a request, by the contract's own names.
function toAsked({ path, query, body }: Input): AccessEntry["asked"] {
  return { ...path, ...query, ...(body !== undefined && { filter: body }) };
}

export interface SignIn {
  readonly request: ServiceRequest;
  readonly operation: SignInEntry["operation"];
  /** The attempted secretID, as logs may show it. */
  readonly triedID: string;
  /** Undefined if it failed. */
  readonly userId: number | undefined;
  readonly status: number;
}

/** Undefined for a sign-in whose credentials were not checked: a flood of them would fill the disk. */
export function toSignInRow(signIn: SignIn, timeMs: number): SignInEntry | undefined {
  const { request, operation, triedID, userId, status } = signIn;
  if (status !== 200 && status !== 401) return undefined;
  return {
    timeMs,
    ...toOrigin(request),
    ...(userId !== undefined && { userId }),
    credential: triedID,
    operation,
    asked: {},
    callIds: [],
    rows: 0,
    status,
  };
}

/** The second row of a recording that was cut off. `bytes` of its body were sent. */
export function toCutRow(row: AccessEntry, bytes: number, timeMs: number): AccessEntry {
  const { recording: whole, ...entry } = row;
  const isBase64 = row.operation.startsWith("get");
  const recording = whole && toSent(whole, isBase64 ? Math.ceil((bytes * 3) / 4) : bytes);
  return { ...entry, timeMs, ...(recording && { recording }), isCut: true };
}

// An upper bound: bytes that the connection accepted may still have been lost in transit. In base64 four bytes carry three.
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
