// Searching from the command line: which calls are found, in what form, and what is said about them.
import { document, fieldsOf } from "@call-media/api";
import { createFakeService } from "@call-media/testing";
import { type ServedFake, serveFake } from "@call-media/testing/http";
import { read, utils } from "@e965/xlsx";
import { parse } from "csv-parse/sync";
import stringWidth from "string-width";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { serveGrowing } from "./support/growing.ts";
import { run, start } from "./support/program.ts";
import { runAtTerminal } from "./support/terminal.ts";

const CALLS = Array.from({ length: 120 }, (_, index) => ({
  call_id: `${300_000_000_000 + index}`,
  datetime: `2026-03-${String((index % 28) + 1).padStart(2, "0")}T09:30:00`,
  agent: index % 3 === 0 ? "ana.kovac" : "mia.berg",
  agent_name: index % 3 === 0 ? "Ana Kovač" : "Mia Berg",
  talk_time: index * 10,
  disposition: index % 2 === 0 ? "Refund agreed" : "客户满意，问题已经解决，没有进一步的要求",
  custom_field_1: index < 5 ? "gold" : "silver",
  security_field_02: "east",
  campaign: '=HYPERLINK("http://evil.example","x")',
  notes: "two\nlines, \u001b[31mred",
}));
const service = createFakeService({ calls: CALLS });
const MARCH = ["--from", "2026-03-01", "--to", "2026-03-31"];

let served: ServedFake;
beforeAll(async () => {
  served = await serveFake(service);
});
afterAll(() => served.close());

const toVariables = () => ({
  CALL_MEDIA_BASE_URL: served.baseUrl,
  CALL_MEDIA_API_KEY: service.apiKey,
});
const search = (...args: string[]) => run(["search", ...MARCH, ...args], toVariables());

/** Identifiers of the records that a search in jsonl prints, in order of their values. */
async function findIds(...args: string[]): Promise<readonly string[]> {
  const { code, stdout } = await search("--format", "jsonl", ...args);
  expect(code).toBe(0);
  const lines = stdout.split("\n").filter((line) => line !== "");
  return lines.map((line) => (JSON.parse(line) as Named).call_id).toSorted();
}

interface Named {
  readonly call_id: string;
}

const idsOf = (matches: (call: (typeof CALLS)[number]) => boolean) =>
  CALLS.filter(matches)
    .map(({ call_id }) => call_id)
    .toSorted();

