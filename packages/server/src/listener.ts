// The service as a listener for node:http and node:https: the source of a request, pages and console, and the report of each request.
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  createService,
  type ServiceOptions,
  toAnswer,
  toErrorAnswer,
  toServiceError,
} from "@call-media/service";
import {
  CONSOLE_HEADERS,
  consoleMethodsOf,
  createConsole,
  isConsolePath,
} from "./console/console.ts";
import { createSessions, type SessionOptions } from "./console/session.ts";
import { toPageName } from "./documentation.ts";
import { createAnswers } from "./http/answers.ts";
import { createCors } from "./http/cors.ts";
import { plainRefused } from "./http/errors.ts";
import {
  type Account,
  type EdgeAnswer,
  type Exchange,
  openExchange,
  toAccount,
} from "./http/exchange.ts";
import { checkHead } from "./http/head.ts";
import { MAX_ANSWERS } from "./http/limits.ts";
import { createSourceFinder } from "./http/proxy.ts";
import { send, toTransportHeaders } from "./http/send.ts";
import type { Listener } from "./http/unreadable.ts";
import { answerPage, type Page, PAGE_METHODS } from "./pages.ts";

export interface ListenerOptions extends ServiceOptions {
  /** Pages outside of the contract, by path: the reference and the document itself. */
  readonly pages?: ReadonlyMap<string, Page>;
  /** Addresses and subnets of proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted (D24); none by default. */
  readonly proxies?: readonly string[];
  /** Origins whose pages may read the responses in a browser, for example `https://app.example.com`; none by default. */
  readonly corsOrigins?: readonly string[];
  /** Responses in flight at a time, `MAX_ANSWERS` by default (D23). */
  readonly maxAnswers?: number;
  /** The settings of the console's sessions (D35); undefined: no sessions. */
  readonly console?: SessionOptions | undefined;
  /** Called when a request has ended, whatever its result. */
  readonly onEnd?: (account: Account) => void;
}

export function createListener(options: ListenerOptions): Listener {
  const { pages = new Map<string, Page>(), proxies = [], corsOrigins = [] } = options;
  const { store, now = Date.now, maxAnswers = MAX_ANSWERS, onEnd = () => {} } = options;
  const service = createService(options);
  const answers = createAnswers(maxAnswers);
  const findSource = createSourceFinder(proxies, options.console?.naming);
  const toCorsHeaders = createCors(corsOrigins);
  const answerConsole =
    options.console &&
    createConsole({
      service,
      store,
      now,
      sessions: createSessions({ store, access: service.access, now }, options.console),
    });

  const answer = async (exchange: Exchange, isPlain: boolean): Promise<EdgeAnswer> => {
    const { request, path } = exchange;
    const facts = { page: pages.has(path) ? toPageName(path) : undefined };
    try {
      if (isPlain) throw plainRefused();
      checkHead(request);
      const page = pages.get(path);
      if (page !== undefined) {
        exchange.admit(undefined);
        return { ...toAnswer(await answerPage(page, request), exchange), ...facts };
      }
      if (answerConsole !== undefined && isConsolePath(path)) return await answerConsole(exchange);
    } catch (error) {
      return { ...toErrorAnswer(toServiceError(error), exchange), ...facts };
    }
    return service.answer(exchange);
  };

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const source = findSource(request);
    const exchange = openExchange({ request, response }, source, answers);
    const headers = isConsolePath(exchange.path) ? CONSOLE_HEADERS : toCorsHeaders(request);
    const given = await answer(exchange, source.isPlain);
    const failure = await send(exchange, given, {
      ...toTransportHeaders(request.socket),
      ...headers,
    });
    onEnd(toAccount(exchange, given, failure));
  };

  const listener = (request: IncomingMessage, response: ServerResponse) =>
    void respond(request, response);
  return Object.assign(listener, {
    methodsOf: (path: string) => {
      if (pages.has(path)) return PAGE_METHODS;
      const isConsole = options.console !== undefined && isConsolePath(path);
      return isConsole ? consoleMethodsOf(path, service) : service.methodsOf(path);
    },
  });
}
