// Prism's validating proxy as a peer: the contract as a judge between the scripted requests and the service.
import { fileURLToPath } from "node:url";
import { createLogger } from "@stoplight/prism-core";
import { getHttpOperationsFromSpec } from "@stoplight/prism-http";
import { createServer } from "@stoplight/prism-http-server";
import type { Demo } from "../demo.ts";
import { type Drift, isInScope, type Scope, startProxy } from "../proxy.ts";
import { playScript } from "../script.ts";
import { type Judge, type Peer, UNCHANGED } from "./peer.ts";

export const prism: Peer = {
  id: "prism",
  name: "Prism's proxy",
  given:
    "the scripted requests; seen is what makes other sl-violations than with the right service",
  open: openPrismJudge,
};

const CHECKS = {
  isProxy: true,
  checkSecurity: true,
  validateRequest: true,
  validateResponse: true,
  mock: { dynamic: false },
  upstreamProxy: undefined,
  // With `errors` a wrong request would not be passed on, so that refusals would go unseen.
  errors: false,
} as const;

/**
 * Opens one Prism before one service, whose drift is changed for each question: closing a Prism takes seconds. Drift is
 * what Prism complains of when it does not with the service as it should be, or the other way round.
 */
async function openPrismJudge(demo: Demo): Promise<Judge> {
  await using stack = new AsyncDisposableStack();
  const { apiKey: adminKey, expiredToken } = demo.access;
  let current = UNCHANGED;
  const service = stack.use(await demo.startService());
  const proxy = stack.use(
    await startProxy({
      operation: "every",
      mutate: (answer, request, upstream) =>
        isInScope(current.operation, request.operation)
          ? current.mutate(answer, request, upstream)
          : answer,
      service: service.baseUrl,
      adminKey,
      expiredToken,
    }),
  );
  const judging = stack.use(await startPrism(proxy.baseUrl));
  const clean = new Map<string, string>();
  const complain = (drift: Drift) => {
    current = drift;
    return findComplaints(judging.baseUrl, demo, drift.operation);
  };
  const owned = stack.move();
  return {
    judge: async (drift) => {
      const key = JSON.stringify(drift.operation);
      const expected = clean.get(key) ?? (await complain({ ...drift, mutate: UNCHANGED.mutate }));
      clean.set(key, expected);
      return (await complain(drift)) !== expected;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function startPrism(upstream: string) {
  const file = fileURLToPath(import.meta.resolve("@call-media/api/openapi.json"));
  const operations = await getHttpOperationsFromSpec(file);
  const logger = createLogger("prism", { level: "silent" });
  const config = { ...CHECKS, upstream: new URL(upstream) };
  const server = createServer(operations, { config, components: { logger }, cors: false });
  return {
    baseUrl: await server.listen(0, "127.0.0.1"),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** The complaints of each scripted request, in their order. */
async function findComplaints(baseUrl: string, demo: Demo, scope: Scope): Promise<string> {
  const complaints: string[] = [];
  for await (const { name, came } of playScript(baseUrl, demo, scope))
    complaints.push(`${name} ${came?.headers.get("sl-violations") ?? ""}`);
  return complaints.join("\n");
}
