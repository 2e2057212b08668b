// Requests that bring out what each operation does, good and bad: what tools are shown that write none of their own,
// and the proof that a mutant or variant can be seen at all.
import { type OperationId, routes } from "@call-media/api";
import type { Demo } from "./demo.ts";
import { isInScope, type Scope } from "./proxy.ts";

type Bearer = "admin" | "restricted" | "expired" | "unknown" | "malformed" | "basic" | "none";

/** One request, before it has an address and secrets. */
interface Step {
  readonly operation: OperationId;
  /** Identifier in the path. */
  readonly id?: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  readonly bearer?: Bearer;
}

// Identifiers and days are those of the demo archive.
/** A call with a recording and a chat. */
export const SPOKEN = {
  getMetadataByCallId: "300000000100017",
  getMetadataByReference: "FHR-000001",
};
const TRANSFERRED = "transfer 3/3 №12";
const CHAT = "300000000100017";
const OTHER_CHAT = "300000000100442";
const UNKNOWN = "no-such-identifier";
const RANGE = { startDate: "2024-11-01", endDate: "2026-10-31" };
const STORM = { startDate: "2026-03-02", endDate: "2026-03-02" };

const BY_CALL_ID = [
  "getMetadataByCallId",
  "getRecordingByCallId",
  "streamRecordingByCallId",
] as const;
const BY_REFERENCE = [
  "getMetadataByReference",
  "getRecordingByReference",
  "streamRecordingByReference",
] as const;
const BY_USER = ["getUserAddresses", "getUserSecurityRights", "listPrivateFlags"] as const;
const STREAMS = ["streamRecordingByCallId", "streamRecordingByReference"] as const;
const CALLERS: readonly Bearer[] = [
  "restricted",
  "none",
  "unknown",
  "expired",
  "basic",
  "malformed",
];

const named = (query: Step["query"], body: unknown, more: Partial<Step> = {}): Step => ({
  operation: "searchMetadata",
  query: query ?? {},
  body,
  ...more,
});
const custom = (query: Step["query"], body: unknown, more: Partial<Step> = {}): Step => ({
  operation: "searchMetadataByCustomFields",
  query: query ?? {},
  body,
  ...more,
});
const page = (pageIndex: number | string, range: Readonly<Record<string, string>> = RANGE) => ({
  pageIndex,
  ...range,
});

const identified: readonly Step[] = [
  ...BY_CALL_ID.flatMap((operation) =>
    [SPOKEN.getMetadataByCallId, TRANSFERRED, "300000000101156", UNKNOWN, OTHER_CHAT].map((id) => ({
      operation,
      id,
    })),
  ),
  ...BY_REFERENCE.flatMap((operation) =>
    [SPOKEN.getMetadataByReference, "FHR-000003", "FHR-000026", UNKNOWN].map((id) => ({
      operation,
      id,
    })),
  ),
  ...[CHAT, OTHER_CHAT, UNKNOWN].map((id) => ({ operation: "getChatByCallId" as const, id })),
  ...BY_USER.flatMap((operation) =>
    [1, 2, 4, 99, "one"].map((user_id) => ({ operation, query: { user_id } })),
  ),
  ...["active", "inactive", "deleted", "all", "asleep"].map((status) => ({
    operation: "listUsers" as const,
    query: { status },
  })),
  { operation: "listUsers" },
  { operation: "listPublicFlags" },
  { operation: "listPublicFlags", bearer: "restricted", headers: { accept: "text/html" } },
  ...[...BY_CALL_ID, ...BY_REFERENCE]
    .filter((operation) => operation.includes("Recording"))
    .map((operation) => ({ operation, id: TRANSFERRED, query: { part: 2 } })),
];

const searched: readonly Step[] = [
  ...[0, 1, 2, 5, 6, -1, "x"].flatMap((index) => [
    custom(page(index), {}),
    named(page(index), { media: "Voice" }),
  ]),
  ...[0, 1, 5].map((index) => custom(page(index), { security_field_01: "EMEA" })),
  custom(page(0), { custom_field_1: "44710131", custom_field_2: "Fibre 100" }),
  custom(page(0), { custom_field_2: "fibre" }),
  custom(page(0), { custom_field_2: "FIBRE 100" }),
  custom(page(0), { custom_field_2: " Fibre 100 " }),
  custom(page(0, STORM), {}),
  named(page(0), { campaign: "Outage Line" }, { headers: { prefer: "count=exact" } }),
  named(page(0, STORM), { campaign: "Outage Line", media: "Voice" }),
  named(page(0), { talk_time: 41 }),
  named(page(0), { handle_time: 41 }),
  named(page(0), { agent: "priya.nair" }),
  named(page(0), { agent: "priya" }),
  named(page(0), { agent: "PRIYA.NAIR" }),
  named(page(0), { agent: " priya.nair " }),
  named(page(0), { lead_id: "none of these" }),
  named(page(0), { phone_number1: "9125550131" }),
  named(page(0), { phone_number3: "0" }),
  named(page(0), {}),
  named(page(0), { colour: "red" }),
  named(page(0), { talk_time: "41" }),
  named({ pageIndex: 0 }, { media: "Voice" }),
  named(page(0, { startDate: "2026-03-03", endDate: "2026-03-01" }), { media: "Voice" }),
  named(page(0, { startDate: "20260301", endDate: "2026-03-03" }), { media: "Voice" }),
  named(page(0), "no object", { headers: { "content-type": "text/plain" } }),
  custom(page(0), {}, { headers: { "content-type": "text/plain" } }),
  custom(page(0), "no object"),
  custom(page(0), { custom_field_1: 7 }),
  custom(page(0), { colour: "red" }),
  custom({ pageIndex: 0 }, {}),
  custom(page(0, { startDate: "2026-02-30", endDate: "2026-03-03" }), {}),
];

const streamed: readonly Step[] = STREAMS.flatMap((operation, index) => {
  const id = index === 0 ? SPOKEN.getMetadataByCallId : SPOKEN.getMetadataByReference;
  const conditions: readonly Readonly<Record<string, string>>[] = [
    { range: "bytes=4-99" },
    { range: "bytes=-500" },
    { range: "bytes=999999999-" },
    { range: "bytes=0-9", "if-range": '"other"' },
    { "if-none-match": "*" },
  ];
  return [
    { operation, id, method: "HEAD" },
    ...conditions.map((headers) => ({ operation, id, headers })),
  ];
});

// One good request of each operation, for every kind of caller.
const asked: readonly Step[] = routes
  .filter(({ needsCredentials }) => needsCredentials)
  .flatMap(({ operationId }) => {
    const first = [...identified, ...searched].find(({ operation }) => operation === operationId);
    return first === undefined ? [] : CALLERS.map((bearer) => ({ ...first, bearer }));
  });

// What others find, asked for by somebody with few rights.
const hidden: readonly Step[] = identified.map((step) => ({ ...step, bearer: "restricted" }));

const STEPS: readonly Step[] = [...identified, ...searched, ...streamed, ...asked, ...hidden];

// A proxy before a service that breaks off may never answer.
const TIMEOUT_MS = 2_000;

// What belongs to no operation.
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
