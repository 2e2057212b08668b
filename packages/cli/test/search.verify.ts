// A search whose reader has seen enough.
import { createFakeService } from "@call-media/testing";
import { type ServedFake, serveFake } from "@call-media/testing/http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startProcess } from "./support/program.ts";

const CALLS = Array.from({ length: 120 }, (_, index) => ({
  call_id: `${300_000_000_000 + index}`,
  datetime: `2026-03-${String((index % 28) + 1).padStart(2, "0")}T09:30:00`,
}));
const service = createFakeService({ calls: CALLS });
const MARCH = ["--from", "2026-03-01", "--to", "2026-03-31"];

let served: ServedFake;
beforeAll(async () => {
  served = await serveFake(service);
});
afterAll(() => served.close());

const toVariables = () => ({
  CALL_MEDIA_BASE_URL: served.baseUrl,
  CALL_MEDIA_API_KEY: service.apiKey,
});

test("ends when the reader closes the pipe", async () => {
  const before = service.requests.length;
  const { child, ended } = startProcess(["search", ...MARCH, "--format", "jsonl"], toVariables());
  child.stdout.destroy();
  const { code, stderr } = await ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(service.requests.length - before).toBeLessThan(3);
});
