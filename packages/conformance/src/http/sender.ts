// One request and its answer: sent as long as there is a budget for it, read within bounds, and logged without secrets.
import {
  type Exchange,
  type Progress,
  type ReceivedAnswer,
  type SentRequest,
  toSent,
} from "./exchanges.ts";
import type { Secrets } from "./secrets.ts";
import { type Bounds, exchange, type RawAnswer, type RawRequest } from "./transport.ts";

/** Ends what is being done: one check when `isFinal` is false, else the whole run. */
export class Ended extends Error {
  override readonly name = "Ended";
  readonly isFinal: boolean;

  constructor(reason: string, isFinal: boolean) {
    super(reason);
    this.isFinal = isFinal;
  }
}

/** What is asked for; the sender itself reads nothing else of it. */
export interface Asked {
  readonly operation: string;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly came: ReceivedAnswer;
}

/** A request that nothing, or not all of an answer, came to. */
export interface Silence<Ask> {
  readonly ask: Ask;
  readonly sent: SentRequest;
  readonly fault: string;
}

export interface SendOptions {
  /** How many requests may be sent in all; default 900. */
  readonly maxRequests?: number;
  /** How many requests may be sent in a second; default: no limit. */
  readonly requestsPerSecond?: number;
  /** Ends the check early, with the verdict `unable`. */
  readonly signal?: AbortSignal;
  /** Says why a request has no answer, of what `fetch` threw; where it gives undefined, that error speaks for itself. */
  readonly explain?: (error: unknown) => string | undefined;
  readonly onProgress?: (progress: Progress) => void;
  /** Every request and its answer, with secrets replaced, for a log such as HAR. */
  readonly onExchange?: (exchange: Exchange) => void;
}

/** How many requests a check may send that is not told. */
export const DEFAULT_MAX_REQUESTS = 900;
// A service that left three requests without an answer would leave the others too, ten seconds each.
const MAX_SILENCES = 3;
/** What is shorter names a language or the like. */
const SHORTEST_SESSION = 16;
const MEBIBYTE = 2 ** 20;
// A recording in base64 is the largest JSON there is; more would be taken for an attack by a client too.
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
  /** Reads what came. Secrets that it learns from it are hidden wherever it is shown. */
  readonly toAnswer: (ask: Ask, raw: RawAnswer, sent: SentRequest) => Answer;
  /** Why a request must not be sent: it may change what is not the run's own. Asked of every request, whoever sends it. */
  readonly refuse: (ask: Ask, method: string) => string | undefined;
}

/** Its `send` throws `Ended` when no whole answer came, when no more may be sent, or when this must not be. */
export function createSender<Ask extends Asked, Answer extends Answered>(
  setting: SenderOptions<Ask, Answer>,
) {
  const { target, options, secrets, onSilence } = setting;
  const { maxRequests = DEFAULT_MAX_REQUESTS, signal } = options;
  const fetch = target.fetch ?? globalThis.fetch;
  let requests = 0;
  /** Why requests had no whole answer. */
  const silences: string[] = [];

  /** How many requests had no whole answer, and why. */
  const findSilence = (): string | undefined =>
    silences.length === 0
      ? undefined
      : `${silences.length} of ${requests} requests to ${target.baseUrl} had no whole answer: ${[...new Set(silences)].join("; ")}`;

  const spend = ({ operation }: Ask): void => {
    if (silences.length >= MAX_SILENCES) throw new Ended(findSilence() ?? "", true);
    if (requests >= maxRequests)
      throw new Ended(`the budget of ${maxRequests} requests is used up`, true);
    requests += 1;
    options.onProgress?.({ requests, maxRequests, doing: operation });
  };

  /** The whole answer, or why there is none. */
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
