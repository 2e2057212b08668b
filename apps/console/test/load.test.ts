// The recordings of a record that the page lists: those that it has.
import { createClient } from "@call-media/client";
import { createFakeService } from "@call-media/testing";
import { expect, test } from "vitest";
import { loadCall } from "../src/call/load.ts";

const bytes = new Uint8Array(10);

test.each([
  ["a name with the separator in it", ["x; y.wav", "z.wav"], [1, 3]],
  ["a name twice", ["a.wav", "a.wav"], [1, 2]],
])("%s", async (_, names, parts) => {
  const recordings = names.map((filename, index) => ({ filename, bytes: bytes.with(0, index) }));
  const legs = ["10", "11"].map((hour) => ({
    call_id: "7",
    ref_id: "r",
    datetime: `2026-03-02T${hour}:00:00Z`,
    recordings,
  }));
  const client = createClient(createFakeService({ calls: legs }).clientOptions);
  const route = { by: "call_id", id: "7", leg: 2 } as Parameters<typeof loadCall>[1];
  const call = await loadCall(client, route, new AbortController().signal);
  expect(call?.leg.parts).toEqual(parts);
});
