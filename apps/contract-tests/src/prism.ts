// Runs Prism in this process: the contract as a mock service, or as a validating proxy before a real service.
import { fileURLToPath } from "node:url";
import { createLogger } from "@stoplight/prism-core";
import { getHttpOperationsFromSpec } from "@stoplight/prism-http";
import { createServer } from "@stoplight/prism-http-server";

export interface Prism extends AsyncDisposable {
  readonly baseUrl: string;
}

const CHECKS = {
  checkSecurity: true,
  validateRequest: true,
  validateResponse: true,
  mock: { dynamic: false },
  upstreamProxy: undefined,
} as const;

/** Returns the document's examples; a request that breaks the contract gets the example of its error. */
export function startMock(): Promise<Prism> {
  return start({ ...CHECKS, isProxy: false, errors: true });
}

/**
 * Passes requests on to `upstream`. Contract violations of the request or the response are listed in the response header
 * `sl-violations`. For JSON only: Prism reads every body as text, which corrupts a recording.
 */
export function startProxy(upstream: string): Promise<Prism> {
  // With `errors`, Prism would not pass on an invalid request.
  return start({ ...CHECKS, isProxy: true, errors: false, upstream: new URL(upstream) });
}

async function start(config: Parameters<typeof createServer>[1]["config"]): Promise<Prism> {
  const file = fileURLToPath(import.meta.resolve("@call-media/api/openapi.json"));
  const operations = await getHttpOperationsFromSpec(file);
  const logger = createLogger("prism", { level: "silent" });
  const server = createServer(operations, { config, components: { logger }, cors: false });
  return {
    baseUrl: await server.listen(0, "127.0.0.1"),
    [Symbol.asyncDispose]: () => server.close(),
  };
}
