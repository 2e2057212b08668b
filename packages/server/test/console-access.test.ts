// Who looked at a call, for administrators of the console (D40).
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { LogRow, UserRecord } from "@call-media/store";
import {
  ALLOWED_ALL,
  type Served,
  startInMemory,
  startTestService,
  toCall,
} from "./support/service.ts";

const MARKED = { "X-Call-Media-Console": "1" };
const CALL = "/console/api/metadata/by-call-id/solo";
const SOUND = "/console/api/recording/stream-by-call-id/solo";

const ANN = { agent: "ann", campaign: "Retention" };
const BOB = { agent: "bob", campaign: "Retention" };

let service: Served;
let ann: string;
let root: string;

beforeEach(async () => fill(await startInMemory({ console: { isSecure: false } })));

async function fill(started: Served): Promise<void> {
  service = started;
  ann = await signIn({ ...ALLOWED_ALL, username: "ann" });
  root = await signIn({ ...ALLOWED_ALL, username: "root", is_admin: true });
  const media = await service.store.media.put({ name: "s.wav", content: Buffer.alloc(1_000) });
  await service.add(
    toCall({ call_id: "solo", datetime: "2026-03-01T10:00:00Z", ...ANN }, [
      { filename: "s.wav", media },
    ]),
    toCall({ call_id: "other", datetime: "2026-03-01T11:00:00Z", ...BOB }),
  );
}
afterEach(() => service[Symbol.asyncDispose]());

async function signIn(fields: Partial<UserRecord>): Promise<string> {
  const { key } = await service.addUser(fields);
  const response = await fetch(`${service.baseUrl}/console/session`, {
    method: "POST",
    headers: { ...MARKED, "Content-Type": "application/json" },
    body: JSON.stringify({ apiKey: key }),
  });
  return response.headers.get("Set-Cookie")?.split(";")[0] ?? "";
}

const get = (path: string, Cookie: string, headers: Record<string, string> = {}) =>
  fetch(`${service.baseUrl}${path}`, { headers: { Cookie, ...MARKED, ...headers } });

interface Answered {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly lists?: number;
  readonly next: number | null;
  readonly errorMessage?: string;
}

async function ask(query: string, cookie = root): Promise<Answered> {
  const response = await get(`/console/access?${query}`, cookie);
  return (await response.json()) as Answered; // its fields are what the tests look at
}

async function readLog(count: number): Promise<readonly LogRow[]> {
  return await vi.waitFor(async () => {
    const rows: LogRow[] = [];
    for await (const row of service.store.accessLog.read({ callId: "solo" })) rows.push(row);
    expect(rows).toHaveLength(count);
    return rows;
  });
}

