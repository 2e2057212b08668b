// Shows the site while it is edited: serves it on this machine, and rebuilds and reloads it when text or styles change.
import { once } from "node:events";
import { watch } from "node:fs";
import { readFile } from "node:fs/promises";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { dirname, extname, join, normalize } from "node:path";
import { buildPages, buildSite } from "./build.ts";
import { reportDead } from "./links.ts";
import { REPOSITORY, SITE } from "./places.ts";
import { SECTIONS } from "./sections.ts";

const PORT = 8090;
// An editor may write a file in several steps.
const SETTLE_MS = 100;

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
};

const RELOAD = `<script>new EventSource("/reload").onmessage = () => location.reload();</script>`;

/** Another program uses the port. The message says what to do. */
export class PortTaken extends Error {
  constructor(port: number) {
    super(`port ${port} of 127.0.0.1 is taken: end what has it, perhaps another docs:dev`);
  }
}

/**
 * Builds everything, then serves it at 127.0.0.1 until stopped. The references are built only at the start. Throws `PortTaken`
 * before it builds anything.
 */
export async function showSite(folder: string, port = PORT): Promise<void> {
  const readers = new Set<ServerResponse>();
  await listen(createListener(folder, readers), port);
  reportDead(await buildSite(folder));
  console.log(`The site is at http://127.0.0.1:${port}/; Ctrl-C ends it`);
  watchSources(async () => {
    reportDead(await buildPages(folder));
    for (const reader of readers) reader.write("data: changed\n\n");
  });
}

async function listen(listener: RequestListener, port: number): Promise<void> {
  const server = createServer(listener).listen(port, "127.0.0.1");
  await once(server, "listening").catch((error: unknown) => {
    const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    throw isTaken ? new PortTaken(port) : error;
  });
}

/** Serves a folder. Clients of /reload are added to `readers`, to be notified of changes. */
export function createListener(folder: string, readers: Set<ServerResponse>): RequestListener {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1");
    if (pathname === "/reload") {
      readers.add(response.writeHead(200, { "Content-Type": "text/event-stream" }));
      response.on("close", () => readers.delete(response));
      return;
    }
    // normalize() never leads above the root of an absolute path.
    const path = normalize(pathname.endsWith("/") ? `${pathname}index.html` : pathname);
    const content = await readFile(join(folder, path)).catch(() => undefined);
    const type = TYPES[extname(path)] ?? "application/octet-stream";
    const isPage = extname(path) === ".html";
    response.writeHead(content === undefined ? 404 : 200, { "Content-Type": type });
    response.end(isPage ? `${content?.toString() ?? "No such page"}${RELOAD}` : content);
  };
  return (request, response) => void answer(request, response);
}

function watchSources(rebuild: () => Promise<void>): void {
  const sources = SECTIONS.flatMap((section) => section.sources.map(({ path }) => dirname(path)));
  const folders = new Set([...sources, ".changeset"].map((path) => join(REPOSITORY, path)));
  let timer: NodeJS.Timeout | undefined;
  for (const folder of [...folders, join(SITE, "browser")])
    watch(folder, (_event, name) => {
      if (!/\.(?:md|css|ts)$/.test(name ?? "")) return;
      clearTimeout(timer);
      timer = setTimeout(() => void rebuild(), SETTLE_MS);
    });
}
