// Questions about what was said in a month, answered by the tools of call-media mcp: in three answers at most, in few tokens, and
// right. What is right is counted from the calls themselves.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { importFiles } from "@call-media/import";
import { openStore } from "@call-media/store/sqlite";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeDemoArchive, startService } from "../src/demo-service.ts";
import { repository } from "../src/workspace.ts";

const PROGRAM = join(repository, "packages/cli/src/main.ts");

/** A month that the demo has no calls of. */
const MARCH = { from: "2032-03-01", to: "2032-03-31" };

const AGENTS = ["Leïla Benali", "Amara Okafor", "Daniel Reyes", "Zoë Lindqvist"];
const CAMPAIGNS = ["Retention", "Billing Support", "Outage Line"];
const SMALL_TALK =
  "Agent: Good morning, how may I help?\nCustomer: I moved house and would like to change my address.\nAgent: That is done. ";

/** The subject of a call: a sentence of it, and how the call ended. */
const TOPICS = {
  refund: ["Customer: I want a réfund for my bill, please.", "Refund agreed"],
  meter: ["Customer: You took an estimated meter reading again.", "Meter read"],
  both: ["Customer: I want a refund, as the meter is wrong.", "Refund refused"],
  leaving: ["Customer: What is the early termination fee?", "Kept"],
  early: ["Customer: Is the termination too early?", "Explained"],
  complaint: ["Customer: I complained twice about this.", "Escalated"],
  refunded: ["Agent: You were refunded in February.", "Explained"],
  solar: ["Customer: My solar panels feed into the grid since Tuesday.", "Noted"],
} as const;
type Topic = keyof typeof TOPICS;

const TURN: Readonly<Record<number, Topic>> = {
  3: "refund",
  9: "meter",
  14: "both",
  21: "leaving",
  26: "early",
  31: "complaint",
  37: "refunded",
};

const CALLS = Array.from({ length: 620 }, (_, index) => {
  const topic = index === 333 ? "solar" : TURN[index % 41];
  const [sentence = "", disposition = "Address changed"] = topic ? TOPICS[topic] : [];
  const isWritten = topic === "refund" && index % 2 === 0;
  return {
    call_id: `${320_300_000_000 + index}`,
    datetime: `2032-03-${String((index % 31) + 1).padStart(2, "0")}T${String(8 + (index % 10)).padStart(2, "0")}:15:00Z`,
    agent_name: AGENTS[index % 4],
    campaign: CAMPAIGNS[index % 3],
    customer_first_name: index % 97 === 5 ? "Zoé" : "Kim",
    customer_last_name: index % 97 === 5 ? "D'Amico" : `Miller${index}`,
    ani: index % 200 === 7 ? "(614) 555-0121" : `614555${String(2000 + index)}`,
    talk_time: (index * 37) % 900,
    disposition,
    topic,
    said: sentence,
    isWritten,
  };
});
type Call = (typeof CALLS)[number];

const idsWhere = (test_: (call: Call) => boolean) =>
  CALLS.filter(test_)
    .map(({ call_id }) => call_id)
    .toSorted();
const isOf = (...topics: readonly Topic[]) => {
  const wanted = new Set<Topic | undefined>(topics);
  return ({ topic }: Call) => wanted.has(topic);
};
const isRefund = isOf("refund", "both");

function countBy(calls: readonly Call[], toValue: (call: Call) => string | undefined) {
  const groups = Object.groupBy(calls, (call) => toValue(call) ?? "");
  return Object.fromEntries(Object.entries(groups).map(([value, own]) => [value, own?.length]));
}

const stack = new AsyncDisposableStack();
let client: Client;

beforeAll(async () => {
  const archive = stack.use(await makeDemoArchive());
  const store = stack.use(await openStore({ directory: archive.directory }));
  const lines = CALLS.flatMap(({ topic: _1, said, isWritten, ...call }) => [
    { kind: "call", ...call, transcript: isWritten ? SMALL_TALK : `${SMALL_TALK}\n${said}` },
    ...(isWritten
      ? [
          {
            kind: "chat",
            call_id: call.call_id,
            datetime: call.datetime,
            party_type: "Customer",
            room_id: "1",
            transcript: said,
          },
        ]
      : []),
  ]);
  const file = join(archive.directory, "march.jsonl");
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join("\n"));
  await importFiles({ store, format: "jsonl", paths: [file] });
  const { baseUrl } = stack.use(await startService(store));
  client = new Client({ name: "test", version: "1" });
  const env = {
    HOME: "/nonexistent",
    CALL_MEDIA_BASE_URL: baseUrl,
    CALL_MEDIA_API_KEY: archive.access.apiKey,
  };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [PROGRAM, "mcp"], env }),
  );
  stack.defer(() => client.close());
});
afterAll(() => stack.disposeAsync());

type Ask = (name: string, args: object) => Promise<string>;

