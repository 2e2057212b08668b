// The door of `@call-media/testing/msw`: a fake as handlers of Mock Service Worker, for programs that use the global fetch.
import { http, HttpResponse, type RequestHandler } from "msw";

import type { FakeService } from "./fake-service.ts";

/**
 * Handlers for `setupServer` or `setupWorker`: every request to the `baseUrl` of the fake is answered by it. Needs the
 * package `msw`.
 *
 * @example
 * ```ts
 * const service = createFakeService({ calls: [{ call_id: "7" }] });
 * setupServer(...toHandlers(service)).listen();
 * ```
 */
export function toHandlers({ baseUrl, fetch }: FakeService): RequestHandler[] {
  const resolve = ({ request }: { readonly request: Request }) =>
    // MSW takes an exception for a fault of the handler, and this for one of the network.
    fetch(request).catch(() => HttpResponse.error());
  return [http.all(`${baseUrl}/*`, resolve)];
}
