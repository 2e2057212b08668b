// Sends all requests of a check, within the rate limit of the run, and retries 429 and 503.
import { setTimeout as wait } from "node:timers/promises";
import { createGate } from "./gate.ts";
import { type Answered, type Asked, createSender, Ended, type SenderOptions } from "./sender.ts";
import type { RawRequest } from "./transport.ts";

export interface Wire<Ask, Answer> {
  /** Throws `Ended` if the response is incomplete or no more requests may be sent. */
  readonly send: (ask: Ask, request: RawRequest) => Promise<Answer>;
  readonly requests: () => number;
  /** Without a trailing slash. */
  readonly baseUrl: string;
}

// Limits per minute are the longest common ones.
const MAX_WAIT_MS = 60_000;
const MAX_WAITS = 5;
// A limit for the complete run: a recording with a lost file may return 503 forever.
const MAX_OUTAGES = 5;

export function createWire<Ask extends Asked, Answer extends Answered>(
  setting: SenderOptions<Ask, Answer>,
): Wire<Ask, Answer> & Pick<ReturnType<typeof createSender>, "findSilence"> {
  const { target, options } = setting;
  const { signal } = options;
  const gate = createGate(options.requestsPerSecond);
  const sender = createSender(setting);
  const baseUrl = target.baseUrl.replace(/\/+$/, "");
  let outages = 0;

  /** True for a 503 that is worth a retry. After MAX_OUTAGES of them, a 503 counts as the response. */
  const isOut = ({ status, headers }: Answer): boolean => {
    const isPassing = status === 503 && headers.has("Retry-After") && outages < MAX_OUTAGES;
    if (isPassing) outages += 1;
    return isPassing;
  };

  const sendPatiently = async (ask: Ask, request: RawRequest): Promise<Answer> => {
    for (let waits = 0; ; waits += 1) {
      const answer = await gate.pass(() => sender.send(ask, request));
      if (answer.status !== 429 && !isOut(answer)) return answer;
      if (waits === MAX_WAITS)
        throw new Ended(`${baseUrl} answers ${answer.status} again and again`, true);
      const pause = gate.pause(toWaitMs(answer.headers.get("Retry-After")));
      await wait(pause, undefined, signal && { signal }).catch(() => {
        throw new Ended("the check was stopped", true);
      });
    }
  };

  return {
    send: sendPatiently,
    requests: sender.requests,
    findSilence: sender.findSilence,
    baseUrl,
  };
}

function toWaitMs(retryAfter: string | null): number {
  const seconds = Number(retryAfter ?? 1);
  const asked = Number.isNaN(seconds) ? Date.parse(retryAfter ?? "") - Date.now() : seconds * 1000;
  return Math.min(Math.max(asked || 0, 100), MAX_WAIT_MS);
}
