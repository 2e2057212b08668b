// The client keeps its word in a browser; `pnpm --filter @call-media/client runtimes` runs the other test files elsewhere.
import { hasChromium } from "@call-media/test-setup/chromium";
import { expect, test } from "vitest";

import { travelInChromium } from "./runtimes/chromium.ts";

test.skipIf(!hasChromium)("in Chromium", async () => {
  expect(await travelInChromium()).toEqual([]);
});
