// Datetimes in every form that the contract allows: compared, shown in another zone, and reported if they are not datetimes.
import { createFakeService, type FakeArchive } from "@call-media/testing";
import { serveFake } from "@call-media/testing/http";
import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { run } from "./support/program.ts";

const MARCH = ["--from", "2026-03-01", "--to", "2026-03-31", "--format", "csv"];

/** Searches a service which has calls of these datetimes, or answers with them whatever they are. */
async function search(datetimes: readonly string[], args: readonly string[], isAny = false) {
  const toCalls = (texts: readonly string[]): FakeArchive["calls"] =>
    texts.map((datetime) => ({ call_id: "1", datetime }));
  const service = createFakeService({
    calls: toCalls(isAny ? datetimes.map(() => "2026-03-02") : datetimes),
  });
  const change = (body: Record<string, unknown>) => ({ ...body, data: toCalls(datetimes) });
  if (isAny) service.inject({ kind: "drift", operation: "searchMetadataByCustomFields", change });
  await using served = await serveFake(service);
  const variables = { CALL_MEDIA_BASE_URL: served.baseUrl, CALL_MEDIA_API_KEY: service.apiKey };
  const columns = ["--columns", "datetime"];
  const { stdout, stderr } = await run(["search", ...MARCH, ...columns, ...args], variables);
  return { found: parse(stdout).slice(1).flat(), stderr };
}

const SHOWN = [
  ["2026-03-02 11:00:00 +01", "2026-03-02T11:00:00+01:00"],
  ["2026-03-02 11:00:00,25 +0100", "2026-03-02T11:00:00.25+01:00"],
  ["2026-03-02t10:00:00z", "2026-03-02T11:00:00+01:00"],
  ["2026-03-02 10:00 Z", "2026-03-02T11:00:00+01:00"],
  ["2026-03-02T10:00:00.500Z", "2026-03-02T11:00:00.500+01:00"],
  // The service says that its archive is in UTC.
  ["2026-03-02 10:00:00,5", "2026-03-02T11:00:00.5+01:00"],
  ["2026-03-02", "2026-03-02T01:00:00+01:00"],
] as const;
const FORMS = SHOWN.map(([text]) => text);

test("all forms are compared", async () => {
  const { found, stderr } = await search(FORMS, ["--where", "datetime >= 2026-03-02"]);
  expect(found.toSorted()).toEqual(FORMS.toSorted());
  expect(stderr).not.toContain("Warning");
});

test("all are shown in another zone, to the digit", async () => {
  const { found } = await search(FORMS, ["--tz", "Europe/Berlin"]);
  expect(found.toSorted()).toEqual(SHOWN.map(([, shown]) => shown).toSorted());
});

test("half a second is as much in another zone", async () => {
  const args = ["--tz", "Europe/Berlin", "--where", "datetime > 2026-03-02T11:00:00"];
  const { found } = await search(["2026-03-02T10:00:00.500Z", "2026-03-02T10:00:00Z"], args);
  expect(found).toEqual(["2026-03-02T11:00:00.500+01:00"]);
});

test("a warning names a value that is not a datetime", async () => {
  const args = ["--where", "datetime > 2026-03-01"];
  const { found, stderr } = await search(["2026-03-02T10:00", "so\u001bon", "then"], args, true);
  expect(found).toEqual(["2026-03-02T10:00"]);
  expect(stderr).toContain(
    'Warning: --where cannot compare datetimes such as "so\\u001bon": for their records only != is true.\n',
  );
});
