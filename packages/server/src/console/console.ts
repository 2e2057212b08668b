// Answers the console's requests (D35): its session, and the contract's operations a second time, by cookie.
import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import type { Dispatch } from "../dispatch.ts";
import type { Answers } from "../http/answers.ts";
import { readJson } from "../http/body.ts";
import { methodNotAllowed, notFromConsole, pathUnknown, sessionMissing } from "../http/errors.ts";
import type { Exchange } from "../http/exchange.ts";
import { type Reply, toJsonReply } from "../http/reply.ts";
import type { Router } from "../http/routes.ts";
import type { Sessions } from "./session.ts";

const SESSION = "/console/session";
const API = "/console/api";
const SESSION_METHODS: readonly string[] = ["GET", "HEAD", "POST", "DELETE"];

/** For every answer: it is data, which a browser shows, frames and runs nowhere. */
export const CONSOLE_HEADERS: OutgoingHttpHeaders = {
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
};

/** True for the paths that read the session's cookie and answer no other origin. */
export function isConsolePath(pathname: string): boolean {
  return pathname === SESSION || pathname.startsWith(`${API}/`);
}

/** The methods of a console path; none for an unknown one. */
export function consoleMethodsOf(pathname: string, router: Router): readonly string[] {
  if (pathname === SESSION) return SESSION_METHODS;
  return router.methodsOf(pathname.slice(API.length)).filter((method) => method !== "OPTIONS");
}

interface Parts {
  readonly sessions: Sessions;
  readonly router: Router;
  readonly dispatch: Dispatch;
  readonly answers: Answers;
}

/** Answers a console path. Throws `ServiceError`. */
export function createConsole({ sessions, router, dispatch, answers }: Parts) {
  const identify = async ({ request }: Exchange) => {
    const session = await sessions.read(request);
    if (session === undefined) throw sessionMissing();
    return sessions.use(session, request);
  };
  return async (exchange: Exchange): Promise<Reply> => {
    const { request, pathname } = exchange;
    checkOrigin(request);
    if (pathname === SESSION) {
      answers.admit(exchange);
      return answerSession(exchange, sessions);
    }
    const match = router.match(request.method ?? "", pathname.slice(API.length));
    // A session must not turn into a token, which other programs could use.
    if (!match.route.needsCredentials) throw pathUnknown();
    return dispatch(exchange, match, identify);
  };
}

async function answerSession(exchange: Exchange, sessions: Sessions): Promise<Reply> {
  const { request, query } = exchange;
  exchange.page = SESSION;
  const session = await sessions.read(request);
  if (request.method === "POST") {
    const secret = await sessions.open(exchange, await readJson(request));
    if (session !== undefined) await sessions.end(session);
    return toJsonReply({}, { "Set-Cookie": sessions.toCookie(request, secret) });
  }
  if (request.method === "DELETE") {
    if (session !== undefined)
      await (query === "everywhere" ? sessions.endAll(session) : sessions.end(session));
    return toJsonReply({}, { "Set-Cookie": sessions.toCookie(request) });
  }
  if (request.method !== "GET" && request.method !== "HEAD")
    throw methodNotAllowed(SESSION_METHODS);
  if (session === undefined) {
    const proxyUser = sessions.proxyUser(exchange);
    return toJsonReply({ user: null, ...(proxyUser !== undefined && { proxyUser }) });
  }
  await sessions.use(session, request);
  return toJsonReply(sessions.toDescription(session));
}

const PROGRAMS: ReadonlySet<string> = new Set([
  "serviceworker",
  "sharedworker",
  "worker",
  "script",
]);

/**
 * Refuses requests that another site, another origin or a worker makes a browser send. It runs before the session is read,
 * so that a forged request leaves no row in the access log. Browsers write Sec-Fetch-Site themselves (Fetch Metadata); old
 * ones and WebSocket handshakes show by Origin. A page of another origin needs a preflight to add a header, and gets none.
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
