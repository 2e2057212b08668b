// Sends a call until it succeeds or fails: with credentials, retries and time limits.
import { AuthenticationError, type CallMediaError } from "../errors.ts";
import {
  type Attempt,
  type Call,
  type Exchange,
  type Read,
  readRequestId,
  toAttempt,
  toExchange,
} from "./exchange.ts";
import type { Around } from "../events.ts";
import type { FetchInit } from "../fetch.ts";
import { isPage } from "../page.ts";
import { readText } from "./answer.ts";
import { TOKEN_PATH } from "./request.ts";
import { toFailure, toResponseError } from "./response-error.ts";
import { toWaitMs } from "./retry.ts";
import type { Session } from "./session.ts";
import { checkSignal, openPause, openWatch, waitFor, type Watch } from "./watch.ts";

/** Sends a request, with retries, and returns the result of `read` for the success. */
export type Send = <Result>(call: Call, read: Read<Result>) => Promise<Result>;

/** Result or failure of one request. */
type Outcome<Result> = { readonly result: Result } | Failure;

interface Failure {
  readonly error: CallMediaError;
  /** Stops the response, if it was not read completely. */
  readonly watch: Watch;
  /** The response whose status is the error, with its body unread. */
  readonly refusal?: Exchange;
}

export function createSend(session: Session): Send {
  return async (call, read) => {
    const { options } = call;
    const { clock, emit } = options;
    const endsAtMs = clock.now() + options.totalTimeoutMs;
    const leftMs = () => endsAtMs - clock.now();
    const isSignIn = call.operation.path === TOKEN_PATH;
    let attempt = toAttempt(call, 0, call.request.secret);
    let retries = 0;
    /** The token that the service rejected with 401. It is replaced once. */
    let refused: string | undefined;

    /** Sends requests until one succeeds, or no further one is permitted. */
    async function run() {
      for (;;) {
        attempt = await next();
        const allowedMs = Math.min(options.tryTimeoutMs, leftMs());
        const outcome = await sendOnce(attempt, allowedMs, read);
        if ("result" in outcome) return outcome.result;
        const waitMs = toNextMs(outcome.error);
        if (waitMs >= leftMs()) throw await conclude(outcome);
        await pause(outcome, waitMs);
      }
    }

    /** The next request, with the token or key to send. */
    async function next(): Promise<Attempt> {
      const secret = isSignIn ? attempt.secret : await authorize();
      // Before the request counts as sent.
      checkSignal(attempt);
      return toAttempt(call, attempt.about.attempts + 1, secret);
    }

    async function authorize(): Promise<string> {
      const bearer = session(refused);
      return typeof bearer === "string" ? bearer : waitFor(bearer, attempt, leftMs());
    }

    /** Milliseconds until the request after one that failed with `error`; Infinity if none follows. */
    function toNextMs(error: CallMediaError): number {
      if (canReplay(error)) return 0;
      return retries < options.maxRetries ? toWaitMs(retries, options.random, error) : Infinity;
    }

    /** True if a new token may help. */
    function canReplay(error: CallMediaError): boolean {
      const hasToken = options.credentials !== undefined && attempt.secret !== "";
      return error instanceof AuthenticationError && hasToken && !isSignIn && refused === undefined;
    }

    /** Leaves an attempt that another one follows. */
    async function pause({ error, watch }: Failure, waitMs: number): Promise<void> {
      watch.abort();
      if (error instanceof AuthenticationError) refused = attempt.secret;
      else retries++;
      emit?.(attempt.about, { type: "retry", waitMs, error });
      if (waitMs > 0) await openPause(attempt, waitMs).over;
    }

    emit?.(attempt.about, { type: "start" });
    try {
      const result = await run();
      emit?.(attempt.about, { type: "end", error: undefined });
      return result;
    } catch (error) {
      emit?.(attempt.about, { type: "end", error });
      throw error;
    }
  };
}

/** Sends the request once. `read` gets the response only if it is a success. */
async function sendOnce<Result>(
  attempt: Attempt,
  allowedMs: number,
  read: Read<Result>,
): Promise<Outcome<Result>> {
  const controller = new AbortController();
  const watch = openWatch(attempt, allowedMs, (error) => controller.abort(error));
  try {
    const response = await fetchHead(attempt, controller.signal);
    watch.headCame();
    const exchange = toExchange(attempt, response, watch);
    if (isExpected(exchange)) return { result: await read(exchange) };
    return { error: toResponseError(exchange), watch, refusal: exchange };
  } catch (cause) {
    return { error: toFailure(cause, attempt, watch), watch };
  }
}

async function fetchHead(attempt: Attempt, signal: AbortSignal): Promise<Response> {
  const { about, options, request } = attempt;
  const { clock, emit } = options;
  const init: FetchInit = {
    method: about.method,
    headers: toHeaders(attempt),
    body: request.body,
    signal,
    // No operation redirects. Following a redirect would send the token or the secret to another URL.
    redirect: "manual",
    ...(options.credentials === "same-origin" && { credentials: "same-origin" }),
  };
  const sentAtMs = clock.now();
  let around: Around = (send) => send();
  const wrap = (run: Around) => void (around = run);
  emit?.(about, { type: "request", attempt: about.attempts, wrap });
  // A `Response` of any library: see `Fetch`.
  const response = (await around(() => options.fetch(about.url, init))) as Response;
  emit?.(about, {
    type: "response",
    attempt: about.attempts,
    status: response.status,
    requestId: readRequestId(response),
    afterMs: clock.now() - sentAtMs,
  });
  return response;
}

function toHeaders({ about, options, request, secret }: Attempt): Record<string, string> {
  const { headers } = request;
  if (about.path !== TOKEN_PATH && secret) headers.set("Authorization", `Bearer ${secret}`);
  const agent = [options.userAgent, "call-media-client"].filter(Boolean).join(" ");
  // In a page, the header would only cause a preflight request.
  if (!isPage() && !headers.has("User-Agent")) headers.set("User-Agent", agent);
  return Object.fromEntries(headers);
}

/** True for a success of this request. An unrequested part would pass for the complete recording. */
function isExpected({ request, response }: Exchange): boolean {
  if (response.status === 206) return request.headers.has("Range");
  if (response.status === 304) return request.headers.has("If-None-Match");
  return response.ok;
}

/** The error of the last attempt, with the content of the response. If the body is interrupted, only the status. */
async function conclude({ error, watch, refusal }: Failure): Promise<CallMediaError> {
  const text = refusal && (await readText(refusal).catch(() => ""));
  watch.abort();
  return refusal ? toResponseError(refusal, { text }) : error;
}
