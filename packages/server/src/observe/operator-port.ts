// The port for those who operate the service: pages for programs that watch it, apart from the service's own port.
import type { IncomingMessage, ServerResponse } from "node:http";
import { toErrorReply, toServiceError } from "@call-media/service";
import { pageUnknown } from "../http/errors.ts";
import type { Listener } from "../http/unreadable.ts";
import { listen, type Listening } from "../listen.ts";
import { answerPage, type Page, PAGE_METHODS, type PageReply } from "../pages.ts";

export interface OperatorPlace {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
}

/** Plain HTTP, without credentials: nothing on these pages is secret. Throws `ListenError` for a port that is taken. */
export function openOperatorPort(
  place: OperatorPlace,
  pages: ReadonlyMap<string, Page>,
): Promise<Listening> {
  return listen(createPageListener(pages), place);
}

function createPageListener(pages: ReadonlyMap<string, Page>): Listener {
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    const answer = async (): Promise<PageReply> => {
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
