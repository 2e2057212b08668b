// A page outside of the contract: sent compressed, in one piece, and with headers that keep a browser from loading and
// running anything else.
import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import Negotiator from "negotiator";
import { isListed, methodNotAllowed, type Reply, toOptionsReply } from "@call-media/service";

/** The methods of a page. */
export const PAGE_METHODS: readonly string[] = ["GET", "HEAD", "OPTIONS"];

export interface PageReply extends Reply {
  readonly body: string | Buffer | undefined;
}

/** Called for GET and HEAD. */
export type Page = (request: IncomingMessage) => PageReply | Promise<PageReply>;

/** Throws 405. */
export function answerPage(page: Page, request: IncomingMessage): ReturnType<Page> {
  const { method = "" } = request;
  if (!PAGE_METHODS.includes(method)) throw methodNotAllowed(PAGE_METHODS);
  return method === "OPTIONS" ? toOptionsReply(PAGE_METHODS) : page(request);
}

// Loads nothing from elsewhere and sends nothing anywhere. No script runs except the site's own files and those built into the page.
// Redoc writes styles into the page, and runs its search in a worker.
function toPolicy(page: string): string {
  const scripts = [...page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g)].map(
    ([, script = ""]) => `'sha256-${hash("sha256", script, "base64")}'`,
  );
  return [
    "default-src 'none'",
    ["script-src 'self'", ...scripts].join(" "),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src data:",
    "worker-src blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

// At this quality Brotli takes as long as gzip and the result is a tenth smaller; the highest takes seconds for the largest page.
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

const PACKERS = {
  br: (body: Buffer): Promise<Buffer> => promisify(brotliCompress)(body, BROTLI),
  gzip: (body: Buffer): Promise<Buffer> => promisify(gzip)(body),
};

// The better one first: a browser lists it last, and accepts it only over HTTPS and from its own machine.
const CODINGS = ["br", "gzip"] as const satisfies readonly (keyof typeof PACKERS)[];

export interface PageOptions {
  /** Added to those of every page, or replacing them: a site with its own policy sets it here. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Content that never changes while the service runs. The largest, the script of the reference, has 2.3 MB, so it is sent
 * compressed.
 */
export function createPage(type: string, body: Buffer, options: PageOptions = {}): Page {
  const etag = `"${hash("sha256", body, "base64url")}"`;
  const headers: Readonly<Record<string, string>> = {
    "Content-Type": type,
    "Cache-Control": "no-cache",
    "Content-Security-Policy": toPolicy(body.toString()),
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    Vary: "Accept-Encoding",
    ...options.headers,
  };
  const packed: Partial<Record<keyof typeof PACKERS, Promise<Buffer>>> = {};
  return async (request) => {
    const asked = new Negotiator(request);
    const coding = CODINGS.find((name) => asked.encoding([name, "identity"]) === name);
    // Different bytes are a different representation (RFC 9110, section 8.8.3).
    const tag = coding === undefined ? etag : etag.replace(/"$/, `-${coding}"`);
    const found = { ...headers, ETag: tag };
    // The client has exactly these bytes (RFC 9110, section 13.1.2).
    if (isListed(request.headers["if-none-match"] ?? "", tag))
      return { status: 304, headers: found, body: undefined };
    if (coding === undefined) return { status: 200, headers: found, body };
    packed[coding] ??= PACKERS[coding](body);
    const reply = { status: 200, headers: { ...found, "Content-Encoding": coding } };
    return { ...reply, body: await packed[coding] };
  };
}
