// The service worker of the player. It signs the requests of the page's <audio> and passes on all others.
//
// <audio> expects one response to the end of the recording for an open range. The worker reads the service in segments, at the
// pace of <audio>. Otherwise Firefox would download everything, because its reading never stops what feeds a service worker.
// WebKit would treat a segment as the complete file.

declare const self: ServiceWorkerGlobalScope;

const STREAM = /\/recording\/stream-by-(?:call-id|reference)\/[^/]+$/;
const SEGMENT_BYTES = 2 ** 21;
const PATIENCE_MS = 10_000;

self.addEventListener("install", () => void self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { request, clientId } = event;
  if (request.destination !== "audio" || !STREAM.test(new URL(request.url).pathname)) return;
  event.respondWith(answer(request, clientId));
});

/** Requests bytes of one recording, signed by the page. */
type Ask = (range: string, etag?: string) => Promise<Response>;

async function answer(request: Request, clientId: string): Promise<Response> {
  const client = await self.clients.get(clientId);
  if (client === undefined) return Response.error();
  const ask = toAsk(client, request);
  const [, from = "0", to = ""] =
    /^bytes=(\d+)-(\d*)$/.exec(request.headers.get("Range") ?? "") ?? [];
  const first = await ask(toRange(Number(from), to === "" ? Infinity : Number(to)));
  return first.status === 206 ? join(first, to === "" ? Infinity : Number(to), ask) : first;
}

const toRange = (from: number, last: number): string =>
  `bytes=${from}-${Math.min(from + SEGMENT_BYTES - 1, last)}`;

function toAsk(client: Client, { url, signal }: Request): Ask {
  return async (range, etag) => {
    let refused: string | undefined;
    for (let isLast = false; ; isLast = true) {
      const signed = await askPage(client, refused);
      if (signed === undefined) return new Response(null, { status: 401 });
      const headers = {
        ...signed,
        Range: range,
        ...(etag === undefined ? {} : { "If-Range": etag }),
      };
      const response = await fetch(url, {
        headers,
        signal,
        redirect: "error",
        credentials: "omit",
        cache: "no-store",
      });
      if (response.status !== 401 || isLast) return response;
      refused = signed["Authorization"];
    }
  };
}

/** Builds one response to the end of the recording, read from the service segment by segment. */
function join(first: Response, wanted: number, ask: Ask): Response {
  const [from = 0, firstTo = 0, total = 0] =
    /^bytes (\d+)-(\d+)\/(\d+)$/
      .exec(first.headers.get("Content-Range") ?? "")
      ?.slice(1)
      .map(Number) ?? [];
  const last = Math.min(wanted, total - 1);
  const etag = first.headers.get("ETag") ?? undefined;
  let next = from;
  let reader = first.body?.getReader();
  let failures = 0;

  async function open(): Promise<void> {
    const response = await ask(toRange(next, last), etag);
    // 200 means that the recording has changed since playback began.
    if (response.status !== 206) throw new TypeError(`answered ${response.status}`);
    reader = response.body?.getReader();
  }

  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          try {
            const { done = true, value } = (await reader?.read()) ?? {};
            if (!done && value !== undefined) {
              next += value.length;
              failures = 0;
              controller.enqueue(value);
              return;
            }
          } catch (error) {
            // The service ends responses that are not read. An interrupted one continues where it stopped.
            if (++failures > 2) throw error;
          }
          if (next > last) {
            controller.close();
            return;
          }
          await open();
        }
      },
      cancel: (reason) => reader?.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  const headers = new Headers(first.headers);
  headers.set("Content-Range", `bytes ${from}-${last}/${total}`);
  headers.set("Content-Length", String(last - from + 1));
  return new Response(firstTo >= from ? body : null, { status: 206, headers });
}

/** The headers that sign a request; undefined if the page does not respond. */
function askPage(client: Client, refused?: string): Promise<Record<string, string> | undefined> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const timer = setTimeout(resolve, PATIENCE_MS, undefined);
    port1.addEventListener(
      "message",
      ({ data }: MessageEvent<Record<string, string> | undefined>) => {
        clearTimeout(timer);
        resolve(data);
      },
    );
    port1.start();
    client.postMessage({ refused }, [port2]);
  });
}
