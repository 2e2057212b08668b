// The workflows of the contract, played against the demo service: what they document is what happens.
import { createClient } from "@call-media/client";
import { openStore } from "@call-media/store/sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeDemoArchive, startService } from "../src/demo-service.ts";
import { playWorkflows } from "../src/workflows.ts";

const stack = new AsyncDisposableStack();
let baseUrl: string;
let inputs: Readonly<Record<string, string>>;

beforeAll(async () => {
  const { directory, access } = stack.use(await makeDemoArchive());
  const store = stack.use(await openStore({ directory }));
  ({ baseUrl } = stack.use(await startService(store)));
  const client = createClient({ baseUrl, apiKey: access.apiKey });
  // The call that the demo names as its example has a recording and a chat.
  const { data } = await client.GET("/metadata/by-call-id/{call_id}", {
    params: { path: { call_id: access.examples.chat_call_id } },
  });
  const [call] = data.data;
  const day = call?.datetime?.slice(0, "YYYY-MM-DD".length) ?? "";
  inputs = { ...access.credentials, startDate: day, endDate: day, agent: call?.agent ?? "" };
});
afterAll(() => stack.disposeAsync());

test("every workflow runs as documented", async () => {
  const { isKept, text } = await playWorkflows({ baseUrl, inputs });
  expect(isKept, text).toBe(true);
  expect(text).toContain("Workflows: 4 passed, 4 total");
});

test("a workflow that goes otherwise is seen, and no secret is printed", async () => {
  const secretKey = "not-the-right-one";
  const { isKept, text } = await playWorkflows({ baseUrl, inputs: { ...inputs, secretKey } });
  expect(isKept).toBe(false);
  expect(text).toContain("✗ POST /Token");
  expect(text).not.toContain(secretKey);
});
