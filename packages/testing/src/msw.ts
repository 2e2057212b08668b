// The entry point `@call-media/testing/msw`: a fake as handlers of Mock Service Worker, for programs with the global fetch.
import { http, HttpResponse, type RequestHandler } from "msw";

import type { FakeService } from "./fake-service.ts";

/**
 * Creates handlers for `setupServer` or `setupWorker` that answer every request to the `baseUrl` of the fake. Needs the package
 * `msw`.
 *
 * @example
 * ```ts
 * const service = createFakeService({ calls: [{ call_id: "7" }] });
 * setupServer(...toHandlers(service)).listen();
 * ```
 */
export function toHandlers({ baseUrl, fetch }: FakeService): RequestHandler[] {
  const resolve = ({ request }: { readonly request: Request }) =>
    // MSW treats an exception as a bug in the handler, and this as a network error.
    fetch(request).catch(() => HttpResponse.error());
  return [http.all(`${baseUrl}/*`, resolve)];
}
