// Everything a check sends goes through here: budget, pace, patience with 429 and 503, and the log of what was exchanged.
import { setTimeout as wait } from "node:timers/promises";
import type { CheckOptions, Target } from "../report.ts";
import { type Answer, type Ask, toAnswer, toRawRequest, toSent } from "./answer.ts";
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

/** A request that nothing, or not all of an answer, came to. */
export interface Silence {
  readonly ask: Ask;
  readonly sent: Answer["sent"];
  readonly fault: string;
}

export interface Wire {
  /** Throws `Ended` when no whole answer came, or when no more may be sent. */
  readonly send: (ask: Ask, authorization: string | null) => Promise<Answer>;
  readonly requests: () => number;
  /** Without a slash at its end. */
  readonly baseUrl: string;
}

export const DEFAULT_MAX_REQUESTS = 600;
// Enough to hide the delay of a far service, too few to trouble it.
const MAX_IN_FLIGHT = 4;
// A service that left three requests without an answer would leave the others too, ten seconds each.
const MAX_SILENCES = 3;
// Limits by the minute are the longest that are common.
const MAX_WAIT_MS = 60_000;
const MAX_WAITS = 5;
// Of all requests together: a recording whose file is lost may be answered 503 for good.
const MAX_OUTAGES = 5;
const MEBIBYTE = 2 ** 20;
// A recording in base64 is the largest JSON there is; more would be taken for an attack by a client too.
const JSON_BOUNDS: Bounds = {
  timeoutMs: 10_000,
  keptBytes: 32 * MEBIBYTE,
  readBytes: 32 * MEBIBYTE,
};
const STREAM_BOUNDS: Bounds = {
  timeoutMs: 30_000,
  keptBytes: 32 * MEBIBYTE,
  readBytes: 256 * MEBIBYTE,
};

export interface WireOptions {
  readonly target: Target;
  readonly options: CheckOptions;
  readonly secrets: Secrets;
  readonly onSilence: (silence: Silence) => void;
}

export function createWire({ target, options, secrets, onSilence }: WireOptions): Wire {
  const { maxRequests = DEFAULT_MAX_REQUESTS, signal, requestsPerSecond } = options;
  const send = target.fetch ?? globalThis.fetch;
  const gate = createGate(requestsPerSecond);
  const baseUrl = target.baseUrl.replace(/\/+$/, "");
  let requests = 0;
  let silences = 0;
  let outages = 0;

  const sendOnce = async (ask: Ask, request: RawRequest): Promise<Answer> => {
    if (silences >= MAX_SILENCES) throw new Ended(`${silences} requests had no whole answer`, true);
    if (requests >= maxRequests)
      throw new Ended(`the budget of ${maxRequests} requests is used up`, true);
    requests += 1;
    const { operation } = ask;
    options.onProgress?.({ requests, maxRequests, doing: operation });
    const bounds = operation.startsWith("stream") ? STREAM_BOUNDS : JSON_BOUNDS;
    const sent = toSent(request, secrets);
    const startedAt = new Date();
    const log = (what: { came?: Answer["came"]; fault?: string }) => {
      const durationMs = Date.now() - startedAt.getTime();
      options.onExchange?.({ sent, ...what, startedAt: startedAt.toISOString(), durationMs });
    };
    const silence = (fault: string): never => {
      silences += 1;
      log({ fault });
      onSilence({ ask, sent, fault });
      throw new Ended(`${sent.method} ${sent.url}: ${fault}`, false);
    };
    let raw: RawAnswer;
    try {
      raw = await exchange(send, request, { bounds, signal });
    } catch (error) {
      if (signal?.aborted === true) throw new Ended("the check was stopped", true);
      return silence(secrets.hide(options.explain?.(error) ?? toFault(error, bounds)));
    }
    if (raw.isCut) return silence(`the body is larger than ${bounds.readBytes} bytes`);
    learnToken(ask, raw, secrets);
    const answer = toAnswer(ask, raw, { sent, secrets });
    log({ came: answer.came });
    return answer;
  };

  /** Whether an outage will soon be over. What is out for longer is answered as often as it is asked for. */
  const isOut = ({ status, headers }: Answer): boolean => {
    const isPassing = status === 503 && headers.has("Retry-After") && outages < MAX_OUTAGES;
    if (isPassing) outages += 1;
    return isPassing;
  };

  const sendPatiently = async (ask: Ask, request: RawRequest): Promise<Answer> => {
    for (let waits = 0; ; waits += 1) {
      const answer = await gate.pass(() => sendOnce(ask, request));
      if (answer.status !== 429 && !isOut(answer)) return answer;
      if (waits === MAX_WAITS)
        throw new Ended(`the service answers ${answer.status} again and again`, true);
      const pause = gate.pause(toWaitMs(answer.headers.get("Retry-After")));
      await wait(pause, undefined, signal && { signal });
    }
  };

  return {
    send: (ask, authorization) => sendPatiently(ask, toRawRequest(baseUrl, ask, authorization)),
    requests: () => requests,
    baseUrl,
  };
}

// Before anything of the answer is shown: a check may fail on it before the token is used.
function learnToken({ operation, body }: Ask, { bytes }: RawAnswer, secrets: Secrets): void {
  if (operation !== "createToken" || bytes === undefined) return;
  const [, token] = /"access_token"\s*:\s*"([^"]+)"/.exec(new TextDecoder().decode(bytes)) ?? [];
  const isRestricted = secrets.hide(JSON.stringify(body) ?? "").includes("$RESTRICTED_");
  if (token !== undefined) secrets.add(token, isRestricted ? "$RESTRICTED_TOKEN" : "$TOKEN");
}

function toWaitMs(retryAfter: string | null): number {
  const seconds = Number(retryAfter ?? 1);
  const asked = Number.isNaN(seconds) ? Date.parse(retryAfter ?? "") - Date.now() : seconds * 1000;
  return Math.min(Math.max(asked || 0, 100), MAX_WAIT_MS);
}

function toFault(error: unknown, { timeoutMs }: Bounds): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no whole answer within ${timeoutMs / 1000} s`;
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
}

/** Lets a few through at a time, no faster than the given rate, and none before a pause is over. */
function createGate(requestsPerSecond: number | undefined) {
  const waiting: (() => void)[] = [];
  const intervalMs = requestsPerSecond === undefined ? 0 : 1000 / requestsPerSecond;
  let inFlight = 0;
  let nextMs = 0;
  const enter = async () => {
    if (inFlight >= MAX_IN_FLIGHT) await new Promise<void>((resolve) => waiting.push(resolve));
    else inFlight += 1;
    const nowMs = Date.now();
    const delayMs = Math.max(0, nextMs - nowMs);
    nextMs = nowMs + delayMs + intervalMs;
    if (delayMs > 0) await wait(delayMs);
  };
  const leave = () => {
    const next = waiting.shift();
    if (next === undefined) inFlight -= 1;
    else next();
  };
  return {
    pass: async <T>(work: () => Promise<T>): Promise<T> => {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
    pause: (ms: number): number => {
      nextMs = Math.max(nextMs, Date.now() + ms);
      return ms;
    },
  };
}
