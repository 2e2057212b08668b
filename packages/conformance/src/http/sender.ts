// One request and its answer: sent as long as there is a budget for it, read within bounds, and logged without secrets.
import type { CheckOptions, Target } from "../report.ts";
import { type Answer, type Ask, toAnswer, toSent } from "./answer.ts";
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

/** How many requests a check may send that is not told. */
export const DEFAULT_MAX_REQUESTS = 600;
// A service that left three requests without an answer would leave the others too, ten seconds each.
const MAX_SILENCES = 3;
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

export interface SenderOptions {
  readonly target: Target;
  readonly options: CheckOptions;
  readonly secrets: Secrets;
  readonly onSilence: (silence: Silence) => void;
}

/** Its `send` throws `Ended` when no whole answer came, or when no more may be sent. */
export function createSender({ target, options, secrets, onSilence }: SenderOptions) {
  const { maxRequests = DEFAULT_MAX_REQUESTS, signal } = options;
  const fetch = target.fetch ?? globalThis.fetch;
  let requests = 0;
  let silences = 0;

  const spend = ({ operation }: Ask): void => {
    if (silences >= MAX_SILENCES) throw new Ended(`${silences} requests had no whole answer`, true);
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
      if (signal?.aborted === true) throw new Ended("the check was stopped", true);
      return secrets.hide(options.explain?.(error) ?? toFault(error, bounds));
    }
  };

  return {
    requests: () => requests,
    send: async (ask: Ask, request: RawRequest): Promise<Answer> => {
      spend(ask);
      const sent = toSent(request, secrets);
      const log = startLog(sent, options.onExchange);
      const raw = await receive(request, toBounds(ask));
      if (typeof raw === "string") {
        silences += 1;
        log({ fault: raw });
        onSilence({ ask, sent, fault: raw });
        throw new Ended(`${sent.method} ${sent.url}: ${raw}`, false);
      }
      learnToken(ask, raw, secrets);
      const answer = toAnswer(ask, raw, { sent, secrets });
      log({ came: answer.came });
      return answer;
    },
  };
}

const toBounds = ({ operation }: Ask): Bounds =>
  operation.startsWith("stream") ? STREAM_BOUNDS : JSON_BOUNDS;

function startLog(sent: Answer["sent"], onExchange: CheckOptions["onExchange"]) {
  const startedAt = new Date();
  return (what: { readonly came?: Answer["came"]; readonly fault?: string }): void => {
    const durationMs = Date.now() - startedAt.getTime();
    onExchange?.({ sent, ...what, startedAt: startedAt.toISOString(), durationMs });
  };
}

// Before anything of the answer is shown: a check may fail on it before the token is used.
function learnToken({ operation, body }: Ask, { bytes }: RawAnswer, secrets: Secrets): void {
  if (operation !== "createToken" || bytes === undefined) return;
  const [, token] = /"access_token"\s*:\s*"([^"]+)"/.exec(new TextDecoder().decode(bytes)) ?? [];
  const isRestricted = secrets.hide(JSON.stringify(body) ?? "").includes("$RESTRICTED_");
  if (token !== undefined) secrets.add(token, isRestricted ? "$RESTRICTED_TOKEN" : "$TOKEN");
}

function toFault(error: unknown, { timeoutMs }: Bounds): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no whole answer within ${timeoutMs / 1000} s`;
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
}
