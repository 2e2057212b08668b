// `fetch`, and one for names below `localhost`, which are this machine (RFC 6761, 6.3). Plain HTTP carries secrets to them, so
// that Node.js must not ask DNS, which may know them as another machine.

/** Sends a request as the built-in `fetch` does. It must honour `redirect` and `signal`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Whether the host of a URL is a name below `localhost`.
 *
 * @example
 * ```ts
 * isBelowLocalhost("http://archive.localhost:8080"); // true
 * ```
 */
export function isBelowLocalhost(url: string): boolean {
  return /\.localhost\.?$/i.test(new URL(url).hostname);
}

const LOOPBACK = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
] as const;

type Found = (
  error: null,
  address: string | { address: string; family: number }[],
  family?: number,
) => void;

/**
 * Resolves every name to this machine. For the option `lookup` of node:net, node:http and others.
 *
 * @example
 * ```ts
 * if (isBelowLocalhost(url)) request(url, { lookup: lookupLoopback });
 * ```
 */
export function lookupLoopback(
  _name: string,
  options: { readonly all?: boolean | undefined },
  found: Found,
): void {
  // node:net expects the answer later, as that of DNS comes.
  queueMicrotask(() => {
    if (options.all) found(null, [...LOOPBACK]);
    else found(null, LOOPBACK[0].address, LOOPBACK[0].family);
  });
}

/** `fetch` over node:http with `lookupLoopback`. Undefined without Node.js: browsers resolve the names so themselves. */
export function createLoopbackFetch(): Fetch | undefined {
  const platform = Reflect.get(globalThis, "process") as Partial<NodeJS.Process> | undefined;
  const load = platform?.getBuiltinModule;
  if (load === undefined) return undefined;
  const { Readable } = load("node:stream");
  // Agents of its own, which use no proxy.
  const [http, https] = [load("node:http"), load("node:https")];
  const agents = [new http.Agent({ keepAlive: true }), new https.Agent({ keepAlive: true })];
  return (url, { method = "GET", headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const isHttps = url.startsWith("https:");
      const asked = (isHttps ? https : http).request(url, {
        agent: agents[Number(isHttps)],
        method,
        headers: Object.fromEntries(new Headers(headers)),
        lookup: lookupLoopback,
        ...(signal && { signal }),
      });
      asked.on("error", reject);
      asked.on("response", (answer) => {
        const status = answer.statusCode ?? 0;
        const entries = Object.entries(answer.headersDistinct);
        const all = entries.flatMap(([name, values]) =>
          (values ?? []).map((value): [string, string] => [name, value]),
        );
        // `Response` accepts no body with these (RFC 9110, 15.3.5 and 15.4.5).
        const hasBody = ![204, 205, 304].includes(status);
        if (!hasBody) answer.resume();
        const stream = hasBody ? (Readable.toWeb(answer) as ReadableStream) : null; // its own type is that of node:stream/web
        resolve(new Response(stream, { status, headers: all }));
      });
      asked.end(body);
    });
}
