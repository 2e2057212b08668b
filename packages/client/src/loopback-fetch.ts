// `fetch` for names below `localhost` under Node.js. Bundles for browsers use loopback-fetch.browser.ts instead.
import type { Fetch } from "./fetch.ts";
import { isBelowLocalhost, lookupLoopback } from "./loopback.ts";

/** `fetch` over node:http with `lookupLoopback`. Undefined for other names, and without Node.js. */
export function createLoopbackFetch(baseUrl: string): Fetch | undefined {
  const platform = Reflect.get(globalThis, "process") as Partial<NodeJS.Process> | undefined;
  const load = platform?.getBuiltinModule;
  if (load === undefined || !isBelowLocalhost(baseUrl)) return undefined;
  const { Readable } = load("node:stream");
  // Separate agents, which use no proxy.
  const [http, https] = [load("node:http"), load("node:https")];
  const agents = [new http.Agent({ keepAlive: true }), new https.Agent({ keepAlive: true })];
  return (url, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const isHttps = url.startsWith("https:");
      const asked = (isHttps ? https : http).request(url, {
        agent: agents[Number(isHttps)],
        method,
        headers,
        lookup: lookupLoopback,
        signal,
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
