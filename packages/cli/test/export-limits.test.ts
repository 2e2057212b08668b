// What a service sees of the limits of an export: no more at once than allowed, and nobody who goes on while it asks for a pause.
import { setTimeout as wait } from "node:timers/promises";
import { createFakeService } from "@call-media/testing";
import { serveFake } from "@call-media/testing/http";
import { expect, test } from "vitest";
import { MARCH, startExporting, toBytes } from "./support/exporting.ts";
import { CALLS, HALF_A_YEAR } from "./support/half-a-year.ts";

test("no more are asked for at once than --concurrency says", async () => {
  const { out, runCommand } = await startExporting({ calls: CALLS });
  const service = createFakeService({ calls: CALLS });
  let [now, most] = [0, 0];
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  await using served = await serveFake({
    ...service,
    fetch: async (input, init) => {
      most = Math.max(most, ++now);
      if (most === 3) reach();
      // On a busy machine one may be answered before the next is sent; an answer that takes longer makes room for fewer.
      if (new Request(input).url.includes("/recording/")) await Promise.race([reached, wait(60)]);
      await wait(20);
      return await service.fetch(input, init).finally(() => now--);
    },
  });
  const pace = ["--concurrency", "3", "--base-url", served.baseUrl];
  const ended = await runCommand("export", ...HALF_A_YEAR, ...pace, "--out", out);
  expect(ended).toMatchObject({ code: 0 });
  expect(most).toBe(3);
});

test("recordings come no faster than --limit-rate says", async () => {
  const calls = [1, 2, 3].map((index) => ({
    call_id: `long-${index}`,
    datetime: "2026-03-01T06:14:00Z",
    recordings: [{ filename: "a.wav", bytes: toBytes(400_000, index) }],
  }));
  const { out, runCommand } = await startExporting({ calls });
  const startedMs = performance.now();
  const ended = await runCommand("export", ...MARCH, "--limit-rate", "400k", "--out", out);
  expect(ended).toMatchObject({ code: 0 });
  // What was allowed, not how fast anything is: whatever comes last need not be waited for.
  expect(performance.now() - startedMs).toBeGreaterThan(1500);
});
