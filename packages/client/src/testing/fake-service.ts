// The service in memory: a `fetch` that answers as the contract says, and goes wrong when told to.
import type { OperationId } from "@call-media/api";

import type { Clock } from "../clock.ts";
import { type Credentials, platformClock } from "../options.ts";
import type { Profile } from "../profile.ts";
import { createArchive } from "./archive.ts";
import { toBehaviour } from "./behaviour.ts";
import { createFaults, type InjectedFault } from "./faults.ts";
import { operations } from "./operations.ts";
import { Refusal, toCommonHeaders, toRefusalAnswer } from "./refusal.ts";
import { matchRoute, methodsOf, pathUnknown, readInput } from "./requests.ts";
import type { FakeArchive } from "./seed.ts";
import { createSignIns } from "./sign-ins.ts";

/** What a fake holds, and how it behaves. */
export interface FakeServiceOptions extends FakeArchive {
  /** Where it seems to be. Default: that of the profile, else `https://archive.test`. */
  readonly baseUrl?: string | undefined;
  /** How it answers what the interface leaves open, as `call-media probe` writes it. Default: as the decisions have it. */
  readonly profile?: Profile | undefined;
  /** Time of day and timers, for the expiry of tokens and slow answers. Default: those of the platform. */
  readonly clock?: Clock | undefined;
}

/** How a user's application signs in, and the key that may be used instead. */
export interface FakeAccess {
  readonly credentials: Credentials;
  readonly apiKey: string;
}

/** A request that a fake got. */
export interface FakeRequest {
  /** Undefined for what is no operation of the contract. */
  readonly operationId: OperationId | undefined;
  readonly method: string;
  readonly url: string;
}

/** A service in memory. */
export interface FakeService extends FakeAccess {
  readonly baseUrl: string;
  /** Answers like the built-in one; hand it to anything that takes a `fetch`. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** What a client of this service is made from. */
  readonly clientOptions: Pick<FakeService, "baseUrl" | "credentials" | "fetch">;
  /** Every request so far, in order. */
  readonly requests: readonly FakeRequest[];
  /** Credentials and key of another user than the first. */
  readonly accessOf: (userId: number) => FakeAccess;
  /** Makes something go wrong; the function that it returns takes that back. */
  readonly inject: (fault: InjectedFault) => () => void;
}

/**
 * A service in memory for tests. It checks, searches and refuses as the decisions have it, or as `profile` says; `credentials`
 * and `apiKey` are those of its first user.
 *
 * @throws TypeError where the profile or a datetime makes no sense, or there are no users.
 * @example
 * ```ts
 * const service = createFakeService({ calls: [{ call_id: "7", agent: "ana" }] });
 * const client = createClient(service.clientOptions);
 * service.inject({ kind: "status", status: 503, times: 2 });
 * ```
 */
export function createFakeService(options: FakeServiceOptions = {}): FakeService {
  const { profile = {}, clock = platformClock } = options;
  const baseUrl = (options.baseUrl ?? profile.baseUrl ?? "https://archive.test").replace(
    /\/+$/,
    "",
  );
  const behaviour = toBehaviour({ ...profile, baseUrl }, baseUrl);
  const archive = createArchive(options, behaviour);
  const { users, owner } = archive;
  const { tokenLifeS } = behaviour;
  const signIns = createSignIns({ users, tokenLifeS, now: () => clock.now() });
  const faults = createFaults({ clock, forgetTokens: () => signIns.forgetTokens() });
  const requests: FakeRequest[] = [];
  async function answer(request: Request, path: string): Promise<Response> {
    if (request.method === "OPTIONS") return toOptionsAnswer(path);
    const match = matchRoute(request.method, path);
    const { operationId, needsCredentials } = match.route;
    const bearer = request.headers.get("Authorization");
    const user = needsCredentials ? signIns.authenticate(bearer) : owner;
    const input = await readInput(match, request);
    return operations[operationId]({ input, request, archive, behaviour, signIns, user });
  }

  async function fetch(given: string | URL | Request, init?: RequestInit): Promise<Response> {
    const request = new Request(given, init);
    const { method, url, signal } = request;
    signal.throwIfAborted();
    // Nobody listens at another address.
    if (!url.startsWith(`${baseUrl}/`)) throw new TypeError("fetch failed");
    const path = new URL(url).pathname.slice(new URL(baseUrl).pathname.replace(/\/$/, "").length);
    const operationId = findOperation(method, path);
    requests.push({ operationId, method, url });
    const response = await faults.befall({ operationId, signal }, () =>
      answer(request, path).catch(toErrorAnswer),
    );
    return method === "HEAD" ? new Response(null, response) : tie(response, request);
  }

  const { credentials, apiKey } = owner;
  return {
    baseUrl,
    credentials,
    apiKey,
    fetch,
    clientOptions: { baseUrl, credentials, fetch },
    requests,
    accessOf(userId) {
      const user = users.find(({ id }) => id === userId);
      if (user === undefined) throw new TypeError(`There is no user ${userId}`);
      return { credentials: user.credentials, apiKey: user.apiKey };
    },
    inject: (fault) => faults.inject(fault),
  };
}

// A request that is collected takes its signal's connection to the caller's signal with it (undici), while its body is read.
const requestOf = /* @__PURE__ */ new WeakMap<ReadableStream, Request>();

type Controller = ReadableStreamDefaultController<Uint8Array>;

/** The body of the built-in `fetch` fails when the request is aborted while it is read. */
function tie(response: Response, request: Request): Response {
  const { signal } = request;
  const reader = response.body?.getReader();
  if (reader === undefined) return response;
  const source = {
    start(controller: Controller) {
      const stop = () => {
        controller.error(signal.reason);
        // What is left behind it may have failed already.
        reader.cancel(signal.reason).catch(() => {});
      };
      signal.addEventListener("abort", stop);
    },
    async pull(controller: Controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason: unknown) => reader.cancel(reason),
  };
  const body = new ReadableStream<Uint8Array>(source, { highWaterMark: 0 });
  requestOf.set(body, request);
  return new Response(body, response);
}

function findOperation(method: string, path: string): OperationId | undefined {
  try {
    return matchRoute(method, path).route.operationId;
  } catch {
    return undefined;
  }
}

/** RFC 9110, 9.3.7. */
function toOptionsAnswer(path: string): Response {
  const methods = methodsOf(path);
  if (methods === undefined) return toRefusalAnswer(pathUnknown());
  return new Response(null, {
    status: 204,
    headers: { ...toCommonHeaders(), Allow: methods.join(", ") },
  });
}

/** What no refusal is, is a fault of the fake, and for the test to see. */
function toErrorAnswer(error: unknown): Response {
  if (error instanceof Refusal) return toRefusalAnswer(error);
  throw error;
}
