// Who read what: every request of a known caller for data leaves one row, with what was released and nothing secret.
import { randomBytes } from "node:crypto";
import type { AccessEntry, LogRow } from "@call-media/store";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MARK, readRows as readRowsOfAll, readRowsOf } from "./support/access-rows.ts";
import {
  addMedia,
  ALLOWED_ALL,
  createApplication,
  startTestService,
  type TestService,
  toCall,
} from "./support/service.ts";

const SOUND = randomBytes(100_000);
const SECRET_OF_RECORD = "the customer's birthday";
const DAYS = "pageIndex=0&startDate=2026-05-01&endDate=2026-05-31";

let service: TestService;
let userId: number;
let key: string;
let blindKey: string;
let sha256: string;

beforeAll(async () => {
  service = await startTestService();
  const admin = await service.addUser({ ...ALLOWED_ALL, is_admin: true });
  ({ key } = admin);
  userId = admin.user.id;
  blindKey = (await service.addUser({ ...ALLOWED_ALL, allow_download: false })).key;
  const sound = await addMedia(service.store, "sound.wav", SOUND);
  ({ sha256 } = sound.media);
  const datetime = "2026-05-01T10:00:00Z";
  await service.add(
    toCall({ call_id: "c1", ref_id: "r1", datetime, notes: SECRET_OF_RECORD }, [sound]),
    toCall({ call_id: "c2", ref_id: "r1", datetime, custom_field_1: "x" }),
    {
      kind: "chat",
      record: {
        call_id: "c1",
        transcript: SECRET_OF_RECORD,
        datetime,
        party_type: "agent",
        label: null,
        room_id: "1",
      },
    },
  );
});
afterAll(() => service[Symbol.asyncDispose]());

const get = (path: string, headers: Record<string, string> = {}) => service.get(path, key, headers);
const post = (path: string, body: unknown) => service.post(path, key, body);

/** The rows of a request, when all that was promised before has been written. */
async function readRows(response: Response): Promise<LogRow[]> {
  await response.arrayBuffer();
  return await readRowsOf(service.store, response.headers.get("x-request-id") ?? "");
}

type Case = readonly [
  request: string,
  send: () => Promise<Response>,
  expected: Partial<AccessEntry>,
];

const whole = { first: 0, last: SOUND.length - 1 };

const READS: readonly Case[] = [
  [
    "metadata by call id",
    () => get("/metadata/by-call-id/c1"),
    { operation: "getMetadataByCallId", asked: { call_id: "c1" }, callIds: ["c1"], rows: 1 },
  ],
  [
    "metadata by reference",
    () => get("/metadata/by-reference/r1"),
    {
      operation: "getMetadataByReference",
      asked: { ref_id: "r1" },
      callIds: ["c1", "c2"],
      rows: 2,
    },
  ],
  [
    "a search",
    () => post(`/metadata/search?${DAYS}`, { call_id: "c1" }),
    {
      operation: "searchMetadata",
      asked: {
        pageIndex: 0,
        startDate: "2026-05-01",
        endDate: "2026-05-31",
        filter: { call_id: "c1" },
      },
      callIds: ["c1"],
      rows: 1,
    },
  ],
  [
    "a search for its number alone, past the end",
    () => post(`/metadata/search?${DAYS.replace("=0", "=1000000000")}`, { call_id: "c1" }),
    {
      operation: "searchMetadata",
      asked: {
        pageIndex: 1_000_000_000,
        startDate: "2026-05-01",
        endDate: "2026-05-31",
        filter: { call_id: "c1" },
      },
      callIds: [],
      rows: 0,
    },
  ],
  [
    "a search by custom fields",
    () => post(`/metadata/by-custom-fields?${DAYS}`, { custom_field_1: "X" }),
    {
      operation: "searchMetadataByCustomFields",
      asked: {
        pageIndex: 0,
        startDate: "2026-05-01",
        endDate: "2026-05-31",
        filter: { custom_field_1: "X" },
      },
      callIds: ["c2"],
      rows: 1,
    },
  ],
  [
    "users",
    () => get("/users/basic-info?status=active"),
    { operation: "listUsers", asked: { status: "active" }, callIds: [], rows: 2 },
  ],
  [
    "an address",
    () => get("/users/address-info?user_id=1"),
    { operation: "getUserAddresses", asked: { user_id: 1 }, callIds: [], rows: 1 },
  ],
  [
    "rights",
    () => get("/users/security-info?user_id=1"),
    { operation: "getUserSecurityRights", asked: { user_id: 1 }, callIds: [], rows: 1 },
  ],
  [
    "public flags",
    () => get("/flags/public"),
    { operation: "listPublicFlags", asked: {}, callIds: [], rows: 0 },
  ],
  [
    "private flags",
    () => get("/flags/private?user_id=1"),
    { operation: "listPrivateFlags", asked: { user_id: 1 }, callIds: [], rows: 0 },
  ],
  [
    "a chat",
    () => get("/chat/by-call-id/c1"),
    { operation: "getChatByCallId", asked: { call_id: "c1" }, callIds: ["c1"], rows: 1 },
  ],
];

const RECORDINGS: readonly Case[] = [
  [
    "a recording by call id",
    () => get("/recording/by-call-id/c1"),
    { operation: "getRecordingByCallId", asked: { call_id: "c1" }, status: 200 },
  ],
  [
    "a recording by reference",
    () => get("/recording/by-reference/r1?part=1"),
    { operation: "getRecordingByReference", asked: { ref_id: "r1", part: 1 }, status: 200 },
  ],
  [
    "a stream by call id",
    () => get("/recording/stream-by-call-id/c1"),
    { operation: "streamRecordingByCallId", asked: { call_id: "c1" }, status: 200 },
  ],
  [
    "a stream by reference",
    () => get("/recording/stream-by-reference/r1"),
    { operation: "streamRecordingByReference", asked: { ref_id: "r1" }, status: 200 },
  ],
];