/** The lines of a search or a count after its headings, each as its values. */
function rowsOf(text: string, headings: number): readonly (readonly string[])[] {
  const lines = text.split("\n").slice(headings);
  const end = lines.findIndex((line) => / more: |^Values were said/.test(line));
  return lines.slice(0, Math.max(0, end)).map((line) => line.split(" | "));
}

async function searchAll(ask: Ask, args: object): Promise<readonly (readonly string[])[]> {
  const rows: (readonly string[])[] = [];
  for (let page: string | undefined = "1"; page !== undefined;) {
    const text = await ask("search_calls", { ...MARCH, ...args, page: Number(page) });
    rows.push(...rowsOf(text, 2));
    page = / more: ask for page (\d+)$/m.exec(text)?.[1];
  }
  return rows;
}

const findIds = (args: object) => async (ask: Ask) =>
  (await searchAll(ask, args)).map(([call_id = ""]) => call_id).toSorted();

const count = (args: object) => async (ask: Ask) => {
  const text = await ask("count_calls", { ...MARCH, ...args });
  const rows = rowsOf(text, 1);
  return rows.length === 0
    ? Number(/(\d+) legs?/.exec(text)?.[1])
    : Object.fromEntries(rows.map(([value, records]) => [value, Number(records)]));
};

const QUESTIONS: readonly (readonly [string, (ask: Ask) => Promise<unknown>, unknown])[] = [
  [
    "Which calls mention a refund in March, and what happened?",
    async (ask) =>
      Object.fromEntries(
        (await searchAll(ask, { words: "refund" })).map(([call_id, , , , disposition, passage]) => {
          expect(passage).toMatch(/^(?:transcript|chat): .*>>r[eé]fund<</);
          return [call_id, disposition];
        }),
      ),
    Object.fromEntries(
      CALLS.filter(isRefund).map(({ call_id, disposition }) => [call_id, disposition]),
    ),
  ],
  [
    "How many calls speak of refunds in any form?",
    count({ words: "refund*" }),
    idsWhere(isOf("refund", "both", "refunded")).length,
  ],
  [
    "Whose calls mention the early termination fee?",
    count({ words: '"early termination"', group_by: "agent_name" }),
    countBy(CALLS.filter(isOf("leaving")), ({ agent_name }) => agent_name),
  ],
  [
    "On which days were complaints?",
    count({ words: "complain*", group_by: "day" }),
    countBy(CALLS.filter(isOf("complaint")), ({ datetime }) => datetime.slice(0, 10)),
  ],
  [
    "Which calls did Zoe D'Amico make?",
    findIds({ words: '"zoe d\'amico"' }),
    idsWhere(({ customer_first_name }) => customer_first_name === "Zoé"),
  ],
  [
    "Which calls came from +1 614 555 0121?",
    findIds({ words: "+1 614 555 0121" }),
    idsWhere(({ ani }) => ani === "(614) 555-0121"),
  ],
  [
    "Which calls mention both a meter and a refund?",
    findIds({ words: "meter refund" }),
    idsWhere(isOf("both")),
  ],
  [
    "How many calls had each campaign?",
    count({ group_by: "campaign" }),
    countBy(CALLS, ({ campaign }) => campaign),
  ],
  [
    "Which calls about refunds in Retention took longer than eight minutes?",
    findIds({ words: "refund", filter: { campaign: "retention" }, where: "talk_time > 480" }),
    idsWhere((call) => isRefund(call) && call.campaign === "Retention" && call.talk_time > 480),
  ],
  [
    "What did the customer with solar panels say?",
    async (ask) => {
      const [[call_id] = []] = await searchAll(ask, { words: "solar panel*" });
      return (await ask("get_transcript", { call_id }))
        .split("\n")
        .findLast((line) => line.startsWith("Customer:"));
    },
    TOPICS.solar[0],
  ],
  [
    "Which calls changed an address?",
    findIds({ filter: { disposition: "address changed" }, fields: ["call_id"], limit: 200 }),
    idsWhere(({ disposition }) => disposition === "Address changed"),
  ],
];

/** A tokenizer makes a token of three to four characters of such text. */
const CHARACTERS_A_TOKEN = 3;

test.each(QUESTIONS)("%s", async (_, answer, expected) => {
  const answers: string[] = [];
  const ask: Ask = async (name, args) => {
    const { content, isError } = await client.callTool({ name, arguments: { ...args } });
    const [{ text = "" } = {}] = content as readonly { readonly text?: string }[];
    expect([isError, text]).not.toContain(true);
    answers.push(text);
    return text;
  };
  expect(await answer(ask)).toEqual(expected);
  expect(answers.length).toBeLessThanOrEqual(3);
  expect(answers.join("").length / CHARACTERS_A_TOKEN).toBeLessThanOrEqual(6000);
});

test("each question has an answer that is neither nothing nor everything", () => {
  for (const [question, , expected] of QUESTIONS) {
    const size =
      typeof expected === "object" && expected !== null
        ? Object.keys(expected).length
        : String(expected).length;
    expect(size, question).toBeGreaterThan(0);
    expect(size, question).toBeLessThan(CALLS.length);
  }
});
