// The service in memory: a `fetch` that responds as this project's service does, and injects faults on demand.
import { type OperationId, routes } from "@call-media/api";
import { createService } from "@call-media/service";
import { createMemoryStore } from "@call-media/store/memory";
import { type Behaviour, type Profile, toBehaviour, toTimeZone } from "./behaviour.ts";
import { type Clock, platformClock } from "./clock.ts";
import { createFaults, type InjectedFault } from "./faults.ts";
import { answerRequest } from "./fetch-service.ts";
import { isForeign, searchAsForeign } from "./foreign-search.ts";
import {
  checkSeed,
  type FakeArchive,
  type FakeCredentials,
  fillStore,
  toUsers,
  type User,
} from "./seed.ts";

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** The content and the behaviour of a fake. */
export interface FakeServiceOptions extends FakeArchive {
  /** Its URL as clients see it. Default: that of the profile, else `https://archive.test`. */
  readonly baseUrl?: string | undefined;
  /** How it behaves where the interface leaves a question open, as `call-media probe` writes it. Default: the decisions. */
  readonly profile?: Profile | undefined;
  /** Time of day and timers, for the expiry of tokens and slow responses. Default: those of the platform. */
  readonly clock?: Clock | undefined;
}

/** How a user's application signs in, and the key that may be used instead. */
export interface FakeAccess {
  readonly credentials: FakeCredentials;
  readonly apiKey: string;
}

/** A request that a fake received. */
export interface FakeRequest {
  /** Undefined outside of the contract's operations. */
  readonly operationId: OperationId | undefined;
  readonly method: string;
  readonly url: string;
}

/** A service in memory. */
export interface FakeService extends FakeAccess {
  readonly baseUrl: string;
  /** Behaves like the built-in `fetch`; pass it to any code that accepts one. */
  readonly fetch: Fetch;
  /** The options for a client of this service. */
  readonly clientOptions: Pick<FakeService, "baseUrl" | "credentials" | "fetch">;
  /** Every request so far, in order. */
  readonly requests: readonly FakeRequest[];
  /** Credentials and key of a given user. */
  readonly accessOf: (userId: number) => FakeAccess;
  /** Injects a fault; the returned function removes it. */
  readonly inject: (fault: InjectedFault) => () => void;
}

/**
 * A service in memory for tests. It checks, searches and rejects according to the decisions, or to `profile` if given.
 * `credentials` and `apiKey` are those of its first user.
 *
 * @throws TypeError if the profile or a datetime is invalid, a user has an unknown field, or the list of users is empty.
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
  const basePath = new URL(baseUrl).pathname.replace(/\/$/, "");
  const behaviour = toBehaviour(profile);
  const users = toUsers(options);
  checkSeed(options, users, toTimeZone(behaviour));
  const { ask, forgetTokens } = createArchive({ seed: options, users, behaviour, clock, basePath });
  const faults = createFaults({ clock, forgetTokens });
  const requests: FakeRequest[] = [];

  async function fetch(given: string | URL | Request, init?: RequestInit): Promise<Response> {
    const request = new Request(given, init);
    const { method, url, signal } = request;
    signal.throwIfAborted();
    // Nothing listens at another URL.
    if (!url.startsWith(`${baseUrl}/`)) throw new TypeError("fetch failed");
    const operationId = findOperation(method, new URL(url).pathname.slice(basePath.length));
    requests.push({ operationId, method, url });
    const response = await faults.befall({ operationId, signal }, () =>
      answerAs(behaviour, { request, operationId, ask }),
    );
    return method === "HEAD" ? new Response(null, response) : tie(response, request);
  }

  const accessOf = (userId: number): FakeAccess => {
    const user = users.find(({ record }) => record.id === userId);
    if (user === undefined) throw new TypeError(`There is no user ${userId}`);
    return { credentials: user.credentials, apiKey: user.apiKey };
  };
  const { credentials, apiKey } = accessOf(users[0]?.record.id ?? 0);
  return {
    baseUrl,
    credentials,
    apiKey,
    fetch,
    clientOptions: { baseUrl, credentials, fetch },
    requests,
    accessOf,
    inject: (fault) => faults.inject(fault),
  };
}

interface ArchiveSettings {
  readonly seed: FakeArchive;
  readonly users: readonly User[];
  readonly behaviour: Behaviour;
  readonly clock: Clock;
  readonly basePath: string;
}

/** Creates the service over an archive in memory; requests wait until it is filled. */
function createArchive({ seed, users, behaviour, clock, basePath }: ArchiveSettings) {
  const now = () => clock.now();
  const store = createMemoryStore({ timeZone: toTimeZone(behaviour), now });
  const service = createService({ store, now, tokenLifetimeSeconds: behaviour.tokenLifeS });
  const filled = fillStore(store, seed, users);
  // Each request gets the error instead.
  filled.catch(() => {});
  return {
    ask: async (request: Request): Promise<Response> => {
      await filled;
      return await answerRequest(service, request, basePath);
    },
    forgetTokens: async () => {
      for (const { record } of users)
        await store.credentials.revoke({ tokensOf: { userId: record.id } });
    },
  };
}

interface Asked {
  readonly request: Request;
  readonly operationId: OperationId | undefined;
  readonly ask: (request: Request) => Promise<Response>;
}

async function answerAs(behaviour: Behaviour, { request, operationId, ask }: Asked) {
  const isSearch = operationId?.startsWith("searchMetadata") === true && request.method === "POST";
  if (isSearch && isForeign(behaviour))
    return await searchAsForeign(request, { operationId, behaviour, ask });
  const isStream = operationId?.startsWith("streamRecording") === true;
  if (!isStream) return await ask(request);
  const headers = new Headers(request.headers);
  if (!behaviour.streamRanges) headers.delete("Range");
  const response = await ask(new Request(request, { headers }));
  const answered = new Headers(response.headers);
  if (!behaviour.streamRanges) answered.delete("Accept-Ranges");
  if (!behaviour.streamDigest) answered.delete("Repr-Digest");
  return new Response(response.body, { status: response.status, headers: answered });
}

/** Maps HEAD to the operation whose response it describes. */
function findOperation(method: string, path: string): OperationId | undefined {
  const wanted = method === "HEAD" ? "GET" : method;
  return routes.find((route) => route.method === wanted && toPattern(route.path).test(path))
    ?.operationId;
}

const toPattern = (template: string) => new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`);

// Holds the request while its body is read: if it were collected, its signal would lose its link to the caller's (undici).
const requestOf = /* @__PURE__ */ new WeakMap<ReadableStream, Request>();

type Controller = ReadableStreamDefaultController<Uint8Array>;

/** The body of the built-in `fetch` fails if the request is aborted while reading. */
function tie(response: Response, request: Request): Response {
  const { signal } = request;
  const reader = response.body?.getReader();
  if (reader === undefined) return response;
  const source = {
    start(controller: Controller) {
      const stop = () => {
        controller.error(signal.reason);
        // The unread rest may already have failed.
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
