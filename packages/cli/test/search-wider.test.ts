// A search by words that finds little offers its wider forms with their counts, and shows no call for it.
import { createClient } from "@call-media/client";
import { expect, test } from "vitest";
import { createOpenSearches } from "../src/mcp/open-searches.ts";
import { searchCalls } from "../src/mcp/search-calls.ts";
import { MARCH, startExporting } from "./support/exporting.ts";

const datetime = "2026-03-05T10:00:00Z";
const CALLS = [
  { call_id: "1", datetime, transcript: "I have a complaint", disposition: "Complaint resolved" },
  { call_id: "2", datetime, transcript: "two complaints", disposition: "Complaint resolved" },
  { call_id: "3", datetime, transcript: "I complained", disposition: "Complaint resolved" },
  { call_id: "4", datetime, transcript: "all fine or not" },
];

test("words have their beginnings, and the outcome that they stand in", async () => {
  const { runCommand, service } = await startExporting({ calls: CALLS });
  const search = (...args: string[]) => runCommand("search", ...MARCH, ...args);
  const wider = "also 2 with complaint*, 3 with complain*";
  expect((await search("--words", "complaint")).stderr).toContain(
    `${wider}, 3 with the outcome Complaint resolved`,
  );
  expect((await search("--words", "complaint", "--count")).stderr).toContain(wider);
  const asked = service.requests.filter(({ url }) => url.includes("*"));
  expect(asked.length).toBeGreaterThan(3);
  for (const { url } of asked)
    expect(Number(new URL(url).searchParams.get("pageIndex"))).toBeGreaterThan(1e6);

  const { stderr } = await search("--words", '"a complaint" comp* fine OR', "--count");
  expect(stderr).toContain("OR is looked for as a word like the others");
  expect(stderr).not.toContain("also");
  expect((await search("--words", "complained")).stderr).not.toContain("also");
  expect(
    (await search("--words", "complaint", "--where", "talk_time == null")).stderr,
  ).not.toContain("also");

  const archive = {
    client: createClient(service.clientOptions),
    zone: {},
    showDatetime: String,
    describeZone: () => "",
    searches: createOpenSearches(),
  };
  const { signal } = new AbortController();
  const days = { from: "2026-03-01", to: "2026-03-31" };
  const answer = await searchCalls.run({ ...days, words: "complaint" }, archive, signal);
  expect(answer).toContain(`\n${wider}, 3 with the outcome Complaint resolved\n`);
});