describe("finds", () => {
  test("every call of the days, over all pages", async () => {
    expect(await findIds()).toEqual(idsOf(() => true));
  });

  test("by fields of the contract", async () => {
    const ids = await findIds("--agent", " Ana.KOVAC ", "--talk-time", "30");
    expect(ids).toEqual(idsOf(({ agent, talk_time }) => agent === "ana.kovac" && talk_time === 30));
  });

  test("by custom and security fields", async () => {
    const ids = await findIds("--custom-field-1", "gold", "--security-field-02", "east");
    expect(ids).toEqual(idsOf(({ custom_field_1 }) => custom_field_1 === "gold"));
  });

  test("by a condition, and says that it reads the rest, too", async () => {
    const args = ["--where", 'talk_time > 600 && disposition ~ "REFUND"', "--format", "json"];
    const { code, stdout, stderr } = await search(...args);
    expect(code).toBe(0);
    expect(stderr).toContain("every record that the other options find is read");
    expect(JSON.parse(stdout)).toHaveLength(
      idsOf(({ talk_time, disposition }) => talk_time > 600 && disposition.startsWith("R")).length,
    );
  });

  test("calls in which a word was written, and asks for the chats that may have it alone", async () => {
    const calls = [
      { call_id: "said", transcript: "A refund, please.", talk_time: 10 },
      { call_id: "written", transcript: null, talk_time: 10 },
      { call_id: "written", transcript: null, talk_time: 20 }, // another leg
      { call_id: "neither", transcript: "Hello.", talk_time: 10 },
      { call_id: "long", transcript: null, talk_time: 999 },
    ].map((call) => ({ ...call, datetime: "2026-03-01T09:30:00Z" }));
    const chats = [{ call_id: "written", transcript: "Where is my REFUND?" }];
    const chatting = createFakeService({ calls, chats });
    await using open = await serveFake(chatting);
    const args = ["--where", 'transcript ~ "refund" && talk_time < 100', "--format", "jsonl"];
    const variables = { CALL_MEDIA_BASE_URL: open.baseUrl, CALL_MEDIA_API_KEY: chatting.apiKey };
    const { code, stdout, stderr } = await run(["search", ...MARCH, ...args], variables);
    expect(code).toBe(0);
    expect(stderr).toContain("and the chat of each call whose transcript does not decide");
    const ids = stdout
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as Named).call_id);
    expect(ids.toSorted()).toEqual(["said", "written", "written"]);
    const asked = chatting.requests.filter(({ url }) => url.includes("/chat/"));
    expect(asked.map(({ url }) => url.split("/").at(-1) ?? "").toSorted()).toEqual([
      "neither",
      "written",
    ]);

    const out = join(await mkdtemp(join(tmpdir(), "call-media-chats-")), "out");
    onTestFinished(() => rm(dirname(out), { recursive: true }));
    const exporting = ["export", ...MARCH, ...args.slice(0, 2), "--files", "none", "--out", out];
    expect(await run(exporting, variables)).toMatchObject({ code: 0 });
    const metadata = await readFile(join(out, "metadata.jsonl"), "utf8");
    expect(metadata.trim().split("\n")).toHaveLength(3);
  });

  test("a long error message of the service is truncated, so that the advice after it is visible", async () => {
    const errorMessage = "x".repeat(100_000);
    await using open = await serveFake({
      ...service,
      fetch: async () => Response.json({ isError: true, errorMessage, data: [] }, { status: 403 }),
    });
    const variables = { CALL_MEDIA_BASE_URL: open.baseUrl, CALL_MEDIA_API_KEY: service.apiKey };
    const { code, stderr } = await run(["search", ...MARCH], variables);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^call-media: x{500} \(403 of \w+\): ask the operator/);
  });

  test("calls whose chats are refused are named in a warning", async () => {
    const calls = [{ call_id: "1", datetime: "2026-03-01T09:30:00Z", transcript: null }];
    const refusing = createFakeService({ calls });
    refusing.inject({ kind: "status", status: 403, operation: "getChatByCallId", times: 9 });
    await using open = await serveFake(refusing);
    const variables = { CALL_MEDIA_BASE_URL: open.baseUrl, CALL_MEDIA_API_KEY: refusing.apiKey };
    const args = ["--where", 'transcript ~ "refund"'];
    const { stderr } = await run(["search", ...MARCH, ...args], variables);
    expect(stderr).toContain(
      "Warning: 1 chat may not be read: calls that say it only there are missing.",
    );
  });

  test("no more than --limit, and asks for no page after that", async () => {
    const before = service.requests.length;
    expect(await findIds("--limit", "7")).toHaveLength(7);
    expect(service.requests.length - before).toBe(1);
  });

  test("nothing", async () => {
    expect(await search("--agent", "nobody", "--json")).toEqual({
      code: 0,
      stdout: "[\n]\n",
      stderr:
        "No call was found. Values match as a whole, whatever their letter case; --where 'FIELD ~ \"PART\"' finds a part.\n",
    });
  });

  test.each([
    [
      ["--agent", "Ana Kovač"],
      'agent_name "Ana Kovač" has 40 calls: --agent wants the sign-in name of the agent. Write --agent-name.',
      2,
    ],
    [
      ["--campaign", "Sales*"],
      'campaign "Sales*" is searched for with its *, as values match as a whole: leave --campaign out, and write --where \'campaign ~ "Sales"\'.',
      1,
    ],
    [
      ["--agent", "ana.kovac, mia.berg"],
      'agent "ana.kovac, mia.berg" is searched for as one value, not as a list: leave --agent out, and write --where \'agent == "ana.kovac" || agent == "mia.berg"\'.',
      1,
    ],
    [["--where", "talk_time > 9999"], "120 records came, and none meets all of the conditions.", 3],
    [["--zip", "9"], "2026-03-01 to 2026-03-31 have 120 calls, none with these values.", 2],
    [["--skill", "Billing"], "Values match as a whole, whatever", 2],
  ])("nothing with %j, and says why in one request more at most", async (args, reason, sent) => {
    const before = service.requests.length;
    const { code, stderr } = await search(...args);
    expect(code).toBe(0);
    expect(stderr).toContain(`No call was found. ${reason}`);
    expect(service.requests.length - before).toBe(sent);
  });

  test("nothing on days that have no call at all", async () => {
    const { stderr } = await run(["search", "--on", "1999-12-31", "--zip", "1"], toVariables());
    expect(stderr).toContain("1999-12-31: the archive has no call that you may see.");
  });

  test.each([
    [["--month", "2026-03"], 120],
    [["--month", "2024-02"], 0],
    [["--on", "2026-03-28"], 4],
    [["--last", "7d"], 0],
    [["--last", "520w"], 120],
  ])("calls of %j", async (days, count) => {
    const { code, stdout } = await run(["search", ...days, "--json"], toVariables());
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toHaveLength(count);
  });
});

