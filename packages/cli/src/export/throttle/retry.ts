// Which failures are worth a retry, how often, and how many requests a file needed.
import { AsyncLocalStorage } from "node:async_hooks";
import { type Fetch, isCallMediaError } from "@call-media/client";

const TRANSIENT = ["ConnectionError", "TimeoutError", "ServiceError", "RateLimitError"] as const;

/** True for a revoked token too, because the next call gets a new one. A rejected sign-in is final. */
function isTransient(error: unknown): boolean {
  if (isCallMediaError(error, "AuthenticationError")) return error.operationId !== "createToken";
  return TRANSIENT.some((name) => isCallMediaError(error, name));
}

/** Enough if one connection in ten breaks and nothing can be resumed. */
const MAX_TRIES = 6;

/** For a file that the service rejects while it returns others. Each try is up to five requests of the client. */
const MAX_REJECTED = 2;

/** With one request at a time, no other file arrives meanwhile. A restarting service is back within this time. */
const LONG_MS = 15_000;

/** True if another try may help after this error. */
export type RetryPolicy = (error: unknown) => boolean;

/**
 * The policy for one piece of work, which starts now. `countOthers` counts the other files that have arrived: a damaged file with status
 * 503 must not delay them. `isLastTry`: all other files have arrived.
 */
export function createRetryPolicy(countOthers?: () => number, isLastTry = false): RetryPolicy {
  const [beganMs, before] = [performance.now(), countOthers?.()];
  let tries = 0;
  const isAlone = () =>
    before !== undefined &&
    (isLastTry || countOthers?.() !== before || performance.now() - beganMs > LONG_MS);
  return (error) => {
    tries++;
    if (!isTransient(error) || tries === MAX_TRIES) return false;
    return !(isCallMediaError(error, "ServiceError") && tries >= MAX_REJECTED && isAlone());
  };
}

/** Retries without a pause: the client has paused between its own tries. */
export async function retry<Result>(
  work: () => Promise<Result>,
  mayHelp: RetryPolicy = createRetryPolicy(),
): Promise<Result> {
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!mayHelp(error)) throw error;
    }
}

const counters = new AsyncLocalStorage<{ requests: number }>();

/** Does the work, which can read the number of requests for its file so far, including the client's retries. */
export async function countRequests<Result>(
  work: (readCount: () => number) => Promise<Result>,
): Promise<Result> {
  const counter = { requests: 0 };
  return await counters.run(counter, () => work(() => counter.requests));
}

/** Sign-ins serve all files. Requests for records and HEAD only assign recordings, and may be needed in one run and not in another. */
const FILE_REQUEST = /\/(?:recording|chat)\//;

export function countSent(fetch: Fetch): Fetch {
  return (url, init) => {
    const counter = counters.getStore();
    const isOfFile = FILE_REQUEST.test(url) && init?.method !== "HEAD";
    if (counter !== undefined && isOfFile) counter.requests++;
    return fetch(url, init);
  };
}
