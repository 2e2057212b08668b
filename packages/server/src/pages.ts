// What the service shows beside the contract: the reference for people at /docs, the document for programs.
import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { fileURLToPath } from "node:url";
import { methodNotAllowed, ServiceError } from "./http/errors.ts";
import type { Reply } from "./http/reply.ts";

/** What a page answers. */
export const PAGE_METHODS: readonly string[] = ["GET", "HEAD", "OPTIONS"];

export interface PageReply extends Reply {
  readonly body: string | Buffer;
}

export type Page = (request: IncomingMessage) => PageReply | Promise<PageReply>;

// Redoc writes its styles and its script into the page; nothing is loaded from anywhere, nothing is sent anywhere, and no
// script runs but those that were built in.
function toPolicy(page: string): string {
  const scripts = [...page.matchAll(/<script[^>]*>([^]*?)<\/script>/g)].map(
    ([, script = ""]) => `'sha256-${hash("sha256", script, "base64")}'`,
  );
  return [
    "default-src 'none'",
    `script-src ${scripts.join(" ") || "'none'"}`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src data:",
    "worker-src blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

// Built beside the program: dist/docs.html, the same place whether the program runs from src/ or from dist/.
const DOCS_FILE = new URL("../dist/docs.html", import.meta.url);

/** Reads the pages once. A program that was not built has no reference page, and says so there. */
export async function loadPages(): Promise<ReadonlyMap<string, Page>> {
  const open = (specifier: string) => readFile(fileURLToPath(import.meta.resolve(specifier)));
  const docs = await readFile(DOCS_FILE).catch(() => undefined);
  return new Map([
    [
      "/docs",
      docs === undefined ? createMissingPage() : createPage("text/html; charset=utf-8", docs),
    ],
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

function createPage(type: string, body: Buffer): Page {
  const headers = {
    "Content-Type": type,
    "Cache-Control": "no-cache",
    "Content-Security-Policy": toPolicy(body.toString()),
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
  };
  return (request) => {
    checkMethod(request);
    return { status: 200, headers, body };
  };
}

function createMissingPage(): Page {
  return (request) => {
    checkMethod(request);
    throw new ServiceError(
      404,
      "The reference was not built: run pnpm build; /openapi.yaml is the document itself",
    );
  };
}

/** Throws 405. */
export function checkMethod({ method = "" }: IncomingMessage): void {
  if (!PAGE_METHODS.includes(method)) throw methodNotAllowed(PAGE_METHODS);
}
