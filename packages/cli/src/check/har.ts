// The exchanges of a run as HAR 1.2, for browsers' tools and others that read it.
import { STATUS_CODES } from "node:http";
import type { Entry, Har, Header, Request, Response } from "har-format";
import type { Exchange, ReceivedAnswer, SentRequest } from "@call-media/conformance";
import { PROGRAM, readVersion } from "../version.ts";

// HAR 1.2: -1 means an unknown size or time.
const UNKNOWN = -1;
const HTTP_VERSION = "HTTP/1.1";

/** The kit has already replaced secrets and tokens. */
export function toHar(exchanges: readonly Exchange[]): string {
  const log: Har["log"] = {
    version: "1.2",
    creator: { name: PROGRAM, version: readVersion() },
    entries: exchanges.map(toEntry),
  };
  return `${JSON.stringify({ log }, undefined, 2)}\n`;
}

function toEntry({ sent, came, fault, startedAt, durationMs }: Exchange): Entry {
  return {
    startedDateTime: startedAt,
    time: durationMs,
    request: toRequest(sent),
    response: toResponse(came),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    // HAR 1.2 has no field for a failed request. Names that begin with an underscore are custom fields.
    ...(fault !== undefined && { _error: fault }),
  };
}

function toRequest({ method, url, headers, body }: SentRequest): Request {
  // Placeholders replace secrets, so the URL may lack its query or be invalid.
  const searchParams = URL.canParse(url) ? new URL(url).searchParams : [];
  const mimeType = findHeader(headers, "content-type") ?? "";
  return {
    method,
    url,
    httpVersion: HTTP_VERSION,
    cookies: [],
    headers: toPairs(Object.entries(headers)),
    queryString: toPairs([...searchParams]),
    ...(body !== undefined && { postData: { mimeType, text: body } }),
    headersSize: UNKNOWN,
    bodySize: body === undefined ? 0 : Buffer.byteLength(body),
  };
}

/** A request without a response has status 0, as in browsers. */
function toResponse(came: ReceivedAnswer | undefined): Response {
  const { status = 0, headers = {}, body = "", bodyBytes = 0 } = came ?? {};
  return {
    status,
    statusText: STATUS_CODES[status] ?? "",
    httpVersion: HTTP_VERSION,
    cookies: [],
    headers: toPairs(Object.entries(headers)),
    content: { size: bodyBytes, mimeType: findHeader(headers, "content-type") ?? "", text: body },
    redirectURL: findHeader(headers, "location") ?? "",
    headersSize: UNKNOWN,
    bodySize: bodyBytes,
  };
}

function toPairs(entries: readonly (readonly [string, string])[]): Header[] {
  return entries.map(([key, value]) => ({ name: key, value }));
}

function findHeader(headers: Readonly<Record<string, string>>, wanted: string): string | undefined {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === wanted)?.[1];
}
