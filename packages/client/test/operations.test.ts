// The fifteen operations by name, and as queries.
import { operationIds } from "@call-media/api/operation-ids";
import { createFakeService } from "@call-media/testing";
import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";

import { createClient, NotFoundError } from "../src/index.ts";
import { createQueries } from "../src/query/index.ts";
import { failureOf, listOf } from "./service.ts";

const day = { startDate: "2026-03-02", endDate: "2026-03-02" };
const call_id = "300000004821507";

function openFake() {
  const service = createFakeService({
    calls: [
      {
        call_id,
        ref_id: "r/1",
        agent: "ana.kovac",
        custom_field_1: "x",
        datetime: "2026-03-02T09:00:00Z",
        recordings: [{ filename: "a.wav", bytes: new Uint8Array([1, 2, 3]) }],
      },
    ],
    chats: [{ call_id, label: "Caller", transcript: "Good morning." }],
    flags: [{ Name: "Follow up" }],
  });
  return { service, client: createClient(service.clientOptions) };
}

test("each is called with its parameters, and returns its records", async () => {
  const { service, client } = openFake();
  const record = expect.objectContaining({ call_id });
  expect(await client.getMetadataByCallId({ call_id })).toEqual([record]);
  expect(await client.getMetadataByReference({ ref_id: "r/1" })).toEqual([record]);
  const found = { pageIndex: 0, ...day };
  expect(await client.searchMetadata({ ...found, body: { agent: "ana.kovac" } })).toEqual([record]);
  const body = { custom_field_1: "X" };
  expect(await client.searchMetadataByCustomFields({ ...found, body })).toEqual([record]);
  const [user] = await client.listUsers({ status: "all" });
  const user_id = user?.id ?? 0;
  expect(await client.getUserAddresses({ user_id })).toHaveLength(1);
  expect(await client.getUserSecurityRights({ user_id })).toMatchObject([{ is_admin: true }]);
  expect(await client.getRecordingByCallId({ call_id, part: 1 })).toMatchObject({ base64: "AQID" });
  expect(await client.getRecordingByReference({ ref_id: "r/1" })).toMatchObject({ success: true });
  const streams = [
    client.streamRecordingByCallId({ call_id }),
    client.streamRecordingByReference({ ref_id: "r/1" }),
  ];
  for (const stream of streams)
    expect(Buffer.concat(await listOf(await stream))).toEqual(Buffer.from([1, 2, 3]));
  expect(await client.listPublicFlags()).toMatchObject([{ Name: "Follow up" }]);
  expect(await client.listPrivateFlags({ user_id })).toEqual([]);
  expect(await client.getChatByCallId({ call_id })).toMatchObject([{ label: "Caller" }]);
  const token = await client.createToken({ body: service.credentials });
  expect(token).toMatchObject({ type: "Bearer" });
  const asked = new Set(service.requests.map(({ operationId }) => operationId));
  expect(asked).toEqual(new Set(Object.values(operationIds)));
  // A parameter of the path is not sent a second time.
  expect(service.requests.filter(({ url }) => /[?&](call|ref)_id=/.test(url))).toEqual([]);
});

test("options of the call are in the same object, and the response is there as well", async () => {
  const { service, client } = openFake();
  const part = client.streamRecordingByCallId({ call_id, headers: { Range: "bytes=1-" } });
  const { data, response, requestId } = await part.withResponse();
  expect([response.status, requestId]).toEqual([206, expect.any(String)]);
  expect(Buffer.concat(await listOf(data))).toEqual(Buffer.from([2, 3]));
  service.inject({ kind: "status", status: 503, times: 2 });
  const error = await failureOf(client.listPublicFlags({ maxRetries: 0 }));
  expect(error).toMatchObject({ name: "ServiceError", attempts: 1 });
  const missing = await failureOf(client.getRecordingByCallId({ call_id: "0", maxRetries: 0 }));
  expect(missing).toMatchObject({ name: "ServiceError" });
  expect(await failureOf(client.getRecordingByCallId({ call_id: "0" }))).toBeInstanceOf(
    NotFoundError,
  );
});

test("a query has a key of its operation and parameters, and stops with its signal", async () => {
  const { service, client } = openFake();
  const queries = createQueries(client);
  const query = queries.getChatByCallId({ call_id });
  expect(query).toMatchObject({
    queryKey: ["call-media", "getChatByCallId", { call_id }],
    retry: false,
  });
  const cache = new QueryClient();
  const chat = await cache.fetchQuery(query);
  expect(chat.map(({ transcript }) => transcript)).toEqual(["Good morning."]);
  expect(await cache.fetchQuery({ ...query, staleTime: Infinity })).toBe(chat);
  expect(cache.getQueryState(query.queryKey)?.status).toBe("success");
  service.inject({ kind: "hang" });
  const controller = new AbortController();
  const waiting = failureOf(queries.listPublicFlags().queryFn({ signal: controller.signal }));
  controller.abort();
  expect(await waiting).toMatchObject({ name: "AbortError" });
});
