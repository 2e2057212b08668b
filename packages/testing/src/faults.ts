// Faults on demand: selects the requests they hit and changes the responses.
import type { OperationId } from "@call-media/api";
import type { ErrorCode } from "@call-media/service";

import type { Clock } from "./clock.ts";

/** The kind of the fault. */
export type FaultKind =
  /** An error response, for example 503, or 429 with Retry-After. */
  | { readonly kind: "status"; readonly status: number; readonly retryAfterS?: number }
  /** 401; from then on, every token issued before is unknown. */
  | { readonly kind: "forget-tokens" }
  /** No connection: `fetch` rejects as it does in that case. */
  | { readonly kind: "unreachable" }
  /** No response until the request is aborted. */
  | { readonly kind: "hang" }
  /** A delayed response. */
  | { readonly kind: "slow"; readonly delayMs: number }
  /** The body ends abruptly after this number of bytes. */
  | { readonly kind: "cut"; readonly afterBytes: number }
  /** Repr-Digest does not match the bytes. */
  | { readonly kind: "wrong-digest" }
  /** JSON of another shape: the result of `change`. A recording stream stays unchanged. */
  | { readonly kind: "drift"; readonly change: (body: Record<string, unknown>) => unknown };

/** A fault and when it happens. */
export type InjectedFault = FaultKind & {
  /** Default: all operations except `createToken`. */
  readonly operation?: OperationId | readonly OperationId[] | undefined;
  /** How many matching requests pass first. Default: 0. */
  readonly skip?: number | undefined;
  /** How many requests it hits. Default: 1. */
  readonly times?: number | undefined;
};

export interface Faults {
  /** Returns a function that removes the fault. */
  inject(fault: InjectedFault): () => void;
  /** Returns the response to a request, changed by a fault if one applies. `answer` produces the response without faults. */
  befall(asked: Befallen, answer: () => Promise<Response>): Promise<Response>;
}

interface Befallen {
  /** Undefined outside of the contract's operations. */
  readonly operationId: OperationId | undefined;
  readonly signal: AbortSignal;
}

interface FaultSettings {
  readonly clock: Clock;
  readonly forgetTokens: () => Promise<void>;
}

export function createFaults({ clock, forgetTokens }: FaultSettings): Faults {
  const waiting = new Set<{ fault: InjectedFault; skip: number; times: number }>();

  const take = (operationId: OperationId | undefined): InjectedFault | undefined => {
    for (const one of waiting) {
      if (!concerns(one.fault, operationId) || one.skip-- > 0) continue;
      if (--one.times <= 0) waiting.delete(one);
      return one.fault;
    }
    return undefined;
  };

  return {
    inject(fault) {
      const one = { fault, skip: fault.skip ?? 0, times: fault.times ?? 1 };
      waiting.add(one);
      return () => void waiting.delete(one);
    },
    async befall({ operationId, signal }, answer) {
      const fault = take(operationId);
      if (fault === undefined) return answer();
      if (fault.kind === "unreachable") throw new TypeError("fetch failed");
      if (fault.kind === "hang") await pause(signal);
      if (fault.kind === "slow") await pause(signal, { clock, ms: fault.delayMs });
      if (fault.kind === "status") return toStatusAnswer(fault);
      if (fault.kind === "forget-tokens") await forgetTokens();
      return spoil(fault, await answer());
    },
  };
}

function concerns({ operation }: InjectedFault, operationId: OperationId | undefined): boolean {
  if (operation === undefined) return operationId !== "createToken";
  return operationId !== undefined && [operation].flat().includes(operationId);
}

/** Waits for `ms`, or forever; rejects as `fetch` does if the request is aborted. */
function pause(signal: AbortSignal, until?: { clock: Clock; ms: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    const cancel = until?.clock.schedule(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, until.ms);
    signal.addEventListener("abort", () => cancel?.());
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
  });
}

function toStatusAnswer({ status, retryAfterS }: Extract<FaultKind, { kind: "status" }>): Response {
  const body = { isError: true, errorMessage: `A fault of ${status}`, data: [] };
  const headers = new Headers({
    "Content-Type": "application/json; charset=utf-8",
    "X-Error-Code": CODES.get(status) ?? "CM_INTERNAL",
    "X-Request-Id": crypto.randomUUID(),
  });
  if (retryAfterS !== undefined) headers.set("Retry-After", String(retryAfterS));
  if (status === 401) headers.set("WWW-Authenticate", 'Bearer error="invalid_token"');
  return new Response(JSON.stringify(body), { status, headers });
}

// The service has more codes, several for some statuses.
const CODES: ReadonlyMap<number, ErrorCode> = new Map([
  [400, "CM_PARAMETER_INVALID"],
  [401, "CM_TOKEN_UNKNOWN"],
  [403, "CM_DOWNLOAD_NOT_ALLOWED"],
  [404, "CM_RECORDING_UNKNOWN"],
  [429, "CM_RATE_LIMITED"],
  [503, "CM_UNAVAILABLE"],
]);

async function spoil(fault: FaultKind, answer: Response): Promise<Response> {
  const headers = new Headers(answer.headers);
  const { status } = answer;
  if (fault.kind === "cut") return new Response(cut(answer, fault.afterBytes), { status, headers });
  if (fault.kind === "wrong-digest" && headers.has("Repr-Digest"))
    headers.set(
      "Repr-Digest",
      `sha-256=:${btoa("another recording altogether, yes".slice(0, 32))}:`,
    );
  const isJson = headers.get("Content-Type")?.startsWith("application/json");
  if (fault.kind !== "drift" || !isJson) return new Response(answer.body, { status, headers });
  const body = fault.change((await answer.json()) as Record<string, unknown>);
  return new Response(JSON.stringify(body), { status, headers });
}

/** Flushes the bytes before the break: a stream that errors drops those still queued. */
function cut({ body }: Response, afterBytes: number): ReadableStream<Uint8Array> | null {
  const reader = body?.getReader();
  if (reader === undefined) return null;
  let left = afterBytes;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (left <= 0) {
          await reader.cancel();
          return controller.error(new TypeError("terminated"));
        }
        const { done, value } = await reader.read();
        if (done) return controller.close();
        controller.enqueue(value.subarray(0, left));
        left -= value.length;
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
