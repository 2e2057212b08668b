// Calls of a service that leaves fields out, or writes into them what the contract does not have there.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { askTool } from "./support/mcp.ts";
import { run, start } from "./support/program.ts";

/** Asks a service which has the one record and the one message; it does not know what is undefined. */
async function startForeign(record: unknown, message: unknown) {
  const server = createServer(({ url = "" }, response) => {
    const data = url.startsWith("/chat/") ? [message] : [record];
    response.writeHead(data[0] === undefined ? 404 : 200, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ isError: false, errorMessage: null, data }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return { CALL_MEDIA_BASE_URL: `http://127.0.0.1:${port}`, CALL_MEDIA_API_KEY: "a-key" };
}

const FORMATS = ["text", "vtt", "json", "vcon"];

test.each<[string, object, object]>([
  ["leaves every field out", {}, {}],
  [
    "has numbers, lists and objects for texts",
    { agent: 17, call_id: 1, datetime: 1_772_355_600, talk_time: "95", transcript: ["a", "b"] },
    { transcript: 7, party_type: 3, label: 5, datetime: null },
  ],
])("a record that %s is shown in each form", async (_, record, message) => {
  const variables = await startForeign(record, message);
  const shown = await Promise.all([
    run(["get", "1"], variables),
    ...FORMATS.map((format) => run(["transcript", "1", "--format", format], variables)),
  ]);
  for (const { code, stdout, stderr } of shown) {
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).not.toContain("undefined");
  }
  const days = { from: "2026-03-01", to: "2026-03-31" };
  for (const [tool, input] of [
    ["get_transcript", { call_id: "1" }],
    ["get_call", { call_id: "1" }],
    ["search_calls", days],
  ] as const)
    expect(await askTool(variables, tool, input)).not.toHaveProperty("isError");
});

test("a call whose chat the service does not know is shown without one", async () => {
  const record = { call_id: "1", datetime: "2026-03-01T10:00:00Z", transcript: "Agent: Yes." };
  const variables = await startForeign(record, undefined);
  for (const args of [
    ["get", "1"],
    ["transcript", "1"],
  ]) {
    const { code, stdout, stderr } = await run(args, variables);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("Agent: Yes.");
  }
  expect(await askTool(variables, "get_transcript", { call_id: "1" })).not.toHaveProperty(
    "isError",
  );
});

test.each([
  "search --from 2026-03-01 --to 2026-03-31",
  "watch --since 2026-03-01",
  "get 1",
  "get --ref-id 1",
  "transcript 1",
  "users",
  "user 1",
  "flags",
  "flags --user 1",
  "whoami",
])("the command fails with a message if a record is not an object: %s", async (args) => {
  for (const one of [null, 1, ["a"]]) {
    const { code, stderr } = await run(args.split(" "), await startForeign(one, one));
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^call-media: (?:GET|POST) \/\S+ was answered 200 with (?:null|string|number|object) in place of a record .*--base-url.*\n$/,
    );
  }
});

test("values of other types are shown as their JSON", async () => {
  const transcript = [{ speaker: 1, text: "Hello" }];
  const variables = await startForeign({ transcript, agent: 17 }, { transcript: 7, label: 5 });
  const { stdout } = await run(["transcript", "1"], variables);
  expect(stdout).toContain('[{"speaker":1,"text":"Hello"}]');
  expect(stdout).toContain("5 (): 7");
  const { stdout: json } = await run(["get", "1", "--json"], variables);
  // For programs it is as it came.
  expect(JSON.parse(json)).toMatchObject({ records: [{ transcript, agent: 17 }] });
});

test("in a table, too", async () => {
  const variables = await startForeign({ agent: { name: "Ana" }, ani: ["17", null] }, {});
  const days = ["--from", "2026-03-01", "--to", "2026-03-31"];
  const { stdout } = await run(["search", ...days, "--columns", "agent,ani"], variables);
  expect(stdout.split("\n")[1]).toBe('{"name":"Ana"}  ["17",null]');
});

test("in CSV a truth value is a word", async () => {
  const variables = await startForeign({ agent: true, notes: false, city: null }, {});
  const days = ["--from", "2026-03-01", "--to", "2026-03-31"];
  const args = ["--format", "csv", "--columns", "agent,notes,city", "--limit", "1"];
  const { stdout } = await run(["search", ...days, ...args], variables);
  expect(stdout).toBe("agent,notes,city\r\ntrue,false,\r\n");
});

test("lines that end as on Windows are lines", async () => {
  const variables = await startForeign(
    { transcript: "Hello\r\nGood morning\r\n", talk_time: 5, notes: "a\r\nb" },
    {},
  );
  const { stdout } = await run(["transcript", "1"], variables);
  expect(stdout).toContain("Hello\nGood morning\n");
  const { stdout: vtt } = await run(["transcript", "1", "--format", "vtt"], variables);
  expect(vtt).toContain("00:00:05.000\nHello\nGood morning\n");
  expect((await run(["get", "1"], variables)).stdout).toMatch(/^notes +a\n +b$/m);
});

test("a watch ends with an account of a call whose datetime is a number, and that none can compare it", async () => {
  const variables = await startForeign({ datetime: 1_772_355_600 }, {});
  const where = ["--where", "datetime != 2026-03-01"];
  const { child, ended } = start(["watch", "--since", "2026-03-01", ...where], variables);
  child.stderr.on("data", (chunk: Buffer) => {
    if (chunk.toString().includes("looking every")) child.kill("SIGINT");
  });
  const { code, stderr } = await ended;
  expect({ code, stderr }).toMatchObject({
    code: 130,
    stderr: expect.stringContaining("1 call printed, the last of 1772355600"),
  });
  expect(stderr.match(/cannot compare datetimes such as "1772355600"/g)).toHaveLength(1);
});
