// The path of a request through the service: matched, authenticated, parsed, answered. Each step takes the value before it and
// returns the next (`steps.ts`). An error is reported with the facts known by then.
import type { Route } from "@call-media/api";
import type { AccessEntry, CallStore, SignInEntry } from "@call-media/store";
import Negotiator from "negotiator";
import { type Access, type AccessSettings, createAccess } from "./access/access.ts";
import {
  type Look,
  type SignIn,
  toCutRow,
  toLookRow,
  toRow,
  toSignInRow,
  toTried,
} from "./access/access-rows.ts";
import {
  type Answer,
  type Sent,
  toAnswer,
  toErrorAnswer,
  toJsonReply,
  toOptionsReply,
  toStreamReply,
} from "./answer.ts";
import { readJson } from "./body.ts";
import { notAcceptable, pathUnknown, type ServiceError, unavailable } from "./errors.ts";
import { parseInput } from "./input.ts";
import type { Handler } from "./operations/handler.ts";
import { operations } from "./operations/operations.ts";
import { toServiceError } from "./translator.ts";
import type { Mount, ServiceRequest } from "./request.ts";
import { createRouter, type Router } from "./routes.ts";
import {
  type Answered,
  type Authenticated,
  type Matched,
  type Parsed,
  type Step,
  toFacts,
} from "./steps.ts";

export interface ServiceOptions extends Partial<AccessSettings> {
  readonly store: CallStore;
  /** How long the URL of a redirect is valid, for callers who request one (D36); undefined: no redirects. */
  readonly mediaRedirectSeconds?: number | undefined;
}

/** One hour (D18). */
export const DEFAULT_TOKEN_LIFETIME_SECONDS = 3_600;

export interface Service {
  /**
   * Never rejects: an error is a response. When it resolves, the access log has the row; that of a
   * recording is on the disk. A streamed body must be closed. Without a mount, the Authorization header identifies the caller.
   */
  readonly answer: (request: ServiceRequest, mount?: Mount) => Promise<Answer>;
  /** The methods of a path, including HEAD and OPTIONS; `*` is the service as a whole. Empty for an unknown path. */
  readonly methodsOf: (path: string) => readonly string[];
  readonly access: Access;
  /** Writes the row of a sign-in other than POST /Token. Throws 503. */
  readonly logSignIn: (signIn: SignIn) => Promise<void>;
  /** Writes the row of a look into the access log. Throws 503. */
  readonly logLook: (look: Look) => Promise<void>;
}

