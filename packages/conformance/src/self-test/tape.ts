// The recorded responses of a service in a run, so that the run can be repeated without it.
import { Ended } from "../http/sender.ts";

export interface Taped {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A request as the kit sends it, with everything that the response may depend on. */
export interface Request {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Tape {
  /** Sends requests with the given `fetch` and records the responses. */
  readonly record: typeof fetch;
  /** The response to the nth occurrence of the request, or the last one if there were fewer. */
  readonly find: (request: Request, nth: number) => Taped | undefined;
  readonly all: readonly { readonly request: Request; readonly taped: Taped }[];
}

export function createTape(send: typeof fetch): Tape {
  const answers = new Map<string, Taped[]>();
  const all: { request: Request; taped: Taped }[] = [];
  return {
    all,
    find: (request, nth) => {
      const known = answers.get(toKey(request)) ?? [];
      return known[nth] ?? known.at(-1);
    },
    record: async (input, init) => {
      const response = await send(input, init);
      const bytes = new Uint8Array(await response.arrayBuffer());
      const taped = { status: response.status, headers: response.headers, bytes };
      const request = toRequest(input, init);
      const key = toKey(request);
      answers.set(key, [...(answers.get(key) ?? []), taped]);
      all.push({ request, taped });
      return toResponse(taped);
    },
  };
}

export interface Replaying {
  /** Sends a reading request that is not on the tape to the service. */
  readonly send: typeof fetch;
  readonly isReading: (request: Request) => boolean;
  readonly change: (request: Request, taped: Taped) => Taped;
  /** True once the rest of the run cannot matter. */
  readonly isEnough: () => boolean;
}

/** Responds from the tape, after `change`. */
export function replay(tape: Tape, { send, isReading, change, isEnough }: Replaying): typeof fetch {
  const counts = new Map<string, number>();
  return async (input, init) => {
    if (isEnough()) throw new Ended("the drift is found", true);
    const request = toRequest(input, init);
    const key = toKey(request);
    const nth = counts.get(key) ?? 0;
    counts.set(key, nth + 1);
    const taped = tape.find(request, nth);
    if (taped !== undefined) return toResponse(change(request, taped));
    if (!isReading(request)) throw new Ended("the first run did not send this", false);
    const response = await send(input, init);
    const bytes = new Uint8Array(await response.arrayBuffer());
    return toResponse(
      change(request, { status: response.status, headers: response.headers, bytes }),
    );
  };
}

function toRequest(input: Parameters<typeof fetch>[0], init: Parameters<typeof fetch>[1]): Request {
  const headers = Object.fromEntries(new Headers(init?.headers));
  const { method = "GET", body } = init ?? {};
  const url = typeof input === "string" ? input : input instanceof URL ? input.href : input.url;
  return { method, url, headers, body: typeof body === "string" ? body : "" };
}

const toKey = ({ method, url, headers, body }: Request): string =>
  JSON.stringify([method, url, headers, body]);

const BODILESS = new Set([204, 205, 304]);

const toResponse = ({ status, headers, bytes }: Taped): Response =>
  new Response(BODILESS.has(status) || bytes.length === 0 ? null : bytes, { status, headers });
