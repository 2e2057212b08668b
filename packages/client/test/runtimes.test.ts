// The client keeps its word in a browser; `pnpm --filter @call-media/client runtimes` runs the other test files elsewhere.
import { expect, test } from "vitest";

import { hasChromium, travelInChromium } from "./runtimes/chromium.ts";

test.skipIf(!hasChromium)("in Chromium (skipped where it is not installed)", async () => {
  expect(await travelInChromium()).toEqual([]);
});
