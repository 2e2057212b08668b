// The port for operators: pages for monitoring programs, apart from the service's own port.
import type { IncomingMessage, ServerResponse } from "node:http";
import { isIP } from "node:net";
import { hostname } from "node:os";
import { toErrorReply, toServiceError } from "@call-media/service";
import { hostUnknown, pageUnknown } from "../http/errors.ts";
import type { Listener } from "../http/unreadable.ts";
import { listen, type Listening } from "../listen.ts";
import { answerPage, type Page, PAGE_METHODS, type PageReply } from "../pages.ts";

export interface OperatorPlace {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
}

/** Plain HTTP, without credentials: nothing on these pages is secret. Throws `ListenError` for a port that is in use. */
export function openOperatorPort(
  place: OperatorPlace,
  pages: ReadonlyMap<string, Page>,
): Promise<Listening> {
  return listen(createPageListener(pages, place), place);
}

/**
 * True for a name that no website has: an address, a name without a dot, one that ends in .localhost, or a name of this machine.
 * A website could point any other name here, to read these pages in a visitor's browser (DNS rebinding).
 * Only browsers always send Host.
 */
export function isOwnHost(host: string | undefined, own: readonly string[]): boolean {
  if (host === undefined || host === "") return true;
  const [, literal, bare = ""] =
    /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(host.toLowerCase()) ?? [];
  if (literal !== undefined) return isIP(literal) === 6;
  const name = bare.replace(/\.$/, "");
  if (name === "") return false;
  return isIP(name) === 4 || /^[^.]+$|\.localhost$/.test(name) || own.includes(name);
}

function createPageListener(pages: ReadonlyMap<string, Page>, { host }: OperatorPlace): Listener {
  const own = [host, hostname()].map((name) => name.toLowerCase());
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    const answer = async (): Promise<PageReply> => {
      if (!isOwnHost(request.headers.host, own)) throw hostUnknown();
      // The query that a Prometheus server may add to the path is ignored.
      const [path = ""] = (request.url ?? "").split("?");
      const page = pages.get(path);
      if (page === undefined) throw pageUnknown([...pages.keys()]);
      return answerPage(page, request);
    };
    const send = ({ status, headers, body }: PageReply) => {
      response.writeHead(status, headers);
      response.end(body);
    };
    answer().then(send, (error: unknown) => send(toErrorReply(toServiceError(error))));
  };
  return Object.assign(listener, {
    methodsOf: (path: string) => (pages.has(path) ? PAGE_METHODS : []),
  });
}
