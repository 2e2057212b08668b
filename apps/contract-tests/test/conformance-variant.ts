// A service that keeps the interface and answers otherwise than the decisions wherever a reader of pages and streams notices.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { Schema } from "@call-media/api";
import type { RunningService } from "../src/demo-service.ts";

/**
 * Before the service at `baseUrl`: pages count from 1, a page past the end is 404, recordCount counts the page, endDate
 * does not belong to the range, and streams have neither ranges nor digests.
 */
export async function startVariant(baseUrl: string): Promise<RunningService> {
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const { status, headers, body } = await answer(baseUrl, request);
      const kept = [...headers].filter(([name]) => !DROPPED.has(name));
      response.writeHead(status, Object.fromEntries(kept)).end(body);
    } catch {
      response.destroy(); // whatever fails ends the answer
    }
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const DROPPED = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "content-length",
  "link",
  "accept-ranges",
  "etag",
  "last-modified",
  "repr-digest",
]);

const REFUSED = new Set(["range", "if-range", "if-none-match"]);
const DAY_MS = 86_400_000;

interface Given {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

async function answer(baseUrl: string, request: IncomingMessage): Promise<Given> {
  const url = new URL(request.url ?? "/", baseUrl);
  const pageIndex = Number(url.searchParams.get("pageIndex") ?? Number.NaN);
  const isPage = Number.isSafeInteger(pageIndex);
  if (isPage) shift(url, pageIndex);
  const sent = await buffer(request);
  const { method = "GET" } = request;
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    REFUSED.has(name) || name === "content-length" ? [] : [[name, String(value)]],
  );
  const found = await fetch(url, {
    method,
    headers,
    ...(sent.length > 0 && { body: new Uint8Array(sent) }),
  });
  const { status } = found;
  if (!isPage || status !== 200)
    return { status, headers: found.headers, body: Buffer.from(await found.arrayBuffer()) };
  return toPage(pageIndex, found);
}

/** To what the service behind has for the same page and the same days; it refuses what is none of its own. */
function shift({ searchParams }: URL, pageIndex: number): void {
  const [start, end] = ["startDate", "endDate"].map((name) => searchParams.get(name) ?? "");
  const endMs = Date.parse(`${end}T00:00:00Z`);
  searchParams.set("pageIndex", String(pageIndex - 1));
  if (Number.isNaN(endMs) || new Date(endMs).toISOString().slice(0, 10) !== end) return;
  // A range without a day is refused, as a reversed one is.
  if (start !== undefined)
    searchParams.set("endDate", new Date(endMs - DAY_MS).toISOString().slice(0, 10));
}

async function toPage(pageIndex: number, found: Response): Promise<Given> {
  const { headers } = found;
  const page = (await found.json()) as Schema<"MetadataPageEnvelope">; // the service keeps its contract
  const { length } = page.data;
  if (length === 0 && pageIndex > 1) {
    const refusal = { isError: true, errorMessage: "There is no such page", data: [] };
    return { status: 404, headers, body: Buffer.from(JSON.stringify(refusal)) };
  }
  const own = "pageID" in page ? { ...page, pageID: pageIndex, recordCount: length } : page;
  return { status: 200, headers, body: Buffer.from(JSON.stringify(own)) };
}
