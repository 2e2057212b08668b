// The archive in memory, and what may go wrong with a real one.
import assert from "node:assert/strict";
import { test } from "node:test";

import { createClient, isCallMediaError } from "@call-media/client";
import { createFakeService } from "@call-media/testing";

import { sumTalkTime } from "./talk-time.ts";

const day = "2026-03-02";
const calls = [60, 95, null].map((talk_time, index) => ({
  call_id: String(index),
  agent: "ana.kovac",
  datetime: `${day}T09:0${index}:00Z`,
  talk_time,
}));

test("talk times are added up", async () => {
  const client = createClient(createFakeService({ calls }).clientOptions);
  assert.deepEqual(await sumTalkTime(client, "Ana.Kovac", day), { seconds: 155, isComplete: true });
});

test("so they are if the service is busy and forgets the token", async () => {
  const service = createFakeService({ calls });
  service.inject({ kind: "status", status: 503, operation: "searchMetadata" });
  service.inject({ kind: "forget-tokens", operation: "searchMetadata" });
  const client = createClient(service.clientOptions);
  assert.equal((await sumTalkTime(client, "ana.kovac", day)).seconds, 155);
  assert.equal(
    service.requests.filter(({ operationId }) => operationId === "createToken").length,
    2,
  );
});

test("a service that stays away is an error that says so", async () => {
  const service = createFakeService({ calls });
  service.inject({ kind: "unreachable", times: Infinity });
  const client = createClient({ ...service.clientOptions, maxRetries: 0 });
  await assert.rejects(sumTalkTime(client, "ana.kovac", day), (error) =>
    isCallMediaError(error, "ConnectionError"),
  );
});