describe("shows an administrator", () => {
  test("the users, and the bytes of recordings that were sent, newest first", async () => {
    await (await get(CALL, ann)).text();
    const part = await get(SOUND, ann, { Range: "bytes=0-499" });
    await part.arrayBuffer();

    await readLog(2);
    const { rows, next } = await ask("call_id=solo");
    expect(rows).toEqual([
      {
        seq: expect.any(Number),
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        user: "ann",
        by: "console",
        operation: "streamRecordingByCallId",
        request: part.headers.get("X-Request-Id"),
        status: 206,
        hasRecords: false,
        recording: { part: 1, from: 0, to: 500, of: 1_000 },
      },
      expect.objectContaining({
        user: "ann",
        operation: "getMetadataByCallId",
        status: 200,
        hasRecords: true,
      }),
    ]);
    expect(next).toBeNull();
  });

  test("the use that the page stated, and a purpose in any language", async () => {
    const purpose = "Für Legal, Fall 7 – 日本 👩‍⚖️";
    for (const said of ["save", "wave", `hand-over; for=${encodeURIComponent(purpose)}`])
      await (await get(SOUND, ann, { "X-Call-Media-Console": said })).arrayBuffer();

    const { rows } = await ask("call_id=solo");
    expect(rows.map(({ use, purpose: given }) => [use, given])).toEqual([
      ["hand-over", purpose],
      ["wave", undefined],
      ["save", undefined],
    ]);
    await service.store.accessLog.verify();
  });

  test("the rows of a program and of a command", async () => {
    const { key } = await service.addUser({ ...ALLOWED_ALL, username: "night" });
    await (await service.get("/metadata/by-call-id/solo", key)).text();
    await service.store.accessLog.record({
      operation: "trace",
      operator: "olive",
      asked: { call_id: "solo" },
      callIds: ["solo"],
    });
    await readLog(2);
    const { rows } = await ask("call_id=solo");
    expect(rows.map(({ user, by }) => [user, by])).toEqual([
      ["olive", "command"],
      ["night", "program"],
    ]);
  });

  test("page by page", async () => {
    for (let count = 0; count < 60; count += 1) await (await get(CALL, ann)).text();
    await readLog(60);
    const first = await ask("call_id=solo");
    const second = await ask(`call_id=solo&before=${first.next}`);
    const seqs = [...first.rows, ...second.rows].map(({ seq }) => Number(seq));
    expect(first.rows).toHaveLength(50);
    expect(second.next).toBeNull();
    expect(seqs).toEqual(seqs.toSorted((a, b) => b - a));
    // Neither page has the rows that these two requests add.
    expect(new Set(seqs).size).toBe(60);
  });

  test("how many lists it stood in, without what others searched for", async () => {
    const search = await fetch(
      `${service.baseUrl}/console/api/metadata/search?pageIndex=0&startDate=2026-03-01&endDate=2026-03-01`,
      {
        method: "POST",
        headers: { Cookie: ann, ...MARKED, "Content-Type": "application/json" },
        body: JSON.stringify({ campaign: "Retention" }),
      },
    );
    expect(search.status).toBe(200);
    await readLog(1);
    expect((await ask("call_id=solo")).rows).toEqual([]);
    const text = await (await get("/console/access?call_id=solo&lists=1", root)).text();
    expect(JSON.parse(text)).toMatchObject({
      lists: 1,
      since: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      rows: [{ user: "ann", operation: "searchMetadata" }],
    });
    for (const hidden of ["other", "Retention", "key_", "session_"])
      expect(text).not.toContain(hidden);
  });
});

test("lists are counted one request after the other, and for nobody who has gone", async () => {
  await (await get(CALL, ann)).text();
  await readLog(1);
  const { accessLog } = service.store;
  const count = accessLog.listsOf.bind(accessLog);
  const told: boolean[] = [];
  let underWay = 0;
  let { promise: gone, resolve: leave } = Promise.withResolvers<void>();
  vi.spyOn(accessLog, "listsOf").mockImplementation(async (query) => {
    underWay += 1;
    expect(underWay).toBe(1);
    leave();
    await vi.waitFor(() => expect(query.isGone?.()).toBe(told.length === 0));
    told.push(query.isGone?.() ?? false);
    underWay -= 1;
    return count(query);
  });
  const path = "/console/access?call_id=solo&lists=1";
  const aborter = new AbortController();
  const left = fetch(`${service.baseUrl}${path}`, {
    headers: { Cookie: root, ...MARKED },
    signal: aborter.signal,
  });
  await gone;
  ({ promise: gone, resolve: leave } = Promise.withResolvers<void>());
  const stays = get(path, root);
  aborter.abort();
  await expect(left).rejects.toThrow("aborted");
  expect((await stays).status).toBe(200);
  expect(told).toEqual([true, false]);
  expect(service.failures).toEqual([]);
});

