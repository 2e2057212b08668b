// A recording that is cut short on its way: the access log says with a second row what left.
import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import type { LogRow } from "@call-media/store";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openDownload } from "./support/download.ts";
import {
  addMedia,
  ALLOWED_ALL,
  startTestService,
  type TestService,
  toCall,
} from "./support/service.ts";

// More than all buffers of a connection hold, so that it can be cut on the way.
const LONG_BYTES = 40_000_000;

// Far beyond what a busy machine needs.
const WAIT = { timeout: 20_000 };

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startTestService();
  ({ key } = await service.addUser(ALLOWED_ALL));
  const long = await addMedia(service.store, "long.wav", randomBytes(LONG_BYTES));
  await service.add(toCall({ call_id: "long", datetime: "2026-05-01T10:00:00Z" }, [long]));
});
afterAll(() => service[Symbol.asyncDispose]());

test.each(["stream-by-call-id", "by-call-id"])(
  "%s that is cut short has a second row with what was sent",
  async (form) => {
    const download = await openDownload(service, `/recording/${form}/long`, key);
    download.abandon();

    const rows = await vi.waitFor(async () => {
      const found: LogRow[] = [];
      for await (const row of service.store.accessLog.read({ callId: "long" })) found.push(row);
      const cut = found.at(-1);
      expect(cut?.isCut).toBe(true);
      return found.filter(({ requestId }) => requestId === cut?.requestId);
    }, WAIT);
    expect(rows).toHaveLength(2);
    expect(rows[0]?.recording).toMatchObject({ first: 0, last: LONG_BYTES - 1 });
    expect(rows[1]).toEqual({
      ...rows[0],
      seq: expect.any(Number),
      timeMs: expect.any(Number),
      hash: expect.any(String),
      isCut: true,
      recording: { sha256: rows[0]?.recording?.sha256, first: 0, last: expect.any(Number) },
    });
    expect(rows[1]?.recording?.last).toBeLessThan(LONG_BYTES - 1);
    expect(rows[1]?.recording?.last).toBeGreaterThan(0);
  },
);

test("a connection that ends before its recording is open gets none of it", async () => {
  const { hostname, port } = new URL(service.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.end(
    `GET /recording/stream-by-call-id/long HTTP/1.1\r\nHost: half-closed\r\nAuthorization: Bearer ${key}\r\n\r\n`,
  );
  let last: LogRow | undefined;
  await vi.waitFor(async () => {
    for await (const row of service.store.accessLog.read({ callId: "long" })) last = row;
    expect(last?.isCut).toBe(true);
    expect(last?.recording?.last ?? -1).toBe(-1);
  }, WAIT);
});
