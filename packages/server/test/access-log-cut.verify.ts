// A recording that is cut short on its way: the access log says with a second row what left.
import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
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

test("whenever clients go away, each of their recordings has its second row", async () => {
  const clients = 60;
  const countCut = async () => {
    let count = 0;
    for await (const row of service.store.accessLog.read({ callId: "long" }))
      if (row.isCut) count += 1;
    return count;
  };
  const before = await countCut();
  for (let client = 0; client < clients; client += 1) {
    const download = await openDownload(service, "/recording/stream-by-call-id/long", key);
    await setTimeout(client % 5);
    download.abandon();
  }

  await vi.waitFor(async () => expect(await countCut()).toBe(before + clients), WAIT);
});
