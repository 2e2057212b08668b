// Options for telephone numbers find them in any notation, and groups join what options join.
import { createClient } from "@call-media/client";
import { SAMPLE_CALLS } from "@call-media/test-setup/condition-samples";
import { expect, test } from "vitest";
import { countCalls } from "../src/mcp/count-calls.ts";
import { createOpenSearches } from "../src/mcp/open-searches.ts";
import { MARCH, readMetadata, readReport, startExporting } from "./support/exporting.ts";

const CALLS = [
  ...SAMPLE_CALLS,
  { call_id: "g", datetime: "2026-03-07T10:00:00Z", phone_number1: "+49 30 998877", agent: "Ann" },
  { call_id: "h", datetime: "2026-03-07T10:00:00Z", phone_number1: "0049 30 112233" },
];
const NUMBER = ["--phone-number1", "030 99 88 77"] as const;

test("an export by a number has the calls with it, in the folder too", async () => {
  const { out, exportCalls, runCommand, service } = await startExporting({ calls: CALLS });
  const search = ["search", ...NUMBER, "--columns", "call_id", "--format", "csv"];
  const found = "call_id\r\ng\r\ne\r\n";
  expect(await runCommand(...search, ...MARCH)).toMatchObject({ code: 0, stdout: found });
  const asked = service.requests.filter(({ url }) => url.includes("/metadata/"));
  expect(asked.map(({ url }) => new URL(url).searchParams.get("words"))).toContain('"30998877"');
  expect(await runCommand("search", ...NUMBER, ...MARCH, "--count")).toMatchObject({
    stdout: "2\n",
  });

  expect(await exportCalls(...MARCH, ...NUMBER, "--where", "talk_time == null")).toMatchObject({
    code: 0,
  });
  expect((await readMetadata(out)).map(({ call_id }) => call_id)).toEqual(["g", "e"]);
  const where = 'talk_time == null && phone_number1 == "030 99 88 77"';
  // The service is asked for records with the number alone, whichever of the fields has it.
  const records = { announced: 5, came: 5, excluded: 3 };
  expect(await readReport(out)).toMatchObject({ filter: {}, where, records });
  expect(await runCommand(...search, "--in", out)).toMatchObject({ code: 0, stdout: found });
  const again = await exportCalls("--resume", ...NUMBER, "--where", "talk_time == null");
  expect(again).toMatchObject({ code: 0 });
  expect(await exportCalls("--resume", ...NUMBER)).toMatchObject({ code: 2 });
});

test("a service that does not search by words is asked for everything", async () => {
  const withoutWords = (url: string) => url.replace(/&?words=[^&]*/, "");
  const { out, exportCalls, runCommand } = await startExporting(
    { calls: CALLS },
    (_, { status, body, headers }) => {
      const left = [...headers].filter(([name]) => name !== "preference-applied");
      return new Response(body, { status, headers: left });
    },
    withoutWords,
  );
  expect(await exportCalls(...MARCH, ...NUMBER)).toMatchObject({ code: 0 });
  const records = { came: CALLS.length, excluded: CALLS.length - 2, written: 2 };
  expect(await readReport(out)).toMatchObject({ records });
  const search = ["search", ...MARCH, ...NUMBER, "--count"];
  expect(await runCommand(...search)).toMatchObject({ stdout: "2\n" });
  const refused = await runCommand(
    "export",
    ...MARCH,
    ...NUMBER,
    "--words",
    "x",
    "--out",
    `${out}2`,
  );
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("by words") });
});

test("--where narrows a search as the options do, with words too", async () => {
  const { runCommand, service } = await startExporting({ calls: CALLS });
  const where = ["--where", 'ani == "0049 30 998877"'];
  const search = ["search", ...MARCH, ...where, "--columns", "call_id", "--format", "csv"];
  const found = await runCommand(...search, "--words", "refund");
  expect(found).toMatchObject({ code: 0, stdout: "call_id\r\na\r\n" });
  expect(found.stderr).toContain(
    "every record that its telephone numbers and the other options find",
  );
  const asked = service.requests.filter(({ url }) => url.includes("/metadata/"));
  expect(asked.map(({ url }) => new URL(url).searchParams.get("words"))).toContain(
    'refund "30998877"',
  );
});

test("groups join the values that an option joins, in the order of their counts", async () => {
  const { service, runCommand } = await startExporting({ calls: CALLS });
  const group = ["search", ...MARCH, "--format", "csv", "--group-by"];
  expect((await runCommand(...group, "agent")).stdout.split("\r\n")).toEqual([
    "agent,records",
    ",4",
    "Ann,3",
    "bob,1",
    "",
  ]);
  expect((await runCommand(...group, "phone_number1")).stdout).toContain("'+49 30 998877,2");
  const client = createClient(service.clientOptions);
  const archive = {
    client,
    zone: {},
    showDatetime: String,
    describeZone: () => "",
    searches: createOpenSearches(),
  };
  const days = { from: "2026-03-01", to: "2026-03-31", group_by: "agent" };
  const { signal } = new AbortController();
  const filter = { phone_number1: "(030) 998877" };
  expect(await countCalls.run({ ...days, filter }, archive, signal)).toContain(
    "2 calls, 2 legs from",
  );
});

test("calls and their legs are counted apart, where the legs are read", async () => {
  const leg = { call_id: "a", datetime: "2026-03-05T10:05:00Z", agent: "bob" };
  const { runCommand } = await startExporting({ calls: [...SAMPLE_CALLS, leg] });
  const search = (...args: string[]) => runCommand("search", ...MARCH, ...args);
  expect((await search()).stderr).toContain("6 calls, 7 legs");
  expect(await search("--count")).toMatchObject({
    stdout: "7\n",
    stderr: expect.stringContaining("7 legs; counted by the service"),
  });
  const where = ["--where", 'agent == "bob" || agent == "ann"'];
  expect((await search("--count", ...where)).stderr).toContain("3 calls, 4 legs; 7 records read");
});
