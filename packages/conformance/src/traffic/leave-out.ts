// Recorded exchanges that say nothing about the service, each with the reason.
import { findResponse } from "../rules/answer.ts";
import { listHeaders, type TrafficEntry } from "./entry.ts";
import type { Matched } from "./route.ts";

/** The reason why a request to the service is not judged, whatever it is for. */
export function findEarlyReason(entry: TrafficEntry): string | undefined {
  const { request, response } = entry;
  const { status } = response;
  if (status < 100) return "no response was recorded";
  if (status < 200) return "upgrades to other protocols";
  if (isFromCache(entry)) return "from the cache of a browser";
  if (status === 304) return "304, without a body to judge";
  const isPreflight =
    request.method.toUpperCase() === "OPTIONS" &&
    listHeaders(request.headers).some(([name]) => /^access-control-request-/i.test(name));
  if (isPreflight) return "CORS preflights";
  // Chromium records the switch to https as a response of its own.
  const isInternal = /^internal redirect$/i.test(response.statusText ?? "");
  return isInternal ? "redirects" : undefined;
}

/** A redirect that the document does not name is usually one of a gateway: to https, or to sign in. */
export const findReason = (
  { response: { status } }: TrafficEntry,
  { operation }: Matched,
): string | undefined => {
  const isRedirect = status >= 300 && status < 400;
  const documented = isRedirect ? findResponse(operation.responses, status) : undefined;
  return isRedirect && (documented === undefined || documented.status === "default")
    ? "redirects that the document does not name"
    : undefined;
};

/** How Chromium and other browsers mark a response that did not come from the service. */
const CACHE_MARKS = [
  "_fromCache",
  "_fromDiskCache",
  "_servedFromCache",
  "_fetchedViaServiceWorker",
] as const;

const isFromCache = (entry: TrafficEntry): boolean =>
  CACHE_MARKS.map((name) => entry[name]).some(
    (mark) => mark !== undefined && mark !== null && mark !== false && mark !== "",
  );

const FILES =
  /^(?:document|stylesheet|image|media|font|script|manifest|texttrack|ping|preflight)$/i;
const FILE_TYPES =
  /^(?:text\/(?:html|css|javascript)|application\/(?:x-)?javascript|image\/|font\/|video\/|audio\/)/i;

/** True for a file of a page, in the recording of a browser. */
export function isFileOfPage({ request, response, _resourceType: kind }: TrafficEntry): boolean {
  if (typeof kind === "string" && /^(?:xhr|fetch)$/i.test(kind)) return false;
  const isFile = typeof kind === "string" && FILES.test(kind);
  const isGet = request.method.toUpperCase() === "GET";
  return isFile || (isGet && FILE_TYPES.test(response.content?.mimeType ?? ""));
}
