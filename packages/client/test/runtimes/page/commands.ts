// What a page cannot do and asks Node.js for: a server over real HTTP, whose requests it takes and answers itself.
import type { ServerResponse } from "node:http";

import type { BrowserCommand } from "vitest/node";

import { type Asked, openServer, type Server } from "../../support/http-server.ts";

/** A request that waits for its answer. */
export interface Waiting {
  readonly request: number;
  readonly asked: Asked;
}

/** What is done to a response, in the names of node:http. */
export type Step = "setHeader" | "writeHead" | "write" | "end" | "destroy";

interface Served {
  readonly server: Server;
  readonly waiting: Waiting[];
  /** Wakes a page that waits for its next request. */
  wake: () => void;
  isClosed: boolean;
}

const served = new Map<string, Served>();
const responses: ServerResponse[] = [];

export const openPageServer: BrowserCommand = async () => {
  const waiting: Waiting[] = [];
  const server = await openServer((asked, response) => {
    waiting.push({ request: responses.push(response) - 1, asked });
    served.get(server.baseUrl)?.wake();
  });
  served.set(server.baseUrl, { server, waiting, wake: () => {}, isClosed: false });
  return server.baseUrl;
};

/** The next request; undefined when the server has been closed. */
export const takeRequest: BrowserCommand<[baseUrl: string]> = async (_, baseUrl) => {
  const one = served.get(baseUrl);
  if (one && !one.isClosed && one.waiting.length === 0)
    await new Promise<void>((resolve) => (one.wake = resolve));
  return one?.waiting.shift();
};

export const stepResponse: BrowserCommand<[request: number, step: Step, args: unknown[]]> = (
  _,
  request,
  step,
  args,
) => {
  const response = responses[request];
  // The page gives what the methods of node:http take.
  if (response) (response[step] as (...given: unknown[]) => unknown).apply(response, args);
};

export const closePageServer: BrowserCommand<[baseUrl: string]> = async (_, baseUrl) => {
  const one = served.get(baseUrl);
  if (one === undefined || one.isClosed) return;
  one.isClosed = true;
  one.wake();
  await one.server.close();
};