export function createService(options: ServiceOptions): Service {
  const { store, now = Date.now, tokenLifetimeSeconds = DEFAULT_TOKEN_LIFETIME_SECONDS } = options;
  const { requestsPerMinute, mediaRedirectSeconds } = options;
  const { accessLog } = store;
  const router = createRouter();
  const access = createAccess(store, { tokenLifetimeSeconds, requestsPerMinute, now });
  const root: Mount = {
    prefix: "",
    isOpen: true,
    identify: ({ headers }) => access.authenticate(headers["authorization"]?.toString()),
  };

  const authenticate = async (matched: Matched, { identify }: Mount): Promise<Authenticated> => ({
    ...matched,
    caller: matched.route.needsCredentials ? await identify(matched.request) : undefined,
  });

  const parse = async (authenticated: Authenticated): Promise<Parsed> => {
    const { request, route, path, caller } = authenticated;
    request.admit(caller?.credential);
    const limits = caller && access.count(caller);
    checkAccept(request, route);
    const body = route.body === undefined ? undefined : await readJson(request);
    const { query, headers } = request;
    return { ...authenticated, input: parseInput(route, { path, query, headers, body }), limits };
  };

  const operate = async (parsed: Parsed): Promise<Answered> => {
    const { request, input, caller } = parsed;
    const given = { request, input, caller, store, access, mediaRedirectSeconds };
    // The table is closed: the handler found under this route's id is the one for this route's input.
    const handle = operations[parsed.route.operationId] as Handler<"listPublicFlags">;
    return { ...parsed, result: await handle(given as Parameters<typeof handle>[0]) };
  };

  const log = async (row: AccessEntry | SignInEntry | undefined): Promise<void> => {
    if (row !== undefined) await accessLog.append(row, "recording" in row);
  };

  const finish = async (answered: Answered): Promise<Answer> => {
    const { request, result, caller, limits } = answered;
    const media = "media" in result ? result.media : undefined;
    const row = toRow(answered, "media" in result ? result.status : 200, now());
    try {
      await log(row);
    } catch (fault) {
      await media?.source.close();
      return toErrorOf(answered, unavailable(fault));
    }
    if (request.method === "HEAD") await media?.source.close();
    const body = media && {
      bytes: media.bytes,
      pieces: media.pieces(media.source),
      isStillValid: async () => caller === undefined || caller.isStillValid(),
      close: async ({ bytes, isWhole }: Sent) => {
        await media.source.close();
        // If the second row fails, the first one says more than was sent, never less.
        if (isWhole || row === undefined || !("recording" in row)) return;
        await log(toCutRow(row, bytes, now())).catch(() => {});
      },
    };
    const reply =
      "media" in result
        ? toStreamReply(result.status, { ...limits, ...result.headers }, body)
        : toJsonReply(result.body, { ...limits, ...result.headers });
    return toAnswer(reply, request, toFacts(answered));
  };

  const logOwn = (row: AccessEntry | SignInEntry | undefined) =>
    log(row).catch((fault: unknown) => {
      throw unavailable(fault);
    });

  /** Even an error response is sent only after its row is written. */
  const refuse = async (last: Step, error: ServiceError): Promise<Answer> => {
    if (last.request.isGone()) return toErrorOf(last, error);
    try {
      await log(toRow(last, error.status, now()));
    } catch (fault) {
      return toErrorOf(last, unavailable(fault));
    }
    return toErrorOf(last, error);
  };

  return {
    answer: async (request, mount = root) => {
      let last: Step = { request };
      try {
        if (request.method === "OPTIONS" && mount.isOpen) return answerOptions(request, router);
        const matched = match(request, mount, router);
        last = matched;
        const authenticated = await authenticate(matched, mount);
        last = authenticated;
        const parsed = await parse(authenticated);
        last = parsed;
        return await finish(await operate(parsed));
      } catch (error) {
        return refuse(last, toServiceError(error));
      }
    },
    methodsOf: router.methodsOf,
    access,
    logSignIn: (signIn) => logOwn(toSignInRow(signIn, now())),
    logLook: (look) => logOwn(toLookRow(look, now())),
  };
}

function answerOptions(request: ServiceRequest, { methodsOf }: Router): Answer {
  request.admit(undefined);
  const methods = methodsOf(request.path);
  if (methods.length === 0) throw pathUnknown();
  return toAnswer(toOptionsReply(methods), request);
}

function match(request: ServiceRequest, { prefix, isOpen }: Mount, router: Router): Matched {
  const found = router.match(request.method, request.path.slice(prefix.length));
  if (!isOpen && !found.route.needsCredentials) throw pathUnknown();
  return { request, ...found };
}

// The two streams negotiate among the types of their recording themselves.
function checkAccept({ headers }: ServiceRequest, { responses }: Route): void {
  const accept = headers["accept"]?.toString();
  if (!accept || accept === "*/*") return;
  const types = Object.keys(responses["200"]?.content ?? {});
  if (!types.includes("application/json")) return;
  if (new Negotiator({ headers: { accept } }).mediaType(types) === undefined) throw notAcceptable();
}

function toErrorOf(last: Step, error: ServiceError): Answer {
  return toErrorAnswer(error, last.request, { ...toFacts(last), triedID: toTried(last) });
}
