// The demo service behind the drift of one mutant or variant.
import type { Demo } from "./demo.ts";
import { type Drift, type Proxy, startProxy } from "./proxy.ts";

/** A service of its own, which knows nothing of what others were asked. */
export async function startDrifting(demo: Demo, drift: Drift): Promise<Proxy> {
  await using stack = new AsyncDisposableStack();
  const { apiKey: adminKey, expiredToken } = demo.access;
  const service = stack.use(await demo.startService());
  const options = { ...drift, service: service.baseUrl, adminKey, expiredToken };
  const proxy = stack.use(await startProxy(options));
  const owned = stack.move();
  return {
    baseUrl: proxy.baseUrl,
    changed: proxy.changed,
    faults: proxy.faults,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
