// Sends requests that are written as lines of text over HTTP, and returns the responses.

/** Headers by which each caller is known; `nobody` has none. */
export type Callers = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface Received {
  readonly line: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  /** Without those that are about the connection or the time. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const LINE = /^(\w+) ([A-Z]+) (\S+)((?: [A-Z][A-Za-z-]*=\S+)*)(?: (.+))?$/s;
const OF_CONNECTION = new Set(["connection", "date", "keep-alive", "transfer-encoding"]);

/**
 * Sends lines such as `ann PATCH /events/1 If-Match=$etag {"price":1}`: caller, method, target, headers
 * (percent-encoded), body. `$etag` is the
 * last ETag received, `$location` the path of the last Location.
 */
export async function play(
  baseUrl: string,
  callers: Callers,
  lines: readonly string[],
): Promise<Received[]> {
  const received: Received[] = [];
  for (const line of lines) {
    const headers = received.map((reply) => reply.headers);
    const filled = line
      .replaceAll("$etag", headers.findLast(({ etag }) => etag !== undefined)?.etag ?? '"none"')
      .replaceAll("$location", headers.findLast(({ location }) => location)?.location ?? "/none");
    received.push({ ...(await send(baseUrl, callers, filled)), line });
  }
  return received;
}

async function send(baseUrl: string, callers: Callers, line: string): Promise<Received> {
  const [, caller = "", method = "", target = "", names = "", body] = LINE.exec(line) ?? [];
  const own = names
    .split(" ")
    .slice(1)
    .map((pair) => pair.split(/=(.*)/s).slice(0, 2).map(decodeURIComponent));
  const response = await fetch(baseUrl + target, {
    method,
    redirect: "manual",
    headers: {
      ...callers[caller],
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(Object.fromEntries(own) as Record<string, string>), // pairs of texts
    },
    ...(body !== undefined && { body }),
  });
  const kept = [...response.headers].filter(([name]) => !OF_CONNECTION.has(name));
  return {
    line,
    method,
    path: target.replace(/\?.*/s, ""),
    status: response.status,
    headers: Object.fromEntries(kept),
    body: Buffer.from(await response.arrayBuffer()),
  };
}
