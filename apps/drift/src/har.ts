// Played requests and their answers as an HTTP archive (HAR 1.2), for tools that read recorded traffic.
import type { Played } from "./script.ts";

/** Requests that got no answer are left out: there is nothing to judge. */
export async function toHar(played: readonly Played[]): Promise<string> {
  const entries = await Promise.all(played.map(toEntry));
  const creator = { name: "call-media drift", version: "1" };
  const log = { version: "1.2", creator, entries: entries.filter((entry) => entry !== undefined) };
  return JSON.stringify({ log });
}

async function toEntry({ sent, came }: Played) {
  if (came === undefined) return undefined;
  const { method, url, headers } = sent;
  const text = await sent.text();
  const mimeType = headers.get("content-type") ?? "";
  return {
    startedDateTime: new Date().toISOString(),
    time: 0,
    request: {
      method,
      url,
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: toPairs(headers),
      queryString: toPairs(new URL(url).searchParams),
      ...(text !== "" && { postData: { mimeType, text } }),
      headersSize: -1,
      bodySize: -1,
    },
    response: {
      status: came.status,
      statusText: "",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: toPairs(came.headers),
      content: toContent(came),
      redirectURL: came.headers.get("location") ?? "",
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
  };
}

function toPairs(pairs: Iterable<[string, string]>): { name: string; value: string }[] {
  return [...pairs].map(([name, value]) => ({ name, value }));
}

function toContent({ headers, body }: NonNullable<Played["came"]>) {
  const mimeType = headers.get("content-type") ?? "";
  const isText = /json|text|html/.test(mimeType);
  return {
    size: body.length,
    mimeType,
    text: Buffer.from(body).toString(isText ? "utf8" : "base64"),
    ...(!isText && { encoding: "base64" }),
  };
}
