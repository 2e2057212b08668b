// What the service shows beside the contract: the documentation for people at /docs, the document for programs.
import { hash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import Negotiator from "negotiator";
import { methodNotAllowed, ServiceError } from "./http/errors.ts";
import type { Reply } from "./http/reply.ts";

/** What a page answers. */
export const PAGE_METHODS: readonly string[] = ["GET", "HEAD", "OPTIONS"];

export interface PageReply extends Reply {
  readonly body: string | Buffer | undefined;
}

export type Page = (request: IncomingMessage) => PageReply | Promise<PageReply>;

// Nothing is loaded from elsewhere and nothing is sent anywhere. No script runs but the site's own files and those that were
// built into the page. Redoc writes styles into the page, and makes its search in a worker.
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

/** Where the documentation is, and the name that logs and metrics have for all of its pages. */
export const DOCS = "/docs";

// Built beside the program: dist/docs, the same place whether the program runs from src/ or from dist/.
const SITE = fileURLToPath(new URL("../dist/docs", import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
};

/** Reads the pages once. A program that was not built has no documentation, and says so there. */
export async function loadPages(): Promise<ReadonlyMap<string, Page>> {
  const open = (specifier: string) => readFile(fileURLToPath(import.meta.resolve(specifier)));
  const site = await loadSite();
  return new Map([
    ...(site.length > 0 ? site : [[DOCS, createMissingPage()] as const]),
    [
      "/openapi.json",
      createPage("application/json; charset=utf-8", await open("@call-media/api/openapi.json")),
    ],
    [
      "/openapi.yaml",
      createPage("application/yaml; charset=utf-8", await open("@call-media/api/openapi.yaml")),
    ],
  ]);
}

/** The pages of the site by path; those of folders lie at the path of their folder. None when it was not built. */
async function loadSite(): Promise<(readonly [string, Page])[]> {
  const names = await readdir(SITE, { recursive: true }).catch(() => []);
  const pages = await Promise.all(
    names.map(async (name): Promise<(readonly [string, Page])[]> => {
      const type = TYPES[extname(name)];
      if (type === undefined) return [];
      const page = createPage(type, await readFile(join(SITE, name)));
      const path = `${DOCS}/${name.replaceAll(sep, "/")}`;
      const folder = /^(.*)\/index\.html$/.exec(path)?.[1];
      if (folder === undefined) return [[path, page]];
      return [
        [path, page],
        [`${folder}/`, page],
        [folder, createRedirect(folder)],
      ];
    }),
  );
  return pages.flat();
}

// Links within a page of a folder go from the folder. Relative, so that it holds behind a proxy that adds to the path.
function createRedirect(folder: string): Page {
  const headers = { Location: `${folder.slice(folder.lastIndexOf("/") + 1)}/` };
  return (request) => {
    checkMethod(request);
    return { status: 308, headers, body: "" };
  };
}

// The largest page, the program of the reference, has 2.3 MB: a reader gets it packed, and once.
function createPage(type: string, body: Buffer): Page {
  const etag = `"${hash("sha256", body, "base64url")}"`;
  const headers = {
    "Content-Type": type,
    "Cache-Control": "no-cache",
    "Content-Security-Policy": toPolicy(body.toString()),
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    Vary: "Accept-Encoding",
  };
  let packed: Promise<Buffer> | undefined;
  return async (request) => {
    checkMethod(request);
    const isPacked = new Negotiator(request).encoding(["gzip", "identity"]) === "gzip";
    // Other bytes are another representation (RFC 9110, section 8.8.3).
    const tag = isPacked ? etag.replace(/"$/, '-gzip"') : etag;
    const found = { ...headers, ETag: tag };
    if (holds(request, tag)) return { status: 304, headers: found, body: undefined };
    if (!isPacked) return { status: 200, headers: found, body };
    packed ??= promisify(gzip)(body);
    return { status: 200, headers: { ...found, "Content-Encoding": "gzip" }, body: await packed };
  };
}

/** Whether the reader has these very bytes (RFC 9110, section 13.1.2). */
function holds({ headers }: IncomingMessage, etag: string): boolean {
  const held = headers["if-none-match"]?.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return held?.some((tag) => tag === etag || tag === "*") ?? false;
}

function createMissingPage(): Page {
  return (request) => {
    checkMethod(request);
    throw new ServiceError(
      404,
      "The documentation was not built: run pnpm start; /openapi.yaml is the document itself",
    );
  };
}

/** Throws 405. */
export function checkMethod({ method = "" }: IncomingMessage): void {
  if (!PAGE_METHODS.includes(method)) throw methodNotAllowed(PAGE_METHODS);
}
