// The progress of a run that is stopped at a terminal: nothing of it stays.
import { expect, test } from "vitest";
import { createFakeService } from "@call-media/testing";
import { serveFake } from "@call-media/testing/http";
import { runAtTerminal } from "./support/terminal.ts";

test.each(["check", "probe"])(
  "after Ctrl-C nothing of the progress of %s stays on a terminal",
  async (command) => {
    const service = createFakeService({ calls: [{ call_id: "1" }] });
    await using served = await serveFake(service);
    const variables = { CALL_MEDIA_BASE_URL: served.baseUrl, CALL_MEDIA_API_KEY: service.apiKey };
    const { code, shown } = await runAtTerminal([command], variables, [["240 of", "\u0003"]]);
    expect(code).toBe(130);
    expect(shown.slice(shown.indexOf("was stopped"))).not.toContain("requests:");
  },
);
