// What the access log is told of a request: a row before its answer leaves, and another for a recording that was cut short.
import type { AccessEntry, AccessLog, ReleasedRecording, SignInEntry } from "@call-media/store";
import { unavailable } from "../http/errors.ts";
import type { Exchange } from "../http/exchange.ts";

/** What an answer releases, beside what was asked for. */
export interface Touched {
  /** The calls that the answer shows. */
  readonly callIds?: readonly (string | null)[];
  /** Records in the answer. */
  readonly rows?: number;
  readonly recording?: ReleasedRecording;
}

export interface AccessRecord {
  /**
   * Writes the row of a caller's request, unless it was begun already; that of a recording is on the disk when it resolves.
   * Throws 503.
   */
  begin(exchange: Exchange, status: number): Promise<void>;
  /** Writes what was really sent of a recording of which all was to be. */
  cut(exchange: Exchange): Promise<void>;
}

export function createAccessRecord(log: AccessLog, now: () => number): AccessRecord {
  // A request has one row, whatever becomes of it; undefined for one that has none, or none yet.
  const rows = new WeakMap<Exchange, Entry | undefined>();
  return {
    begin: async (exchange, status) => {
      if (rows.has(exchange)) return;
      rows.set(exchange, undefined);
      const entry = toEntry(exchange, status, now());
      if (entry === undefined) return;
      try {
        await log.append(entry, isOfRecording(entry));
      } catch (error) {
        throw unavailable(error);
      }
      rows.set(exchange, entry);
    },
    cut: async (exchange) => {
      const released = rows.get(exchange);
      if (released === undefined || !isOfRecording(released)) return;
      const sent = toSent(released.recording, exchange);
      const { recording: _whole, ...entry } = released;
      const isCut = true;
      await log.append({ ...entry, timeMs: now(), ...(sent && { recording: sent }), isCut }, false);
    },
  };
}

type Entry = AccessEntry | SignInEntry;

function isOfRecording(
  entry: Entry,
): entry is AccessEntry & { readonly recording: ReleasedRecording } {
  return "recording" in entry;
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

function toEntry(exchange: Exchange, status: number, timeMs: number): Entry | undefined {
  const { caller, operationId: operation, requestId, address, asked = {} } = exchange;
  if (exchange.triedID !== undefined) return toSignIn(exchange, status, timeMs);
  if (caller === undefined || operation === undefined || operation === "createToken")
    return undefined;
  const { callIds = [], rows = 0, recording }: Touched = exchange.touched ?? {};
  const isReleased = status < 300;
  const isSent = isReleased && exchange.request.method !== "HEAD";
  return {
    timeMs,
    requestId,
    address,
    userId: caller.user.id,
    credential: caller.credential,
    ...(caller.session !== undefined && { session: caller.session }),
    operation,
    asked,
    callIds: toCallIds(asked["call_id"], callIds),
    rows: isReleased ? rows : 0,
    status,
    ...(recording !== undefined && isSent && { recording }),
  };
}

// Of a sign-in that was put off nothing was checked; it leaves no row, or a flood of them would fill the disk.
function toSignIn(
  { requestId, address, operationId, triedID = "", signedIn }: Exchange,
  status: number,
  timeMs: number,
): SignInEntry | undefined {
  if (status !== 200 && status !== 401) return undefined;
  return {
    timeMs,
    requestId,
    address,
    ...(signedIn !== undefined && { userId: signedIn }),
    credential: triedID,
    operation: operationId === "createToken" ? operationId : "console sign-in",
    asked: {},
    callIds: [],
    rows: 0,
    status,
  };
}

function toCallIds(asked: unknown, found: readonly (string | null)[]): string[] {
  if (found.length === 0) return typeof asked === "string" ? [asked] : [];
  return [...new Set([asked, ...found].filter((id) => typeof id === "string"))];
}

// An upper bound: what the connection took may still have been lost on its way. In base64 four bytes carry three.
function toSent(
  { sha256, first, last }: ReleasedRecording,
  { bytesSent, operationId }: Exchange,
): ReleasedRecording | undefined {
  const isBase64 = operationId?.startsWith("get") ?? false;
  const bytes = isBase64 ? Math.ceil((bytesSent * 3) / 4) : bytesSent;
  if (bytes === 0) return undefined;
  return { sha256, first, last: Math.min(last, first + bytes - 1) };
}
