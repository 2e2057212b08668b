// A stream that a program forgets, without reading or cancelling it, does not keep its connection.
import { setTimeout as pause } from "node:timers/promises";

import { expect, test } from "vitest";

import { openService } from "./service.ts";
import { collectGarbage } from "./support/garbage.ts";

test.each([
  ["unread", 0],
  ["after its first pieces", 2],
])("a stream that is dropped %s is closed when it is collected", async (_, pieces) => {
  const closed: unknown[] = [];
  const { client } = await openService((response) => {
    response.on("close", () => closed.push(response));
    const more = () => response.write(Buffer.alloc(65_536));
    response.writeHead(200, { ETag: '"1"' }).on("drain", more);
    more();
  });
  // A signal that outlives the stream must not hold it either.
  const { signal } = new AbortController();
  for (let count = 0; count < 5; count++) {
    const { body } = await client.recordings.stream({ call_id: "1", signal });
    const reader = body.getReader();
    for (let piece = 0; piece < pieces; piece++) await reader.read();
    reader.releaseLock();
  }
  for (let turn = 0; turn < 1000 && closed.length < 4; turn++) {
    collectGarbage();
    await pause(20);
  }
  // The last one may still be on the stack.
  expect(closed.length).toBeGreaterThanOrEqual(4);
});
