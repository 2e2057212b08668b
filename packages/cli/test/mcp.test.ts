// What the tools for language models refuse, and what they say to do instead. What they find is tested in apps/contract-tests.
import { createFakeService } from "@call-media/testing";
import { serveFake } from "@call-media/testing/http";
import { expect, test } from "vitest";
import { askTool } from "./support/mcp.ts";
import { start } from "./support/program.ts";

const DAYS = { from: "2026-03-01", to: "2026-03-31" };

const INVALID = "Input validation error: Invalid arguments for tool search_calls: ";

const CALL = { call_id: "1", datetime: "2026-03-02T06:14:00Z" };

type Call = NonNullable<NonNullable<Parameters<typeof createFakeService>[0]>["calls"]>[number];

async function ask(name: string, args: object, call: Call = CALL) {
  const service = createFakeService({ calls: [call] });
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

test("an answer keeps to its bytes where a value is a list", async () => {
  // As a service may have it that does not keep the contract.
  const notes = Array.from({ length: 50_000 }, (_, index) => index) as unknown as string;
  const { content } = await ask("get_call", { call_id: "1" }, { ...CALL, notes });
  const text = content[0]?.text ?? "";
  expect(Buffer.byteLength(text)).toBeLessThan(80_000);
  expect(text).toMatch(/"notes":"\[0,1,2,[\d,]+ ... \[cut here: [\d,]+ characters in all\]"/);
});

test("an answer keeps to its bytes where a text in datetime is none", async () => {
  const { content } = await askOfNoDatetime(DAYS, "x".repeat(100_000));
  const text = content[0]?.text ?? "";
  expect(Buffer.byteLength(text)).toBeLessThan(80_000);
  expect(text).toContain("x ... [cut here: 100,000 characters in all]");
});

test("what is no message of the protocol is told in a line", async () => {
  const variables = { CALL_MEDIA_BASE_URL: "http://127.0.0.1:1", CALL_MEDIA_API_KEY: "key" };
  const { child, ended } = start(["mcp"], variables);
  child.stdin.end("{}\n");
  const { stdout, stderr } = await ended;
  expect({ stdout, stderr }).toEqual({
    stdout: "",
    stderr: "a line of standard input is no message of the protocol\n",
  });
});

test("a search for what was said looks at chats, and says how many it read", async () => {
  const chats = [{ call_id: "1", transcript: "Where is my REFUND?" }];
  const service = createFakeService({ calls: [CALL, { ...CALL, call_id: "2" }], chats });
  await using served = await serveFake(service);
  const variables = { CALL_MEDIA_BASE_URL: served.baseUrl, CALL_MEDIA_API_KEY: service.apiKey };
  const args = { ...DAYS, where: 'transcript ~ "refund"', fields: ["call_id"] };
  const { structuredContent } = await askTool(variables, "search_calls", args);
  expect(structuredContent).toMatchObject({ calls: [{ call_id: "1" }], read: 2, chats_read: 2 });
});

test("a search tells of datetimes that its condition cannot compare", async () => {
  const where = "datetime > 2026-03-01";
  const { structuredContent } = await askOfNoDatetime({ ...DAYS, where });
  expect(structuredContent).toMatchObject({
    calls: [],
    warning:
      'where cannot compare datetimes such as "next week, or the week after it, or the ": for their records only != is true.',
  });
  const { structuredContent: other } = await askOfNoDatetime({ ...DAYS, where: 'agent == "x"' });
  expect(other).not.toHaveProperty("warning");
});

async function askOfNoDatetime(
  args: object,
  datetime = "next week, or the week after it, or the one after that",
) {
  const service = createFakeService({ calls: [CALL] });
  const change = (body: Record<string, unknown>) => ({ ...body, data: [{ ...CALL, datetime }] });
  service.inject({ kind: "drift", operation: "searchMetadataByCustomFields", change });
  await using served = await serveFake(service);
  const variables = { CALL_MEDIA_BASE_URL: served.baseUrl, CALL_MEDIA_API_KEY: service.apiKey };
  return await askTool(variables, "search_calls", args);
}
