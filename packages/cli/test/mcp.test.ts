// What the tools for language models refuse, and what they say to do instead. What they find is tested in apps/contract-tests.
import { createFakeService } from "@call-media/client/testing";
import { serveFake } from "@call-media/client/testing/node";
import { expect, test } from "vitest";
import { askTool } from "./support/mcp.ts";

const DAYS = { from: "2026-03-01", to: "2026-03-31" };

const INVALID = "Input validation error: Invalid arguments for tool search_calls: ";

async function ask(name: string, args: object) {
  const service = createFakeService({
    calls: [{ call_id: "1", datetime: "2026-03-02T06:14:00Z" }],
  });
  await using served = await serveFake(service);
  const variables = { CALL_MEDIA_BASE_URL: served.baseUrl, CALL_MEDIA_API_KEY: service.apiKey };
  return await askTool(variables, name, args);
}

test.each([
  [
    { filter: { agent: " " } },
    "agent is empty, which finds nothing: leave it out, or find calls without one by where 'agent == null'",
  ],
  [{ from: "2026-02-30" }, "from must be a day of the calendar, not 2026-02-30"],
  [{ to: "2026-04-31" }, "to must be a day of the calendar, not 2026-04-31"],
  [{ from: "2026-04-01" }, "from 2026-04-01 is after to 2026-03-31"],
  [
    { cursor: "abc" },
    "cursor must be of the same days, from and to, and of the same filter: leave it out to begin anew",
  ],
  [{ agent: "ana" }, `${INVALID}there is no agent: put it into filter`],
  [{ filter: { agnt: "ana" } }, `${INVALID}there is no filter.agnt: did you mean agent?`],
  [{ fields: ["agent", "agnt"] }, `${INVALID}fields has no agnt: did you mean agent?`],
  [{ fields: [] }, `${INVALID}data/fields must NOT have fewer than 1 items`],
])(
  "a search that finds nothing by mistake is refused, in its own words: %j",
  async (args, message) => {
    const { isError, content } = await ask("search_calls", { ...DAYS, ...args });
    expect({ isError, text: content[0]?.text }).toEqual({ isError: true, text: message });
  },
);

test("a tool that takes nothing says so of what it is given", async () => {
  const { isError, content } = await ask("describe_fields", { fields: ["agent"] });
  expect(isError).toBe(true);
  expect(content[0]?.text).toMatch(/: there is no fields: leave it out$/);
});
