// The client keeps its word in this Node.js and in a browser; `pnpm --filter @call-media/client runtimes` tries more.
import { expect, test } from "vitest";

import { hasChromium, travel, travelInChromium } from "./runtimes/runtimes.ts";

test("in this Node.js", async () => {
  expect(await travel([process.execPath])).toEqual([]);
});

test.skipIf(!hasChromium)("in Chromium (skipped where it is not installed)", async () => {
  expect(await travelInChromium()).toEqual([]);
});
