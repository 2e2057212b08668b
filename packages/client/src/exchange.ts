// One call until it is answered or has failed: as whom, how often and how long it is tried.
import { createAttempt, type Outgoing, type Reader, type Wire } from "./attempt.ts";
import { checkGoesOn, openWatch, sleep, until } from "./clock.ts";
import { AuthenticationError, CallMediaError } from "./errors.ts";
import { isPassing, isPassingStatus, toWaitMs } from "./retry.ts";
import type { Session } from "./session.ts";

/** Sends a request as often as it takes, and gives what `reader` makes of the success. */
export type Send = <Result>(request: Outgoing, reader: Reader<Result>) => Promise<Result>;

/** How far a call has come. */
interface Progress {
  retries: number;
  /** The bearer that got a 401. There is one replay for it. */
  refused: string | undefined;
  readonly endsAtMs: number;
}

/** Without a session the requests go out as they are. */
export function createSend(wire: Wire, session?: Session): Send {
  const { options, emit } = wire;
  const { clock, maxRetries } = options;
  const attempt = createAttempt(wire);
  const leftMs = ({ endsAtMs }: Progress) => Math.max(1, endsAtMs - clock.now());
  const canReplay = ({ refused }: Progress) => session?.isRenewable && refused === undefined;

  async function authorize({ exchange, headers }: Outgoing, progress: Progress): Promise<void> {
    if (session === undefined) return;
    let bearer = session.bearer(progress.refused);
    if (typeof bearer !== "string") {
      const watch = openWatch(exchange, clock);
      watch.allow(leftMs(progress));
      bearer = await until(bearer, watch);
    }
    headers.set("Authorization", `Bearer ${bearer}`);
    exchange.secret = bearer;
  }

  /** How long to wait before the next attempt; undefined where there is none. */
  function toNextWaitMs(error: CallMediaError, progress: Progress): number | undefined {
    if (error instanceof AuthenticationError) return canReplay(progress) ? 0 : undefined;
    if (progress.retries >= maxRetries || !isPassing(error)) return undefined;
    const waitMs = toWaitMs(progress.retries, error.retryAfterMs, options.random);
    return waitMs < leftMs(progress) ? waitMs : undefined;
  }

  async function prepareNext(request: Outgoing, progress: Progress, error: unknown): Promise<void> {
    const { exchange } = request;
    const waitMs = error instanceof CallMediaError ? toNextWaitMs(error, progress) : undefined;
    if (waitMs === undefined) throw error;
    if (error instanceof AuthenticationError) progress.refused = exchange.secret;
    else progress.retries++;
    emit(exchange, { type: "retry", waitMs, error: error as CallMediaError });
    if (waitMs > 0) await sleep(waitMs, exchange, clock);
  }

  async function tryAll<Result>(request: Outgoing, reader: Reader<Result>): Promise<Result> {
    const progress: Progress = {
      retries: 0,
      refused: undefined,
      endsAtMs: clock.now() + options.totalTimeoutMs,
    };
    for (;;) {
      checkGoesOn(request.exchange);
      await authorize(request, progress);
      const turn = {
        allowMs: Math.min(options.tryTimeoutMs, leftMs(progress)),
        isFinal: (status: number) =>
          status === 401
            ? !canReplay(progress)
            : progress.retries >= maxRetries || !isPassingStatus(status),
      };
      try {
        return await attempt(request, reader, turn);
      } catch (error) {
        await prepareNext(request, progress, error);
      }
    }
  }

  return async (request, reader) => {
    const { exchange } = request;
    emit(exchange, { type: "start" });
    try {
      const result = await tryAll(request, reader);
      emit(exchange, { type: "end", error: undefined });
      return result;
    } catch (error) {
      // What a token store throws comes as it is.
      emit(exchange, { type: "end", error });
      throw error;
    }
  };
}
