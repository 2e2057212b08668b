// Names below `localhost` are this machine (RFC 6761, 6.3): under Node.js they are connected to without asking DNS, which
// may know them as another machine. Plain HTTP carries secrets to them.
import type { Fetch } from "./options.ts";

/** Whether the host of an address is a name below `localhost`, such as `archive.localhost`. */
export const isBelowLocalhost = (url: string): boolean =>
  /\.localhost\.?$/i.test(new URL(url).hostname);

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
 * For `lookup` of node:net and all that is made of it: gives the addresses of this machine, whatever the name.
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
  // node:net takes the answer for one that came later, as that of DNS does.
  queueMicrotask(() => {
    if (options.all) found(null, [...LOOPBACK]);
    else found(null, LOOPBACK[0].address, LOOPBACK[0].family);
  });
}

/** `fetch` over node:http by way of `lookupLoopback`; undefined where there is no Node.js, as in browsers, which do the same. */
export function createLoopbackFetch(): Fetch | undefined {
  const platform = Reflect.get(globalThis, "process") as Partial<NodeJS.Process> | undefined;
  const load = platform?.getBuiltinModule;
  if (load === undefined) return undefined;
  const { Readable } = load("node:stream");
  // Their own, which go by no proxy.
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
        // Built-in `Response` takes no body with these (RFC 9110, 15.3.5 and 15.4.5).
        const hasBody = ![204, 205, 304].includes(status);
        if (!hasBody) answer.resume();
        const stream = hasBody ? (Readable.toWeb(answer) as ReadableStream) : null; // its own type is that of node:stream/web
        resolve(new Response(stream, { status, headers: all }));
      });
      asked.end(body);
    });
}
