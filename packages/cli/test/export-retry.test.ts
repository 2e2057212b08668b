// How often a file is asked for that the service keeps refusing: no more than is needed to tell that it is this file alone.
import { ConnectionError, ServiceError } from "@call-media/client";
import { createFakeService, type FakeCall } from "@call-media/testing";
import { serveFake } from "@call-media/testing/http";
import { expect, test } from "vitest";
import { createRetryPolicy } from "../src/export/throttle/retry.ts";
import { MARCH, readManifest, startExporting, toBytes } from "./support/exporting.ts";

const ABOUT = {
  operationId: "streamRecordingByCallId",
  method: "GET",
  path: "/recording/stream-by-call-id/{call_id}",
  url: "https://archive.example.com",
  attempts: 5,
} as const;
const refused = new ServiceError("not available", ABOUT, { status: 503 });
const broken = new ConnectionError("broken off", ABOUT);

test("a refusal is taken for the file's own where others come, and for the service's where none do", () => {
  let others = 3;
  const alone = createRetryPolicy(() => others);
  const ofAll = createRetryPolicy(() => 3);
  others++;
  expect([alone(refused), alone(refused)]).toEqual([true, false]);
  expect(Array.from({ length: 6 }, () => ofAll(refused))).toEqual([...Array(5).fill(true), false]);
});

test("a connection that breaks is tried as often whatever else comes", () => {
  let others = 0;
  const mayHelp = createRetryPolicy(() => others++);
  expect(Array.from({ length: 6 }, () => mayHelp(broken))).toEqual([...Array(5).fill(true), false]);
});

test("a request outside a group of files is retried until the limit", () => {
  const mayHelp = createRetryPolicy();
  expect(Array.from({ length: 5 }, () => mayHelp(refused))).not.toContain(false);
});

test("a recording that the service cannot read any more costs few requests, and no other file", async () => {
  const calls: readonly FakeCall[] = Array.from({ length: 40 }, (_, index) => ({
    call_id: String(1000 + index),
    datetime: "2026-03-02T06:14:00Z",
    recordings: [{ filename: "a.wav", bytes: toBytes(500) }],
  }));
  const { out, runCommand } = await startExporting({ calls });
  const service = createFakeService({ calls });
  await using served = await serveFake({
    ...service,
    fetch: async (input, init) =>
      String(input instanceof Request ? input.url : input).endsWith("/stream-by-call-id/1000")
        ? new Response(null, { status: 503, headers: { "Retry-After": "0" } })
        : await service.fetch(input, init),
  });
  const variables = ["--base-url", served.baseUrl];
  const ended = await runCommand("export", ...MARCH, "--out", out, ...variables);
  expect(ended).toMatchObject({ code: 3, stdout: expect.stringContaining("1 failed") });
  const entries = (await readManifest(out)).filter(({ kind }) => kind === "recording");
  const [failed, ...others] = entries.filter(({ status }) => status !== "complete");
  expect(failed).toMatchObject({ call_id: "1000", status: "failed" });
  expect(failed?.attempts).toBeLessThan(30);
  expect(others).toEqual([]);
});
