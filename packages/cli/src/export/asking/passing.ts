// What may go well another time, and the other times.
import { isCallMediaError } from "@call-media/client";

const PASSING = ["ConnectionError", "TimeoutError", "ServiceError", "RateLimitError"] as const;

/**
 * Whether it may be otherwise another time. A token that was refused twice in one call, as it was revoked again while the
 * client waited, is: the next call gets another. A sign-in that is refused is not.
 */
export function isPassing(error: unknown): boolean {
  if (isCallMediaError(error, "AuthenticationError")) return error.operationId !== "createToken";
  return PASSING.some((name) => isCallMediaError(error, name));
}

/** How often something is begun or gone on with: one in ten connections may break where nothing can be resumed. */
const MAX_TRIES = 6;

/** Of one file that the service refuses while it gives others: each try is five requests of the client, with pauses. */
const MAX_REFUSED = 2;

/** For one request at a time no others come meanwhile. A service that only has to be started again is back by then. */
const LONG_MS = 15_000;

/** Whether another try may help, after one that failed with `error`. */
export type Patience = (error: unknown) => boolean;

/**
 * For what is tried from now on. `countOthers`: how much else came so far, where this is one file of many: a file that the
 * service has damaged, and therefore refuses with 503 for as long as it is asked, must not hold up those. `isLastTry`: all
 * else has come already.
 */
export function createPatience(countOthers?: () => number, isLastTry = false): Patience {
  const [beganMs, before] = [performance.now(), countOthers?.()];
  let tries = 0;
  const isAlone = () =>
    before !== undefined &&
    (isLastTry || countOthers?.() !== before || performance.now() - beganMs > LONG_MS);
  return (error) => {
    tries++;
    if (!isPassing(error) || tries === MAX_TRIES) return false;
    return !(isCallMediaError(error, "ServiceError") && tries >= MAX_REFUSED && isAlone());
  };
}

/** The client has waited between its own tries. */
export async function tryAgain<Result>(
  work: () => Promise<Result>,
  mayHelp: Patience = createPatience(),
): Promise<Result> {
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!mayHelp(error)) throw error;
    }
}
