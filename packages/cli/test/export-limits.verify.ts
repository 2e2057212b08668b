// How an export waits that was asked to.
import { setTimeout as wait } from "node:timers/promises";
import { createFakeService } from "@call-media/testing";
import { serveFake } from "@call-media/testing/http";
import { expect, test } from "vitest";
import { startExporting } from "./support/exporting.ts";
import { CALLS, HALF_A_YEAR } from "./support/half-a-year.ts";

test("while one request is asked to wait all others wait as well", async () => {
  const { out, runCommand } = await startExporting({ calls: CALLS });
  const service = createFakeService({ calls: CALLS });
  const cameMs: number[] = [];
  let [downloads, askedAtMs] = [0, 0];
  await using served = await serveFake({
    ...service,
    fetch: async (input, init) => {
      const { url } = new Request(input);
      cameMs.push(performance.now());
      await wait(100);
      const answer = await service.fetch(input, init);
      if (!url.includes("/recording/") || ++downloads !== 12) return answer;
      askedAtMs = performance.now();
      const headers = new Headers([...answer.headers, ["RateLimit", '"requests";r=0;t=3']]);
      return new Response(answer.body, { headers });
    },
  });
  const ended = await runCommand(
    "export",
    ...HALF_A_YEAR,
    "--out",
    out,
    "--base-url",
    served.baseUrl,
  );
  expect(ended).toMatchObject({ code: 0 });
  // Requests already under way came before; a busy machine may take a while to wait.
  expect(cameMs.filter((ms) => ms > askedAtMs + 1500 && ms < askedAtMs + 2900)).toEqual([]);
  expect(cameMs.some((ms) => ms > askedAtMs + 2900)).toBe(true);
});