describe("each look", () => {
  test("has its own row, which the next one shows", async () => {
    await ask("call_id=solo");
    const [row] = await readLog(1);
    expect(row).toMatchObject({
      operation: "console access",
      asked: { call_id: "solo" },
      callIds: ["solo"],
      rows: 0,
      status: 200,
      session: expect.stringMatching(/^session_/),
    });
    expect((await ask("call_id=solo")).rows).toMatchObject([
      { user: "root", operation: "console access", by: "console" },
    ]);
  });

  test("of a user who is not an administrator is 403, and has its row as well", async () => {
    const response = await get("/console/access?call_id=solo", ann);
    expect(response.status).toBe(403);
    expect(response.headers.get("X-Error-Code")).toBe("CM_ADMIN_NEEDED");
    expect(await readLog(1)).toMatchObject([{ operation: "console access", status: 403, rows: 0 }]);
  });

  test("without a session is 401, and has none", async () => {
    expect((await fetch(`${service.baseUrl}/console/access?call_id=solo`)).status).toBe(401);
    const { key } = await service.addUser({ ...ALLOWED_ALL, username: "k", is_admin: true });
    expect((await service.get("/console/access?call_id=solo", key)).status).toBe(401);
    await readLog(0);
  });

  test("is refused while its row cannot be written", async () => {
    vi.spyOn(service.store.accessLog, "append").mockRejectedValue(new Error("the disk is full"));
    const response = await get("/console/access?call_id=solo", root);
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain("full");
  });
});

test("a hidden call is answered as an unknown one (D21)", async () => {
  const some = { allow_all_agents: false, allowed_agents: ["bob"] };
  const boss = await signIn({ ...ALLOWED_ALL, ...some, username: "boss", is_admin: true });
  await (await get(CALL, ann)).text();
  await readLog(1);
  for (const more of ["", "&lists=1"]) {
    const [hidden, unknown] = await Promise.all(
      ["solo", "no-such-call"].map(async (id) => {
        const response = await get(`/console/access?call_id=${id}${more}`, boss);
        return [response.status, await response.text()];
      }),
    );
    expect(hidden).toEqual(unknown);
    expect(hidden?.[0]).toBe(200);
  }
  expect((await ask("call_id=solo")).rows).not.toEqual([]);
});

test("an altered row is marked as such, and the other rows are shown", async () => {
  await service[Symbol.asyncDispose]();
  const inFolder = await startTestService({ console: { isSecure: false } });
  await fill(inFolder);
  for (let count = 0; count < 3; count += 1) await (await get(CALL, ann)).text();
  const [, altered] = await readLog(3);
  using database = new DatabaseSync(join(inFolder.directory, "access.db"));
  database.exec(`DROP TRIGGER access_unchanged;
    UPDATE access SET entry = replace(entry, '"userId":1', '"userId":2') WHERE seq = ${altered?.seq}`);
  const { rows } = await ask("call_id=solo");
  expect(rows).toEqual([
    expect.objectContaining({ user: "ann" }),
    { seq: altered?.seq, isAltered: true },
    expect.objectContaining({ user: "ann" }),
  ]);
});

test.each([
  ["", "call_id is required"],
  ["call_id=", "call_id is required"],
  ["call_id=a&call_id=b", "call_id must be given once"],
  [`call_id=${"x".repeat(1_025)}`, "call_id must have at most 1024 characters"],
  ["call_id=%ff", "the query must be percent-encoded UTF-8"],
  ["call_id=a&before=0", "before must be the number of a row"],
  ["call_id=a&before=1e3", "before must be the number of a row"],
  ["call_id=a&lists=yes", "lists must be 1"],
  ["call_id=a&lists=1&before=3", "before and lists exclude one another"],
  ["call_id=a&user=ann", 'there is no parameter "user"'],
])("refuses %s", async (query, fault) => {
  const response = await get(`/console/access?${query}`, root);
  expect([response.status, ((await response.json()) as Answered).errorMessage]).toEqual([
    400,
    fault,
  ]);
});

test.each([
  "print",
  "hand-over; for=%ff",
  "hand-over; for=%00",
  `hand-over; for=${"x".repeat(201)}`,
])("refuses a mark that cannot be read: %s", async (said) => {
  const response = await get(CALL, ann, { "X-Call-Media-Console": said });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain("X-Call-Media-Console");
  await readLog(0);
});

test("no other site, no other method", async () => {
  const path = "/console/access?call_id=solo";
  expect((await get(path, root, { "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
  const posted = await fetch(`${service.baseUrl}${path}`, {
    method: "POST",
    headers: { Cookie: root, ...MARKED },
  });
  expect([posted.status, posted.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
  await readLog(0);
});
