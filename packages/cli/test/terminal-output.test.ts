// What a service wrote, in the formats for programs, where a terminal shows it.
import { createFakeService } from "@call-media/testing";
import { serveFake } from "@call-media/testing/http";
import { expect, test } from "vitest";
import { run } from "./support/program.ts";
import { runAtTerminal } from "./support/terminal.ts";

const AGENT = "ana\u001b[2J\u009b2J\u202e";
const DAYS = ["--from", "2026-03-01", "--to", "2026-03-31"];

const service = createFakeService({
  calls: [{ call_id: "1", datetime: "2026-03-02", agent: AGENT, transcript: AGENT }],
});

test.each([
  [["search", ...DAYS, "--format", "csv"]],
  [["search", ...DAYS, "--json"]],
  [["search", ...DAYS, "--format", "jsonl"]],
  [["get", "1", "--json"]],
  [["transcript", "1", "--json"]],
])("does not steer it: %j", async (args) => {
  await using served = await serveFake(service);
  const variables = { CALL_MEDIA_BASE_URL: served.baseUrl, CALL_MEDIA_API_KEY: service.apiKey };
  const { shown } = await runAtTerminal(args, variables, []);
  expect(shown).toContain(String.raw`ana\u001b[2J\u009b2J\u202e`);
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  expect(shown).not.toMatch(/\u001b\[2J|[\u009b\u202e]/);
  const { stdout } = await run(args, variables);
  expect(stdout).toContain("\u009b2J\u202e");
});
