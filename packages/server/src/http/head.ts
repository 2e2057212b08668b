// Checks the headers of every request for anything that a proxy in front could have understood differently (RFC 9112,
// sections 3.2 and 11.2).
import type { IncomingMessage } from "node:http";
import { framingUnclear, requestMalformed, urlTooLong } from "./errors.ts";
import { MAX_URL_BYTES } from "./limits.ts";

// Significant headers of which node:http would use the first and hide the others.
const ONCE = ["host", "authorization", "content-type"];

// RFC 3986, section 3.2: a name or an address, and a port.
const HOST = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

/** Throws 414 for a target that is too long, 400 for anything ambiguous. */
export function checkHead(request: IncomingMessage): void {
  const { url = "", httpVersion, headers } = request;
  if (url.length > MAX_URL_BYTES) throw urlTooLong(MAX_URL_BYTES);
  if (httpVersion !== "1.1" && httpVersion !== "1.0")
    throw requestMalformed("The request must be HTTP/1.0 or HTTP/1.1");
  checkFraming(headers["transfer-encoding"], httpVersion);
  checkOnce(request.rawHeaders);
  if (headers.host === undefined && httpVersion === "1.1")
    throw requestMalformed("Host is required");
  if (!HOST.test(headers.host ?? ""))
    throw requestMalformed("Host must be a host name or an address");
}

// node:http itself rejects Transfer-Encoding together with Content-Length, but accepts these.
function checkFraming(transferEncoding: string | undefined, httpVersion: string): void {
  if (transferEncoding === undefined) return;
  if (httpVersion === "1.0") throw framingUnclear("Transfer-Encoding is not known in HTTP/1.0");
  if (transferEncoding.toLowerCase() !== "chunked")
    throw framingUnclear("Transfer-Encoding must be chunked");
}

function checkOnce(rawHeaders: readonly string[]): void {
  const isSeen = ONCE.map(() => false);
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    const index = ONCE.indexOf(name.toLowerCase());
    if (index === -1) continue;
    if (isSeen[index]) throw requestMalformed(`${name} must be given once`);
    isSeen[index] = true;
  }
}

const AUTHORITY = /^https?:\/\/[^/?#]*/i;

/** The target without scheme and host, which a client may send as to a proxy (RFC 9112, section 3.2.2). */
export function toOriginForm(target: string): string {
  if (target.startsWith("/")) return target;
  const rest = target.replace(AUTHORITY, "");
  return rest.startsWith("/") || rest === "*" ? rest : `/${rest}`;
}
