// Answers the console's requests (D35): its session, who looked at a call (D40), and the contract's operations mounted a second time, with the cookie.
import type { IncomingMessage } from "node:http";
import type { CallStore } from "@call-media/store";
import {
  type Answer,
  type Holder,
  methodNotAllowed,
  readJson,
  type ResponseHeaders,
  type Service,
  toAnswer,
  toCredential,
  toErrorAnswer,
  toJsonReply,
  toServiceError,
} from "@call-media/service";
import { notFromConsole, sessionMissing } from "../http/errors.ts";
import type { EdgeAnswer, Exchange } from "../http/exchange.ts";
import { ACCESS, ACCESS_METHODS, createAccessAnswer, readSaid } from "./access.ts";
import type { Sessions } from "./session.ts";

const SESSION = "/console/session";
const API = "/console/api";
const SESSION_METHODS: readonly string[] = ["GET", "HEAD", "POST", "DELETE"];

/** For every response: it is data, which a browser must not show as a page, frame or run. */
export const CONSOLE_HEADERS: ResponseHeaders = {
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
};

/** True for the paths that read the session's cookie and reject other origins. */
export function isConsolePath(pathname: string): boolean {
  return pathname === SESSION || pathname === ACCESS || pathname.startsWith(`${API}/`);
}

/** The methods of a console path; none for an unknown one. */
export function consoleMethodsOf(pathname: string, { methodsOf }: Service): readonly string[] {
  if (pathname === SESSION) return SESSION_METHODS;
  if (pathname === ACCESS) return ACCESS_METHODS;
  return methodsOf(pathname.slice(API.length)).filter((method) => method !== "OPTIONS");
}

interface Parts {
  readonly service: Service;
  readonly store: CallStore;
  readonly sessions: Sessions;
  readonly now: () => number;
}

/** Answers a console path. Throws `ServiceError`. */
export function createConsole({ service, store, sessions, now }: Parts) {
  const answerSession = createSessionAnswer(service, sessions);
  const identify = async (exchange: Exchange) => {
    const session = await sessions.read(exchange);
    if (session === undefined) throw sessionMissing();
    return { ...(await sessions.use(session, exchange.request)), ...readSaid(exchange.request) };
  };
  const answerAccess = toPage(ACCESS, createAccessAnswer({ service, store, now, identify }));
  return async (exchange: Exchange): Promise<EdgeAnswer> => {
    const { request, path } = exchange;
    checkOrigin(request);
    if (path === SESSION) return answerSession(exchange);
    if (path === ACCESS) return answerAccess(exchange);
    // A session must not be turned into a token, which other programs could use, so sign-ins are not mounted.
    const mount = { prefix: API, isOpen: false, identify: () => identify(exchange) };
    return service.answer(exchange, mount);
  };
}

function createSessionAnswer(service: Service, sessions: Sessions) {
  const open = async (exchange: Exchange): Promise<Answer> => {
    const { request } = exchange;
    const former = await sessions.read(exchange);
    const attempt = sessions.parse(exchange, await readJson(exchange));
    const log = (status: number, by?: Holder) =>
      service.logSignIn({
        request: exchange,
        operation: "console sign-in",
        triedID: by === undefined ? attempt.triedID : toCredential(by),
        userId: by?.userId,
        status,
      });
    try {
      const holder = await attempt.check();
      const secret = await sessions.open(holder);
      if (former !== undefined) await sessions.end(former);
      await log(200, holder);
      return toAnswer(
        toJsonReply({}, { "Set-Cookie": sessions.toCookie(request, secret) }),
        exchange,
      );
    } catch (error) {
      const refusal = toServiceError(error);
      const last = await log(refusal.status).then(() => refusal, toServiceError);
      return toErrorAnswer(last, exchange, { triedID: attempt.triedID });
    }
  };

  const answer = async (exchange: Exchange): Promise<Answer> => {
    const { request, method, query } = exchange;
    exchange.admit(undefined);
    if (method === "POST") return open(exchange);
    const session = await sessions.read(exchange);
    if (method === "DELETE") {
      if (session !== undefined)
        await (query === "everywhere" ? sessions.endAll(session) : sessions.end(session));
      return toAnswer(toJsonReply({}, { "Set-Cookie": sessions.toCookie(request) }), exchange);
    }
    if (method !== "GET" && method !== "HEAD") throw methodNotAllowed(SESSION_METHODS);
    if (session === undefined) {
      const { namedUser: proxyUser } = exchange;
      const body = { user: null, ...(proxyUser !== undefined && { proxyUser }) };
      return toAnswer(toJsonReply(body), exchange);
    }
    await sessions.use(session, request);
    return toAnswer(toJsonReply(sessions.toDescription(session)), exchange);
  };

  return toPage(SESSION, answer);
}

/** An answer outside of the contract, named by its path in the log; an error is an answer. */
const toPage =
  (page: string, answer: (exchange: Exchange) => Promise<Answer>) =>
  async (exchange: Exchange): Promise<EdgeAnswer> => {
    const given = await answer(exchange).catch((error: unknown) =>
      toErrorAnswer(toServiceError(error), exchange),
    );
    return { ...given, page };
  };

const PROGRAMS: ReadonlySet<string> = new Set([
  "serviceworker",
  "sharedworker",
  "worker",
  "script",
]);

/**
 * Rejects requests that another site, another origin or a worker makes a browser send. It runs before the session is read,
 * so that a forged request leaves no row in the access log. Browsers write Sec-Fetch-Site themselves (Fetch Metadata); old
 * ones and WebSocket handshakes are recognized by Origin. A page of another origin needs a preflight to add a header, and that is denied.
 * Throws 403.
 */
function checkOrigin({ method, headers }: IncomingMessage): void {
  const site = headers["sec-fetch-site"];
  const isMarked = headers["x-call-media-console"] !== undefined;
  if (site !== undefined && site !== "same-origin") throw notFromConsole();
  if (PROGRAMS.has(headers["sec-fetch-dest"]?.toString() ?? "")) throw notFromConsole();
  const isRead = method === "GET" || method === "HEAD";
  const isForeign = site === undefined && headers.origin !== undefined;
  if (isRead ? isForeign && !isMarked : !isMarked) throw notFromConsole();
}
