// In place of `support/http-server.ts` in a page: the server runs in Node.js, what it answers is still the test's own code.
import type { ServerResponse } from "node:http";

import { commands } from "vitest/browser";

import type { Asked, Server } from "../../support/http-server.ts";
import type { Step, Waiting } from "./commands.ts";

declare module "vitest/browser" {
  interface BrowserCommands {
    openPageServer: () => Promise<string>;
    takeRequest: (baseUrl: string) => Promise<Waiting | undefined>;
    stepResponse: (request: number, step: Step, args: unknown[]) => Promise<void>;
    closePageServer: (baseUrl: string) => Promise<void>;
  }
}

type Handle = (asked: Asked, response: ServerResponse) => unknown;

export async function openServer(handle: Handle): Promise<Server> {
  const baseUrl = await commands.openPageServer();
  void serve(baseUrl, handle);
  return { baseUrl, close: () => commands.closePageServer(baseUrl) };
}

async function serve(baseUrl: string, handle: Handle): Promise<void> {
  for (let one; (one = await commands.takeRequest(baseUrl));)
    void handle(one.asked, toResponse(one));
}

/** What the tests use of a response, each step sent after the one before. */
function toResponse({ request, asked }: Waiting): ServerResponse {
  let sent: Promise<void> = Promise.resolve();
  const send =
    (step: Step) =>
    (...args: unknown[]) => {
      sent = sent.then(() => commands.stepResponse(request, step, args));
      return response;
    };
  const response = {
    req: { url: asked.url },
    setHeader: send("setHeader"),
    writeHead: send("writeHead"),
    write: send("write"),
    end: send("end"),
    destroy: send("destroy"),
  };
  return response as unknown as ServerResponse; // the tests use no more of it
}
