// Searching by words, names and numbers, counting, and grouping, over a service that searches by words and one that does not.
import { createFakeService } from "@call-media/testing";
import { type ServedFake, serveFake } from "@call-media/testing/http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { run } from "./support/program.ts";
import { withoutWords } from "./support/without-words.ts";

const at = (day: number) => ({ datetime: `2026-03-${String(day).padStart(2, "0")}T09:30:00Z` });

const CALLS = [
  {
    call_id: "said",
    ...at(1),
    agent: "ana",
    transcript: "Agent: So the\n\u001b[31m réfund is coming.",
  },
  { call_id: "noted", ...at(1), agent: "mia", notes: "wants a refund, and Leila Benali called" },
  { call_id: "written", ...at(2), agent: "mia" },
  {
    call_id: "named",
    ...at(3),
    customer_first_name: "Leïla",
    customer_last_name: "Benali",
    ani: "(614) 555-0121",
  },
  { call_id: "counted", ...at(4), agent: " ", notes: "call 614 555 0121" },
];
const CHATS = [{ call_id: "written", transcript: "Where is my REFUND?" }];

const service = createFakeService({ calls: CALLS, chats: CHATS });
const MARCH = ["--from", "2026-03-01", "--to", "2026-03-31"];

const served: ServedFake[] = [];
beforeAll(async () => {
  served.push(await serveFake(service), await serveFake(withoutWords(service)));
});
afterAll(() => Promise.all(served.map((one) => one.close())));

describe.each([
  ["that searches by words", 0],
  ["that does not", 1],
])("a service %s", (_, index) => {
  const search = (...args: string[]) => {
    const { baseUrl: CALL_MEDIA_BASE_URL = "" } = served[index] ?? {};
    const variables = { CALL_MEDIA_BASE_URL, CALL_MEDIA_API_KEY: service.apiKey };
    return run(["search", ...MARCH, ...args], variables);
  };
  const idsOf = async (...args: string[]) => {
    const { stdout, stderr } = await search("--format", "jsonl", "--columns", "call_id", ...args);
    expect(stderr.includes("does not search by words")).toBe(index === 1);
    return stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line).call_id]));
  };

  test.each([
    [
      ["--words", "refund"],
      ["written", "said", "noted"],
    ],
    [["--words", '"refund is" com*'], ["said"]],
    [
      ["--words", "leila benali"],
      ["named", "noted"],
    ],
    [["--words", "+1 (614) 555-0121"], ["named"]],
    [
      ["--words", "614 555 0121"],
      ["counted", "named"],
    ],
    // Where names and numbers belong, and nowhere else.
    [["--who", "LEILA benali"], ["named"]],
    [["--phone", "+1 614 555 0121"], ["named"]],
    [["--phone", "0121", "--who", "benali"], ["named"]],
    [
      ["--words", "refund", "--agent", "mia"],
      ["written", "noted"],
    ],
    [["--words", "refund", "--where", 'notes ~ "wants"'], ["noted"]],
  ])("%j", async (args, ids) => {
    expect(await idsOf(...args)).toEqual(ids);
  });

  test("a table shows where the words are, and nothing that steers a terminal", async () => {
    const { stdout } = await search("--words", "refund");
    const lines = stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(7);
    expect(lines[0]).toMatch(/^datetime +call_id/);
    expect(lines[2]).toBe("    in the chat");
    expect(lines[6]).toBe("    notes: wants a refund, and Leila Benali called");
    expect(lines[4]).toBe("    transcript: Agent: So the \\u001b[31m réfund is coming.");
  });

  test.each([
    [[], "5\n"],
    [["--words", "refund"], "3\n"],
    [["--who", "benali"], "1\n"],
    [["--where", "agent == null"], "1\n"],
    [["--words", "refund", "--json"], "3\n"],
  ])("--count %j", async (args, printed) => {
    const { code, stdout } = await search("--count", ...args);
    expect([code, stdout]).toEqual([0, printed]);
  });

  test("--group-by counts each value once, the most frequent first, and each day", async () => {
    const { stdout } = await search("--group-by", "agent", "--json");
    expect(JSON.parse(stdout)).toEqual([
      { agent: "mia", records: 2 },
      { agent: null, records: 2 },
      { agent: "ana", records: 1 },
    ]);
    const days = await search("--group-by", "day", "--words", "refund", "--format", "csv");
    expect(days.stdout).toBe("day,records\r\n2026-03-01,2\r\n2026-03-02,1\r\n");
    const table = await search("--group-by", "day", "--phone", "555 0121");
    expect(table.stdout).toBe("day         records\n2026-03-03  1\n");
    const lines = await search(
      "--group-by",
      "day",
      "--format",
      "jsonl",
      "--where",
      'agent == "mia"',
    );
    expect(lines.stdout).toBe(
      '{"day":"2026-03-01","records":1}\n{"day":"2026-03-02","records":1}\n',
    );
  });

  test.each([
    [["--words", '"refund'], "--words has a quotation mark that is not closed"],
    [["--words", "-"], "no word in it"],
    [["--who", "a*"], '--who is a name, without " and *'],
    [["--phone", "121"], '--phone is a number or its last digits, four at least, not "121"'],
    [["--group-by", "agnt"], "There is no field agnt of a record: did you mean agent"],
    [["--count", "--format", "xlsx"], "--count and --group-by go with another --format"],
  ])("%j is refused", async (args, message) => {
    const { code, stdout, stderr } = await search(...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
  });

  test("nothing found says what to do", async () => {
    const { stderr } = await search("--words", "refunds");
    expect(stderr).toContain("No call was found.");
  });
});

test("chats beyond the limit are not read, and it is said that calls may be missing", async () => {
  const variables = {
    CALL_MEDIA_BASE_URL: served[1]?.baseUrl,
    CALL_MEDIA_API_KEY: service.apiKey,
  };
  const args = ["search", ...MARCH, "--words", "refund", "--chat-requests", "0", "--count"];
  const { stdout, stderr } = await run(args, variables);
  expect(stdout).toBe("2\n");
  expect(stderr).toContain("Warning: 3 chats were not read, as a search reads 0 at most");
});
