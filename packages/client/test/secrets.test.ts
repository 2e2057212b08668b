// What a caller is given, and may log, has neither the secret nor the token that the client goes by.
import { inspect } from "node:util";

import { expect, test } from "vitest";

import { createClient } from "../src/index.ts";
import { createFakeService } from "@call-media/testing";
import { failureOf } from "./service.ts";

test("results, events and errors are without them", async () => {
  const recordings = [{ filename: "a.wav", bytes: new Uint8Array(9) }];
  const service = createFakeService({ calls: [{ call_id: "7", recordings }] });
  const bearers = new Set<string>();
  const fetch = (url: string, init: RequestInit) => {
    bearers.add(new Headers(init.headers).get("Authorization")?.slice("Bearer ".length) ?? "");
    return service.fetch(url, init);
  };
  const events: unknown[] = [];
  const onEvent = (event: unknown) => void events.push(event);
  const client = createClient({ ...service.clientOptions, fetch, onEvent, maxRetries: 0 });

  const stream = await client.recordings.stream({ call_id: "7" });
  await stream.body.cancel();
  const search = client.calls.search({
    startDate: "2026-03-01",
    endDate: "2026-03-02",
    filter: { agent: "ana" },
  });
  for await (const page of search.pages()) expect.unreachable(String(page.pageIndex));
  service.inject({ kind: "unreachable", times: Infinity });
  const given = [
    stream,
    await failureOf(client.GET("/flags/public")),
    await failureOf(client.recordings.bytes({ call_id: "7" })),
    search,
    client,
    events,
  ];

  const token = [...bearers].find((bearer) => bearer !== "") ?? "";
  expect(token).toMatch(/^cmt_[\w-]{43}$/);
  const told = inspect(given, { depth: Infinity, showHidden: true }) + JSON.stringify(given);
  expect(told).not.toContain(token);
  expect(told).not.toContain(service.credentials.secretKey);
});
