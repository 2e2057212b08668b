// The pages of the service: the console and the documentation for people, the document for programs.
import { readFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { fileURLToPath } from "node:url";
import { documentationNotBuilt } from "./http/errors.ts";
import { createPage, type Page } from "./pages.ts";
import { createRedirect, loadSite } from "./site.ts";

/** The path of the documentation. */
export const DOCS = "/docs";
/** The path of the page for finding calls. */
export const CONSOLE = "/console";

/** The name of all pages of a site in logs and metrics. */
export const toPageName = (pathname: string): string =>
  [DOCS, CONSOLE].find((site) => pathname.startsWith(`${site}/`)) ?? pathname;

// The console sends requests only to its own server, plays the recordings, and runs and shows nothing else. Its scripts cannot create
// scripts from text: the two workers are its own files.
const CONSOLE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "media-src 'self' blob:",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types call-media",
].join("; ");

const CONSOLE_HEADERS = {
  "Content-Security-Policy": CONSOLE_POLICY,
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
};

/** Reads the pages once. A program that was not built has no documentation; its page says so. */
export async function loadPages(): Promise<ReadonlyMap<string, Page>> {
  const open = (specifier: string) => readFile(fileURLToPath(import.meta.resolve(specifier)));
  const docs = await loadSite("docs");
  const console = await loadSite("console", { headers: CONSOLE_HEADERS });
  return new Map([
    ...toRoot(docs.length > 0, console.length > 0),
    ...(docs.length > 0 ? docs : [[DOCS, createMissingPage()] as const]),
    ...console,
    [
      "/openapi.json",
      createPage(
        "application/json; charset=utf-8",
        toServedJson(await open("@call-media/api/openapi.json")),
      ),
    ],
    [
      "/openapi.yaml",
      createPage(
        "application/yaml; charset=utf-8",
        toServedYaml(await open("@call-media/api/openapi.yaml")),
      ),
    ],
  ]);
}

/** The first server of a served document. Its URL is relative to that of the document (OpenAPI 3.1, server object). */
const HERE = { url: ".", description: "This service." };

function toServedJson(content: Buffer): Buffer {
  const document: { readonly servers: readonly object[] } = JSON.parse(content.toString());
  return Buffer.from(
    JSON.stringify({ ...document, servers: [HERE, ...document.servers] }, undefined, 2),
  );
}

function toServedYaml(content: Buffer): Buffer {
  const first = `  - url: ${HERE.url}\n    description: ${HERE.description}\n`;
  return Buffer.from(content.toString().replace(/^servers:\n/m, `$&${first}`));
}

/** The base URL redirects browsers to the console, and programs to the documentation. */
function toRoot(hasDocs: boolean, hasConsole: boolean): [string, Page][] {
  if (!hasDocs) return hasConsole ? [["/", createRedirect(CONSOLE)]] : [];
  if (!hasConsole) return [["/", createRedirect(DOCS)]];
  const [toDocs, toConsole] = [createRedirect(DOCS), createRedirect(CONSOLE)];
  return [["/", (request) => (isBrowser(request) ? toConsole : toDocs)(request)]];
}

/** Browsers ask for these types by name; programs accept anything. */
const isBrowser = ({ headers }: IncomingMessage): boolean =>
  (headers.accept ?? "").includes("text/html");

function createMissingPage(): Page {
  return () => {
    throw documentationNotBuilt();
  };
}
