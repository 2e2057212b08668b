// The way of a request through the service: where it comes from, what it asks for, and its answer or refusal.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { CallStore } from "@call-media/store";
import { type AccessSettings, createAccess } from "./access/access.ts";
import { createAccessRecord } from "./access/access-record.ts";
import {
  CONSOLE_HEADERS,
  consoleMethodsOf,
  createConsole,
  isConsolePath,
} from "./console/console.ts";
import { createSessions, type SessionOptions } from "./console/session.ts";
import { createDispatch, type Identify } from "./dispatch.ts";
import { toPageName } from "./documentation.ts";
import { createAnswers } from "./http/answers.ts";
import { createCors } from "./http/cors.ts";
import { pathUnknown, plainRefused } from "./http/errors.ts";
import { type Account, type Exchange, openExchange, toAccount } from "./http/exchange.ts";
import { checkHead } from "./http/head.ts";
import { MAX_ANSWERS } from "./http/limits.ts";
import { createSourceFinder } from "./http/proxy.ts";
import { type Reply, send, toOptionsReply, toTransportHeaders, withHeaders } from "./http/reply.ts";
import { createRouter, type Router } from "./http/routes.ts";
import type { Listener } from "./http/unreadable.ts";
import { answerPage, type Page, PAGE_METHODS } from "./pages.ts";
import { refuse } from "./refusal.ts";

export interface ServiceOptions extends Partial<AccessSettings> {
  readonly store: CallStore;
  /** Pages beside the contract, by path: the reference and the document itself. */
  readonly pages?: ReadonlyMap<string, Page>;
  /** Addresses and subnets of proxies whose X-Forwarded-For and X-Forwarded-Proto are believed (D24); none by default. */
  readonly proxies?: readonly string[];
  /** Origins whose pages a browser lets read the answers, for example `https://app.example.com`; none by default. */
  readonly corsOrigins?: readonly string[];
  /** Answers in flight at a time, `MAX_ANSWERS` by default (D23). */
  readonly maxAnswers?: number;
  /** Whether and how the console has sessions (D35); undefined: none. */
  readonly console?: SessionOptions | undefined;
  /** Told of every request when it has ended, whatever became of it. */
  readonly onEnd?: (account: Account) => void;
}

/** One hour (D18). */
export const DEFAULT_TOKEN_LIFETIME_SECONDS = 3_600;

/** The fifteen operations as a listener for node:http and node:https. */
export function createService(options: ServiceOptions): Listener {
  const { store, pages = new Map<string, Page>(), proxies = [], corsOrigins = [] } = options;
  const { onEnd = () => {} } = options;
  const router = createRouter();
  const record = createAccessRecord(store.accessLog, options.now ?? Date.now);
  const answer = createAnswer({ ...options, pages }, router);
  const findSource = createSourceFinder(proxies);
  const toCorsHeaders = createCors(corsOrigins);

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const source = findSource(request);
    const exchange = openExchange(request, response, source);
    const headers = {
      ...toTransportHeaders(request.socket),
      ...(isConsolePath(exchange.pathname) ? CONSOLE_HEADERS : toCorsHeaders(request)),
      "X-Request-Id": exchange.requestId,
    };
    let failure: unknown;
    try {
      if (source.isPlain) throw plainRefused();
      await send(exchange, withHeaders(await answer(exchange), headers), record);
    } catch (error) {
      failure = await refuse(exchange, error, { headers, record });
    }
    onEnd(toAccount(exchange, failure));
  };

  const listener = (request: IncomingMessage, response: ServerResponse) =>
    void respond(request, response);
  return Object.assign(listener, {
    methodsOf: (pathname: string) => {
      if (pages.has(pathname)) return PAGE_METHODS;
      const isConsole = options.console !== undefined && isConsolePath(pathname);
      return isConsole ? consoleMethodsOf(pathname, router) : router.methodsOf(pathname);
    },
  });
}

/** Pages, what a path answers, and operations. */
function createAnswer(
  options: ServiceOptions & { readonly pages: ReadonlyMap<string, Page> },
  router: Router,
): (exchange: Exchange) => Promise<Reply> {
  const { store, pages } = options;
  const {
    tokenLifetimeSeconds = DEFAULT_TOKEN_LIFETIME_SECONDS,
    requestsPerMinute,
    now = Date.now,
    maxAnswers = MAX_ANSWERS,
  } = options;
  const access = createAccess(store, { tokenLifetimeSeconds, requestsPerMinute, now });
  const answers = createAnswers(maxAnswers);
  const dispatch = createDispatch({ store, access, answers });
  const byBearer: Identify = ({ request }) => access.authenticate(request.headers.authorization);
  const answerConsole =
    options.console &&
    createConsole({
      sessions: createSessions({ store, access, now }, options.console),
      router,
      dispatch,
      answers,
    });

  return async (exchange) => {
    const { request, pathname } = exchange;
    checkHead(request);
    const page = pages.get(pathname);
    if (page !== undefined) {
      exchange.page = toPageName(pathname);
      answers.admit(exchange);
      return answerPage(page, request);
    }
    if (answerConsole !== undefined && isConsolePath(pathname))
      return await answerConsole(exchange);
    if (request.method === "OPTIONS") {
      answers.admit(exchange);
      return answerOptions(router, pathname);
    }
    return await dispatch(exchange, router.match(request.method ?? "", pathname), byBearer);
  };
}

function answerOptions(router: Router, pathname: string): Reply {
  const methods = router.methodsOf(pathname);
  if (methods.length === 0) throw pathUnknown();
  return toOptionsReply(methods);
}
