// A stream that a program forgets, without reading or cancelling it, does not keep its connection.
import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { expect, test } from "vitest";

import { openService } from "./service.ts";

test.each([
  ["unread", 0],
  ["after its first pieces", 2],
])("a stream that is dropped %s is closed when it is collected", async (_, pieces) => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
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
  for (let turn = 0; turn < 100 && closed.length < 4; turn++) {
    collect();
    await pause(20);
  }
  // The last one may still be on the stack.
  expect(closed.length).toBeGreaterThanOrEqual(4);
});