test("there is an option for every filter field of the contract", async () => {
  for (const filter of ["MetadataFilter", "CustomFieldsFilter"] as const)
    for (const field of fieldsOf(filter)) {
      const { type } = document.components.schemas[filter]?.properties?.[field] ?? {};
      expect(type).toMatch(/^(?:string|integer)$/);
    }
  const { stdout } = await run(["search", "--help"]);
  for (const field of fieldsOf("MetadataFilter"))
    expect(stdout).toContain(`--${field.replaceAll("_", "-")} <`);
  expect(stdout).toContain("--custom-field-1 to --custom-field-20");
});

describe("prints", () => {
  test("CSV in the order of the interface, safe for spreadsheets", async () => {
    const { stdout } = await search("--format", "csv", "--limit", "2");
    expect(stdout.startsWith("datetime,ani,dnis,")).toBe(true);
    const [header, first] = parse(stdout);
    expect(header).toEqual(fieldsOf("MetadataRecord"));
    expect(first).toContain(`'=HYPERLINK("http://evil.example","x")`);
    expect(first).toContain("two\nlines, \u001b[31mred");
  });

  test("a spreadsheet, whose dates are in the zone that is asked for", async () => {
    const args = ["--format", "xlsx", "--limit", "1", "--columns", "datetime,call_id,notes"];
    const { child, ended } = start(
      ["search", ...MARCH, ...args, "--tz", "Asia/Tokyo"],
      toVariables(),
    );
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    expect(await ended).toMatchObject({ code: 0, stderr: "" });
    const { Sheets } = read(Buffer.concat(chunks));
    const [row] = utils.sheet_to_json<object>(Sheets["Calls"] ?? {});
    expect(Object.keys(row ?? {})).toEqual(["datetime", "Date (Asia/Tokyo)", "call_id", "notes"]);
    expect(row).toMatchObject({ notes: expect.stringContaining("two\nlines") });
  });

  test("chosen columns", async () => {
    const { stdout } = await search(
      "--format",
      "csv",
      "--columns",
      "call_id,talk_time",
      "--talk-time",
      "30",
    );
    expect(stdout).toBe("call_id,talk_time\r\n300000000003,30\r\n");
  });

  test("a table of complete values outside a terminal", async () => {
    const { stdout } = await search("--limit", "1", "--columns", "call_id,notes,disposition");
    const [header, row] = stdout.split("\n");
    expect(header).toMatch(/^call_id +notes +disposition$/);
    expect(row).toContain("two lines, \\u001b[31mred");
    expect(row).not.toContain("…");
  });

  describe("of an archive whose second page has longer values", () => {
    const LATER = { call_id: "300000000000000119", agent: "maximiliane.mustermann@example.com" };
    const calls = Array.from({ length: 60 }, (_, index) => ({
      ...(index < 50 ? { call_id: `10${index}`, agent: "ana" } : LATER),
      datetime: `2026-03-02T${index < 50 ? "10" : "09"}:00:00Z`,
    }));
    const args = ["search", ...MARCH, "--columns", "call_id,agent,datetime"];

    test("a table of complete values outside a terminal", async () => {
      await using archive = await serveGrowing(calls);
      const { stdout } = await run(args, archive.variables);
      expect(stdout).toMatch(/^call_id +agent +datetime\n10\d+ +ana +2026-03-02T10:00:00Z\n/);
      expect(stdout).toContain(`${Object.values(LATER).join("  ")}  2026-03-02T09:00:00Z\n`);
    });

    test("a table that takes the room that there is", async () => {
      await using archive = await serveGrowing(calls);
      const { shown } = await runAtTerminal(args, archive.variables, []);
      expect(shown).toContain(`${Object.values(LATER).join("  ")}  2026-03-02T09:00:00Z`);
      const narrow = await runAtTerminal(args, { ...archive.variables, COLUMNS: "50" }, []);
      expect(narrow.shown).toContain(`${LATER.call_id}  maximil…  2026-03-02T09:00:00Z`);
    });
  });

  test("a table that fits the terminal", async () => {
    const { shown } = await runAtTerminal(["search", ...MARCH], toVariables(), []);
    const lines = shown.split(/\r?\n/).filter((line) => line.includes("30000"));
    expect(lines.length).toBe(CALLS.length);
    // What is drawn over does not count.
    const widths = lines.map((line) => stringWidth(line.slice(line.lastIndexOf("\u001b[2K") + 1)));
    expect(Math.max(...widths)).toBeLessThanOrEqual(80);
    expect(shown).toContain("300000000000");
    expect(shown).toMatch(/not shown at this width: recordings\r?\n/);
  });

  test("the identifier of a call is complete even in a narrow terminal", async () => {
    const variables = { ...toVariables(), COLUMNS: "40" };
    const { shown } = await runAtTerminal(["search", ...MARCH], variables, []);
    expect(shown).toMatch(/datetime +call_id\r?\n/);
    expect(shown).toMatch(/2026-03-\d\dT[\d:]{8}\S* +300000000000\r?\n/);
    expect(shown).not.toContain("…");
  });

  test("every column that is asked for, cut to fit the terminal", async () => {
    const columns = ["call_id", ...fieldsOf("MetadataRecord").slice(0, 9)].join(",");
    const args = ["search", ...MARCH, "--columns", columns];
    const { shown } = await runAtTerminal(args, toVariables(), []);
    expect(shown).not.toContain("left out");
    expect(shown).toContain("300000000000");
    expect(shown).toContain("…");
  });

  test("datetimes in another time zone, from the archive's where they have no offset", async () => {
    const args = ["--tz", "Europe/Berlin", "--columns", "datetime", "--limit", "1"];
    expect((await search(...args)).stdout).toBe("datetime\n2026-03-28T10:30:00+01:00\n");
    const zoned = createFakeService({ calls: [{ datetime: "2026-03-29T00:30:00-05:00" }] });
    await using other = await serveFake(zoned);
    // A condition goes by the clock that is shown.
    const where = ["--where", "datetime == 2026-03-29T07:30"];
    const { stdout } = await run(["search", ...MARCH, ...args, ...where], {
      ...toVariables(),
      CALL_MEDIA_BASE_URL: other.baseUrl,
    });
    expect(stdout).toBe("datetime\n2026-03-29T07:30:00+02:00\n");
  });
});

