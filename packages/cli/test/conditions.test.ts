// The same conditions find the same calls by --where, in an exported folder, and by the tools of agents.
import { createCallFilter, createClock, toJudge } from "@call-media/conditions";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@call-media/client";
import {
  SAMPLE_CALLS,
  SAMPLE_CHATS,
  SAMPLE_CONDITIONS,
} from "@call-media/test-setup/condition-samples";
import { readChatTextIfAllowed } from "@call-media/handover";
import { createFakeService } from "@call-media/testing";
import { serveFake } from "@call-media/testing/http";
import { expect, onTestFinished, test } from "vitest";
import { openFolder } from "../src/index/open-folder.ts";
import { countCalls } from "../src/mcp/count-calls.ts";
import { createOpenSearches } from "../src/mcp/open-searches.ts";
import { searchCalls } from "../src/mcp/search-calls.ts";
import { parseWhere } from "../src/search/where.ts";
import { run } from "./support/program.ts";

const service = createFakeService({ calls: SAMPLE_CALLS, chats: SAMPLE_CHATS });
const client = createClient(service.clientOptions);
const { signal } = new AbortController();
const SPAN = { startDate: "2026-03-01", endDate: "2026-03-31" };
const DAYS = ["--from", "2026-03-01", "--to", "2026-03-31"] as const;

const compare = (one: string, other: string) => (one < other ? -1 : 1);

/** What each condition of the table finds. */
async function findAll(find: (condition: string) => Promise<readonly string[]>) {
  const found: (readonly [string, string])[] = [];
  for (const [condition] of SAMPLE_CONDITIONS)
    found.push([condition, (await find(condition)).toSorted(compare).join("")]);
  return found;
}

// A saved zone of the archive changes nothing: the page knows none.
const zone = { archiveZone: () => "-05:00" };

test("by the tool of an agent", async () => {
  const searches = createOpenSearches();
  const archive = { client, zone, showDatetime: String, describeZone: () => "", searches };
  const days = { from: "2026-03-01", to: "2026-03-31", fields: ["call_id"] };
  const find = async (where: string) => {
    const answer = await searchCalls.run({ ...days, where }, archive, signal);
    return answer.split("\n").filter((line) => /^[a-f]$/.test(line));
  };
  expect(await findAll(find)).toEqual(SAMPLE_CONDITIONS);
});

test("by --where, from the service and in a folder, as both are read", async () => {
  const served = await serveFake(service);
  const home = await mkdtemp(join(tmpdir(), "call-media-conditions-"));
  onTestFinished(async () => {
    await served.close();
    await rm(home, { recursive: true });
  });
  const variables = { CALL_MEDIA_BASE_URL: served.baseUrl, CALL_MEDIA_API_KEY: service.apiKey };
  const out = join(home, "out");
  expect(await run(["export", ...DAYS, "--out", out], variables)).toMatchObject({ code: 0 });
  await using folder = await openFolder(out, { signal, onProgress: () => {}, onUpdate: () => {} });
  const records = [...folder.find(undefined)].flat();
  const { records: all } = await client.calls.byCustomFields({ ...SPAN, filter: {} }).page(0);
  const findIn = (from: typeof all, readText: (id: string) => Promise<string | undefined>) =>
    findAll(async (condition) => {
      const { filter } = createCallFilter(
        toJudge(parseWhere(condition).condition, createClock(zone)),
        {
          readText,
        },
      );
      return (await filter(from)).map(({ call_id }) => call_id ?? "");
    });
  expect(await findIn(records, folder.readChatText)).toEqual(SAMPLE_CONDITIONS);
  const readChat = (id: string) => readChatTextIfAllowed(client, id, signal);
  expect(await findIn(all, readChat)).toEqual(SAMPLE_CONDITIONS);

  // The program itself, once from each.
  const where = ["--where", 'transcript ~ "refund" || ani == "+49 30 998877"'];
  const search = ["search", ...where, "--format", "csv", "--columns", "call_id"];
  for (const source of [DAYS, ["--in", out]]) {
    const { stdout } = await run([...search, ...source], variables);
    expect(stdout.trim().split(/\s+/).toSorted(compare)).toEqual(["a", "b", "c", "call_id"]);
  }
});

