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
export const MAX_TRIES = 6;

/** The client has waited between its own tries. */
export async function tryAgain<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++)
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || tries === MAX_TRIES) throw error;
    }
}