describe("refuses", () => {
  test.each([
    [["--form", "2026-03-01"], "(Did you mean --from?)"],
    [["--from", "2026-03-01"], "--from and --to are both needed: the first and the last day"],
  ])("%j alone", async (args, message) => {
    const { code, stdout, stderr } = await run(["search", ...args], toVariables());
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
  });

  test.each([
    [["--from", "2026-02-30"], "It must be a day of the calendar"],
    [
      ["--agent", "x", "--custom-field-1", "y"],
      "cannot search by agent and custom_field_1 at once",
    ],
    [["--where", "talk_tme > 1"], "did you mean talk_time?"],
    [["--columns", "agnet"], "There is no field agnet of a record: did you mean agent?"],
    [["--columns", "foo"], "There is no field foo of a record."],
    [["--on", "2026-03-01"], "option '--on <day>' cannot be used with option '--from <day>'"],
    [["--month", "2026-13"], "It must be a month such as 2026-03."],
    [["--last", "7"], "It must be a number of days or weeks, such as 7d or 4w."],
    [["--tz", "Mars/Olympus"], "It must be a time zone such as Europe/Berlin"],
    [["--json", "--format", "csv"], "option '--json' cannot be used with option '--format"],
    [["--excel"], "unknown option '--excel'"],
    [["--limit", "0"], "It must be a whole number from 1 up."],
    [["--agnet", "x"], "(Did you mean --agent?)"],
  ])("%j", async (args, message) => {
    const { code, stdout, stderr } = await search(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
  });
});

test("a service that fails on the way is a failure, after what was found", async () => {
  await using failing = await serveFake(service);
  const takeBack = service.inject({ kind: "status", status: 500, skip: 1, times: Infinity });
  const { code, stdout, stderr } = await run(["search", ...MARCH, "--format", "jsonl"], {
    ...toVariables(),
    CALL_MEDIA_BASE_URL: failing.baseUrl,
  });
  takeBack();
  expect(code).toBe(1);
  expect(stdout.trimEnd().split("\n")).toHaveLength(50);
  expect(stderr).toMatch(/^call-media: .*500 of searchMetadataByCustomFields.*try again later/m);
});