test("a moment is compared in the zone that the service names, also in a folder", async () => {
  const away = createFakeService({
    calls: [
      { call_id: "now", datetime: "2026-03-05T10:00:00" },
      { call_id: "later", datetime: "2026-03-05T15:00:00" },
    ],
    profile: { utcOffsetMinutes: { from: -300, to: -300 } },
  });
  const served = await serveFake(away);
  const home = await mkdtemp(join(tmpdir(), "call-media-conditions-"));
  onTestFinished(async () => {
    await served.close();
    await rm(home, { recursive: true });
  });
  const variables = { CALL_MEDIA_BASE_URL: served.baseUrl, CALL_MEDIA_API_KEY: away.apiKey };
  const [out, part] = [join(home, "out"), join(home, "part")];
  const where = ["--where", "datetime == 2026-03-05T15:00:00Z"];
  expect(await run(["export", ...DAYS, "--out", out], variables)).toMatchObject({ code: 0 });
  const exported = await run(["export", ...DAYS, ...where, "--out", part], variables);
  expect(exported.code).toBe(0);
  for (const source of [DAYS, ["--in", out], ["--in", part]]) {
    const columns = ["--format", "csv", "--columns", "call_id"];
    const { stdout } = await run(["search", ...where, ...source, ...columns], variables);
    expect(stdout.trim().split(/\s+/)).toEqual(["call_id", "now"]);
  }
});

test("days are those of --tz, else of the archive, from the service, in a folder and by the tool", async () => {
  const archive = createFakeService({
    calls: [
      { call_id: "a", datetime: "2026-03-04T23:30:00" },
      { call_id: "b", datetime: "2026-03-05T23:30:00" },
      { call_id: "c", datetime: "2026-03-06T01:00:00Z" },
      { call_id: "d", datetime: "2026-03-06T10:00:00+09:00" },
      { call_id: "e", datetime: "2026-03-06T23:30:00" },
    ],
    profile: { utcOffsetMinutes: { from: -300, to: -300 } },
  });
  const served = await serveFake(archive);
  const home = await mkdtemp(join(tmpdir(), "call-media-days-"));
  onTestFinished(async () => {
    await served.close();
    await rm(home, { recursive: true });
  });
  const variables = { CALL_MEDIA_BASE_URL: served.baseUrl, CALL_MEDIA_API_KEY: archive.apiKey };
  const out = join(home, "out");
  expect(await run(["export", ...DAYS, "--out", out], variables)).toMatchObject({ code: 0 });
  const own = createClient(archive.clientOptions);
  const count = async (timeZone: string | undefined) => {
    const given = { timeZone, archiveZone: () => "-05:00" };
    const searches = createOpenSearches();
    const tools = {
      client: own,
      zone: given,
      showDatetime: String,
      describeZone: () => "",
      searches,
    };
    const input = { from: "2026-03-05", to: "2026-03-06", group_by: "day" };
    const answer = await countCalls.run(input, tools, signal);
    return [...answer.matchAll(/^(\S+) \| (\d+)$/gm)].map(([, day, legs]) => `${day},${legs}`);
  };
  const groups = ["--group-by", "day", "--format", "csv"];
  const days = ["--from", "2026-03-05", "--to", "2026-03-06"];
  for (const [tz, grouped, legs] of [
    [undefined, ["2026-03-05,3", "2026-03-06,1"], "4"],
    ["UTC", ["2026-03-05,1", "2026-03-06,3"], "4"],
    ["Asia/Tokyo", ["2026-03-05,1", "2026-03-06,3"], "4"],
    ["-05:00", ["2026-03-05,3", "2026-03-06,1"], "4"],
  ] as const) {
    const zoned = tz === undefined ? days : [...days, "--tz", tz];
    for (const source of [[], ["--in", out]]) {
      const { stdout } = await run(["search", ...zoned, ...source, ...groups], variables);
      expect(stdout.trim().split(/\s+/), `${tz} ${source.join()}`).toEqual([
        "day,records",
        ...grouped,
      ]);
      const counted = await run(["search", ...zoned, ...source, "--count"], variables);
      expect(counted.stdout.trim()).toBe(legs);
    }
    expect(await count(tz)).toEqual(grouped);
  }
});
