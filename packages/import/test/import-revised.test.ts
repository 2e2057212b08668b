// When a source last changed a call, as our own format says it and as a mapping finds it.
import { expect, test } from "vitest";
import { importFiles } from "../src/index.ts";
import { createArchive, writeLines } from "./support/archives.ts";

test("of calls that say when they were revised the latest is kept, in the source's time zone", async () => {
  const store = createArchive();
  const state = (revised: string) => ({ kind: "call", call_id: "a", notes: revised, revised });
  const lines = [state("2026-08-21T09:30:00Z"), state("2026-08-21 10:00:00")];
  const path = await writeLines("calls.jsonl", lines);

  const report = await importFiles({ store, paths: [path], timeZone: "Europe/London" });
  expect(report).toMatchObject({ imported: 1, unchanged: 1 });
  expect(await store.calls.byCallId("a", "everything")).toMatchObject([
    { notes: "2026-08-21T09:30:00Z" },
  ]);
});

test("a mapping may say which column tells it", async () => {
  const store = createArchive();
  const mappingFile = await writeLines("map.json", [
    {
      fields: {
        call_id: "{id}",
        agent: "{agent}",
        revised: { from: "{changed}", format: "dd.MM.yyyy HH:mm" },
      },
    },
  ]);
  const path = await writeLines("calls.csv", [
    "id,agent,changed",
    "a,bob,21.08.2026 10:00",
    "a,ann,21.08.2026 09:00",
    "a,cy,soon",
  ]);

  const report = await importFiles({ store, paths: [path], mappingFile });
  expect(report).toMatchObject({
    imported: 1,
    unchanged: 1,
    rejected: 1,
    firstRejections: [
      { reason: 'revised: "soon" is not a date and time of the form "dd.MM.yyyy HH:mm"' },
    ],
  });
  expect(await store.calls.byCallId("a", "everything")).toMatchObject([{ agent: "bob" }]);
});

test.each([
  [7, "revised: must be a string, not a number"],
  ["soon", 'revised: "soon" is not an ISO 8601 date and time'],
])("revised: %j is rejected", async (revised, reason) => {
  const store = createArchive();
  const path = await writeLines("calls.jsonl", [{ kind: "call", call_id: "a", revised }]);
  const report = await importFiles({ store, paths: [path] });
  expect(report).toMatchObject({ rejected: 1, firstRejections: [{ reason }] });
});