const toRow = (expected: Partial<AccessEntry>) => ({
  seq: expect.any(Number),
  timeMs: expect.any(Number),
  requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  address: "192.0.2.1",
  userId,
  credential: expect.stringMatching(/^key_[0-9a-f]{24}$/),
  status: 200,
  rows: 0,
  hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  ...expected,
});

describe("one row", () => {
  test.each(READS)("for %s", async (_what, send, expected) => {
    const beforeMs = Date.now();
    const [row, ...others] = await readRows(await send());
    expect(row).toEqual(toRow(expected));
    expect(row?.timeMs).toBeGreaterThanOrEqual(beforeMs);
    expect(others).toEqual([]);
  });

  test.each(RECORDINGS)("for %s, with the bytes that left", async (_what, send, expected) => {
    const recording = { sha256, ...whole };
    const found = { callIds: ["c1"], recording, ...expected };
    expect(await readRows(await send())).toEqual([toRow(found)]);
  });

  test("for a part of a recording, with that part", async () => {
    const response = await get("/recording/stream-by-call-id/c1", { Range: "bytes=10-19" });
    expect(response.status).toBe(206);
    const [row] = await readRows(response);
    expect(row).toMatchObject({ status: 206, recording: { sha256, first: 10, last: 19 } });
  });

  test.each<Case>([
    [
      "HEAD",
      () =>
        service.send("/recording/stream-by-call-id/c1", {
          method: "HEAD",
          headers: { Authorization: `Bearer ${key}` },
        }),
      { status: 200, callIds: ["c1"] },
    ],
    [
      "what is unchanged (304)",
      () => get("/recording/stream-by-reference/r1", { "If-None-Match": `"${sha256}"` }),
      { status: 304, callIds: ["c1"] },
    ],
    [
      "a range past the end (416)",
      () => get("/recording/stream-by-call-id/c1", { Range: "bytes=999999999-" }),
      { status: 416, callIds: ["c1"] },
    ],
    [
      "a right that is missing (403)",
      () => service.get("/recording/by-call-id/c1", blindKey),
      { status: 403, callIds: ["c1"] },
    ],
    [
      "a recording that is not there (404)",
      () => get("/recording/by-call-id/none"),
      { status: 404, callIds: ["none"] },
    ],
    [
      "a wrong parameter (400)",
      () => get("/flags/private?user_id=x"),
      { status: 400, asked: {}, callIds: [] },
    ],
    [
      "a form that is not there (406)",
      () => get("/metadata/by-call-id/c1", { Accept: "image/png" }),
      { status: 406, rows: 0 },
    ],
  ])("for %s, which releases nothing", async (_what, send, expected) => {
    const rows = await readRows(await send());
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ rows: 0, ...expected });
    expect(rows[0]?.recording).toBeUndefined();
  });

  test("for a request past the limit of its credential (429)", async () => {
    await using limited = await startTestService({ requestsPerMinute: 1 });
    const { key: limitedKey } = await limited.addUser(ALLOWED_ALL);
    for (const status of [200, 429])
      expect((await limited.get("/flags/public", limitedKey)).status).toBe(status);

    await limited.store.accessLog.append(MARK, true);
    const statuses: unknown[] = [];
    for await (const { status } of limited.store.accessLog.read({ userId: 1 }))
      statuses.push(status);
    expect(statuses).toEqual([200, 429]);
  });
});

test("sign-ins have a row each, good and bad, but none that was put off; and no row has a key", async () => {
  await using own = await startTestService();
  const { user } = await own.addUser(ALLOWED_ALL);
  const application = await createApplication(own.store, user.id);
  const signIn = async (secretID: string) => {
    const { secretKey } = application;
    const answer = await own.post("/Token", "none", { secretID, secretKey });
    const rows = await readRowsOf(own.store, answer.headers.get("X-Request-Id") ?? "");
    expect(JSON.stringify(rows)).not.toContain(secretKey);
    return { status: answer.status, rows };
  };
  const expected = { operation: "createToken", asked: {}, callIds: [], rows: 0 };
  expect(await signIn(application.secretID)).toMatchObject({
    status: 200,
    rows: [{ ...expected, credential: application.secretID, userId: user.id, status: 200 }],
  });
  for (let n = 0; n < 5; n += 1) {
    const { rows } = await signIn("app\u001b[2J");
    expect(rows).toMatchObject([{ ...expected, credential: "app\\u001b[2J", status: 401 }]);
    expect(rows[0]?.userId).toBeUndefined();
  }
  expect(await signIn("app\u001b[2J")).toEqual({ status: 429, rows: [] });
});

test("a request without a good bearer has none", async () => {
  const unknown = await service.get("/metadata/by-call-id/c1", "unknown");
  expect(unknown.status).toBe(401);
  expect(await readRows(unknown)).toEqual([]);
});

test("a request with a token is put down to its application", async () => {
  const application = await createApplication(service.store, userId);
  const signIn = await service.post("/Token", "none", application);
  const { access_token: token } = (await signIn.json()) as { access_token: string };

  const [row] = await readRows(await service.get("/metadata/by-call-id/c1", token));
  expect(row?.credential).toBe(application.secretID);
  const log = JSON.stringify(await readRowsOfAll(service.store));
  expect(log).toContain(application.secretID);
  for (const secret of [token, application.secretKey, key, blindKey, SECRET_OF_RECORD])
    expect(log).not.toContain(secret);
});
