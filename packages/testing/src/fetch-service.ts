// Puts the service behind `fetch`: converts a Request to its input, and its output to a Response.
import { type Answer, isStreamed, type Service, type StreamedBody } from "@call-media/service";

/** `basePath` precedes the paths of the contract. */
export async function answerRequest(
  service: Service,
  request: Request,
  basePath: string,
): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const answer = await service.answer({
    method: request.method,
    path: pathname.slice(basePath.length),
    query: search.slice(1),
    headers: Object.fromEntries(request.headers),
    requestId: crypto.randomUUID(),
    address: "127.0.0.1",
    origin: "127.0.0.1",
    readBody: async (maxBytes) => {
      const body = new Uint8Array(await request.arrayBuffer());
      return body.length > maxBytes ? undefined : body;
    },
    admit: () => {},
    isGone: () => request.signal.aborted,
  });
  return toResponse(answer);
}

function toResponse({ status, headers, body }: Answer): Response {
  // A test may change a JSON body, which makes its length wrong; over HTTP the client would wait for the missing end.
  const isSent = ([name]: readonly [string, unknown]) =>
    typeof body !== "string" || name !== "Content-Length";
  const named = Object.entries(headers)
    .filter(isSent)
    .map(([name, value]): [string, string] => [name, String(value)]);
  return new Response(toBody(body), { status, headers: named });
}

function toBody(body: Answer["body"]) {
  if (body === undefined || typeof body === "string") return body ?? null;
  return isStreamed(body) ? toStream(body) : new Uint8Array(body);
}

function toStream({ bytes, pieces, close }: StreamedBody): ReadableStream<Uint8Array> {
  const reader = pieces[Symbol.asyncIterator]();
  let sent = 0;
  const end = () => close({ bytes: sent, isWhole: sent === bytes });
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.next();
        if (done === true) {
          await end();
          return controller.close();
        }
        sent += value.length;
        // Copies the chunk: the service reuses its buffer, and `slice` of a Buffer does not copy.
        controller.enqueue(new Uint8Array(value));
      },
      async cancel() {
        await reader.return?.();
        await end();
      },
    },
    { highWaterMark: 0 },
  );
}
