// Requests of each operation, good and bad, by callers of every kind, that show its behaviour.
import { type OperationId, routes } from "@call-media/api";

export type Bearer =
  | "admin"
  | "restricted"
  | "expired"
  | "unknown"
  | "malformed"
  | "basic"
  | "none";

/** One request, before it has an address and secrets. */
export interface Step {
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

// The same requests by a caller with few rights.
const hidden: readonly Step[] = identified.map((step) => ({ ...step, bearer: "restricted" }));

export const STEPS: readonly Step[] = [
  ...identified,
  ...searched,
  ...streamed,
  ...asked,
  ...hidden,
];
