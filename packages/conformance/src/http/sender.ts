// One request and its response: sent while the budget lasts, read within limits, and logged without secrets.
import {
  type Exchange,
  type Progress,
  type ReceivedAnswer,
  type SentRequest,
  toSent,
} from "./exchanges.ts";
import type { Secrets } from "./secrets.ts";
import { type Bounds, exchange, type RawAnswer, type RawRequest } from "./transport.ts";

/** Ends the current check if `isFinal` is false, else the complete run. */
export class Ended extends Error {
  override readonly name = "Ended";
  readonly isFinal: boolean;

  constructor(reason: string, isFinal: boolean) {
    super(reason);
    this.isFinal = isFinal;
  }
}

/** A request; the sender itself reads no other field of it. */
export interface Asked {
  readonly operation: string;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly came: ReceivedAnswer;
}

/** A request without a complete response. */
export interface Silence<Ask> {
  readonly ask: Ask;
  readonly sent: SentRequest;
  readonly fault: string;
}

export interface SendOptions {
  /** Maximum number of requests; default 900. */
  readonly maxRequests?: number;
  /** Maximum number of requests per second; default: no limit. */
  readonly requestsPerSecond?: number;
  /** Ends the check early, with the verdict `unable`. */
  readonly signal?: AbortSignal;
  /** Explains an error of `fetch`. If it returns undefined, the message of the error is used. */
  readonly explain?: (error: unknown) => string | undefined;
  readonly onProgress?: (progress: Progress) => void;
  /** Called with every request and its response, with secrets replaced, for a log such as HAR. */
  readonly onExchange?: (exchange: Exchange) => void;
}

/** Default maximum number of requests of a check. */
export const DEFAULT_MAX_REQUESTS = 900;
// A service that did not respond to three requests will not respond to others either, and each takes ten seconds.
const MAX_SILENCES = 3;
/** Shorter values are language codes and the like. */
const SHORTEST_SESSION = 16;
const MEBIBYTE = 2 ** 20;
// A recording in base64 is the largest JSON response. A client would treat more as an attack too.
export const JSON_BOUNDS: Bounds = {
  timeoutMs: 10_000,
  keptBytes: 32 * MEBIBYTE,
  readBytes: 32 * MEBIBYTE,
};
export const STREAM_BOUNDS: Bounds = {
  timeoutMs: 30_000,
  keptBytes: 32 * MEBIBYTE,
  readBytes: 256 * MEBIBYTE,
};

export interface SenderOptions<Ask extends Asked, Answer extends Answered> {
  readonly target: { readonly baseUrl: string; readonly fetch?: typeof fetch };
  readonly options: SendOptions;
  readonly secrets: Secrets;
  readonly onSilence: (silence: Silence<Ask>) => void;
  readonly toBounds: (ask: Ask) => Bounds;
  /** Parses a response. Secrets that it finds there are hidden from then on. */
  readonly toAnswer: (ask: Ask, raw: RawAnswer, sent: SentRequest) => Answer;
  /** Why a request must not be sent: it may change data that is not the run's own. Called for every request. */
  readonly refuse: (ask: Ask, method: string) => string | undefined;
}

/** Its `send` throws `Ended` if the response is incomplete, the budget is spent or the request is refused. */
export function createSender<Ask extends Asked, Answer extends Answered>(
  setting: SenderOptions<Ask, Answer>,
) {
  const { target, options, secrets, onSilence } = setting;
  const { maxRequests = DEFAULT_MAX_REQUESTS, signal } = options;
  const fetch = target.fetch ?? globalThis.fetch;
  let requests = 0;
  /** Why requests had no complete response. */
  const silences: string[] = [];

  /** How many requests had no complete response, and why. */
  const findSilence = (): string | undefined =>
    silences.length === 0
      ? undefined
      : `${silences.length} of ${requests} requests to ${target.baseUrl} had no whole answer: ${[...new Set(silences)].join("; ")}`;

  const spend = ({ operation }: Ask): void => {
    if (silences.length >= MAX_SILENCES) throw new Ended(findSilence() ?? "", true);
    if (requests >= maxRequests)
      throw new Ended(
        `the budget of ${maxRequests} requests is used up: --max-requests allows more`,
        true,
      );
    requests += 1;
    options.onProgress?.({ requests, maxRequests, doing: operation });
  };

  /** The complete response, or why there is none. */
  const receive = async (request: RawRequest, bounds: Bounds): Promise<RawAnswer | string> => {
    try {
      const raw = await exchange(fetch, request, { bounds, signal });
      return raw.isCut ? `the body is larger than ${bounds.readBytes} bytes` : raw;
    } catch (error) {
      if (error instanceof Ended) throw error;
      if (signal?.aborted === true) throw new Ended("the check was stopped", true);
      return secrets.hide(options.explain?.(error) ?? toFault(error, bounds));
    }
  };

  return {
    requests: () => requests,
    findSilence,
    send: async (ask: Ask, request: RawRequest): Promise<Answer> => {
      const refusal = setting.refuse(ask, request.method);
      if (refusal !== undefined) throw new Ended(refusal, false);
      spend(ask);
      const sent = toSent(request, secrets);
      const log = startLog(sent, (one) => options.onExchange?.(secrets.hideIn(one)));
      const raw = await receive(request, setting.toBounds(ask));
      if (typeof raw === "string") {
        silences.push(raw);
        log({ fault: raw });
        onSilence({ ask, sent, fault: raw });
        throw new Ended(`${sent.method} ${sent.url}: ${raw}`, false);
      }
      for (const cookie of raw.headers.getSetCookie()) {
        const [, value = ""] = /^[^=;]*=([^;]*)/.exec(cookie) ?? [];
        if (value.length >= SHORTEST_SESSION) secrets.add(value, "$SESSION_KEY");
      }
      const answer = setting.toAnswer(ask, raw, sent);
      log({ came: answer.came });
      return answer;
    },
  };
}

function startLog(sent: SentRequest, onExchange: (exchange: Exchange) => void) {
  const startedAt = new Date();
  return (what: { readonly came?: ReceivedAnswer; readonly fault?: string }): void => {
    const durationMs = Date.now() - startedAt.getTime();
    onExchange({ sent, ...what, startedAt: startedAt.toISOString(), durationMs });
  };
}

function toFault(error: unknown, { timeoutMs }: Bounds): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no whole answer within ${timeoutMs / 1000} s`;
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
}
