// The requests of `steps.ts`, sent to a service one after the other: what tools are shown that write none of their own,
// and the proof that a mutant or variant can be seen at all.
import { routes } from "@call-media/api";
import type { Demo } from "./demo.ts";
import { isInScope, type Scope } from "./proxy.ts";
import { type Bearer, type Step, STEPS } from "./steps.ts";

// A proxy before a service that breaks off may never answer.
const TIMEOUT_MS = 2_000;

// Requests that belong to no operation.
const ASTRAY: readonly (readonly [method: string, path: string])[] = [
  ["DELETE", "/flags/public"],
  ["GET", "/nowhere"],
];

export interface Played {
  /** Method and path with the query: the same for each service that the script is played to. */
  readonly name: string;
  /** Its body has not been read. */
  readonly sent: Request;
  /** undefined when the answer broke off. */
  readonly came: Came | undefined;
}

interface Came {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** Sends the requests of the operations in `scope`, one after the other, for as long as it is asked for the next. */
export async function* playScript(
  baseUrl: string,
  demo: Pick<Demo, "access" | "restrictedToken">,
  scope: Scope,
): AsyncGenerator<Played> {
  const { credentials } = demo.access;
  const wrong = [{ ...credentials, secretKey: "wrong" }, { secretID: credentials.secretID }];
  const signIns = [credentials, ...wrong].map((body): Step => ({
    operation: "createToken",
    body,
    bearer: "none",
  }));
  const steps = [...STEPS, ...signIns].filter(({ operation }) => isInScope(scope, operation));
  const astray =
    scope === "every"
      ? ASTRAY.map(([method, path]) => new Request(baseUrl + path, { method }))
      : [];
  for (const request of [...steps.map((step) => toRequest(baseUrl, step, demo)), ...astray]) {
    const name = `${request.method} ${request.url.slice(baseUrl.length)}`;
    const sent = request.clone();
    // Some services break off on purpose.
    yield { name, sent, came: await send(request).catch(() => undefined) };
  }
}

async function send(request: Request): Promise<Came> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(request, { redirect: "manual", signal });
  const { status, headers } = response;
  return { status, headers, body: await response.bytes() };
}

function toAuthorization(
  bearer: Bearer,
  { access, restrictedToken }: Pick<Demo, "access" | "restrictedToken">,
): string | undefined {
  const authorizations: Readonly<Record<Bearer, string | undefined>> = {
    admin: `Bearer ${access.apiKey}`,
    restricted: `Bearer ${restrictedToken}`,
    expired: `Bearer ${access.expiredToken}`,
    unknown: "Bearer unknown",
    malformed: "Bearer two words",
    basic: "Basic YTpi",
    none: undefined,
  };
  return authorizations[bearer];
}

function toRequest(
  baseUrl: string,
  step: Step,
  demo: Pick<Demo, "access" | "restrictedToken">,
): Request {
  const route = routes.find(({ operationId }) => operationId === step.operation);
  if (route === undefined) throw new Error(`the contract has no operation ${step.operation}`);
  const path = route.path.replace(/\{\w+\}/, encodeURIComponent(step.id ?? ""));
  const query = new URLSearchParams(
    Object.entries(step.query ?? {}).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]),
  ).toString();
  const headers = new Headers(step.headers);
  const authorization = toAuthorization(step.bearer ?? "admin", demo);
  if (authorization !== undefined) headers.set("authorization", authorization);
  const url = `${baseUrl}${path}${query === "" ? "" : `?${query}`}`;
  const method = step.method ?? route.method;
  if (step.body === undefined) return new Request(url, { method, headers });
  if (!headers.has("content-type")) headers.set("content-type", "application/json");
  return new Request(url, { method, headers, body: JSON.stringify(step.body) });
}
