// Days that are searched for together: what is in the folder is the same as where each was searched for alone.
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  type Exporting,
  type FakeCall,
  type FakeOptions,
  MARCH,
  readManifest,
  readMetadata,
  readReport,
  startExporting,
  toBytes,
} from "./support/exporting.ts";
import { readFiles, startCounting, startUncounted } from "./support/windows.ts";

const countSearches = ({ service }: Exporting) =>
  service.requests.filter(({ url }) => url.includes("/metadata/by-custom-fields")).length;

test("a month with few calls is one search, and its files are those of single days", async () => {
  const [counting, uncounted] = [await startCounting(), await startUncounted()];
  expect(await counting.exportCalls(...MARCH)).toMatchObject({ code: 0 });
  expect(await uncounted.exportCalls(...MARCH)).toMatchObject({ code: 0 });
  expect(await readFiles(counting.out)).toEqual(await readFiles(uncounted.out));
  expect((await readReport(counting.out)).windows).toMatchObject([
    { from: "2026-03-01", to: "2026-03-31", announced: 130, rows: 130 },
  ]);
  expect((await readReport(uncounted.out)).windows).toHaveLength(31);
  expect(countSearches(uncounted)).toBeGreaterThan(31);
  expect(countSearches(counting)).toBeLessThan(12);
});

const AUTUMN_9999 = ["--from", "9999-10-01", "--to", "9999-12-31"] as const;
// No archive stores calls of this year. The service here shifts calls of another year to it.
const AT_THE_END = ["2247-12-31T06:14:00Z", "2247-12-30T06:14:00Z", "2247-10-05T06:14:00Z"].map(
  (datetime): FakeCall => ({ call_id: datetime, datetime }),
);
const startAtTheEnd = (options: FakeOptions) =>
  startExporting(
    options,
    async (_url, answer) => {
      const headers = new Headers(answer.headers);
      const link = headers.get("Link");
      if (link !== null) headers.set("Link", link.replaceAll("2247", "9999"));
      return new Response((await answer.text()).replaceAll("2247", "9999"), {
        status: answer.status,
        headers,
      });
    },
    (url) => url.replaceAll("9999", "2247"),
  );

test("the report names equal records on two pages as a possible reason, next to a change", async () => {
  // An archive has each record once.
  const calls = Array.from({ length: 51 }, (_, index) => ({
    call_id: String(index),
    datetime: "2026-03-05T06:14:00Z",
  }));
  const { exportCalls } = await startExporting({ calls }, async (_url, answer) => {
    const text = await answer.text();
    return new Response(text.replaceAll(/"call_id":"\d+"/g, '"call_id":null'), answer);
  });
  const { code, stdout } = await exportCalls(...MARCH, "--files", "none");
  expect(code).toBe(3);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(
    "it has records that are wholly equal, or changed while it was read, three times: 50 records came, 1 more that is wholly equal to one before, and 51 were announced;",
  );
});

test("an export up to the last possible day can be resumed like any other", async () => {
  const { out, exportCalls } = await startAtTheEnd({ calls: AT_THE_END });
  expect(await exportCalls(...AUTUMN_9999)).toMatchObject({ code: 0 });
  const whole = await readFiles(out);
  expect(await readMetadata(out)).toHaveLength(3);
  const state = join(out, ".call-media");
  for (const name of await readdir(join(state, "days")))
    if (!name.includes("9999-12-31")) await rm(join(state, "days", name));
  const plan = await readFile(join(state, "plan.json"), "utf8");
  await writeFile(join(state, "plan.json"), plan.replace('"isDone": true', '"isDone": false'));
  expect(await exportCalls("--resume")).toMatchObject({ code: 0 });
  expect(await readFiles(out)).toEqual(whole);
});

test("an export up to the last possible day is rejected for a service that excludes endDate", async () => {
  const profile = { endDate: "excluded" } as const;
  const { exportCalls } = await startAtTheEnd({ calls: AT_THE_END.slice(1), profile });
  const { code, stderr } = await exportCalls(...AUTUMN_9999);
  expect(code).toBe(1);
  expect(stderr).toContain("call-media: endDate must be before 9999-12-31");
});

test("a record of another time zone is in the folder of the day that it tells, and of a day of its search", async () => {
  const at = (datetime: string): FakeCall => ({
    call_id: datetime,
    datetime,
    recordings: [{ filename: "a.wav", bytes: toBytes(700) }],
  });
  // In UTC, the time zone of the archive, these days are 1 March, 9 March and 31 March.
  const texts = [
    "2026-02-28T20:00:00-08:00",
    "2026-03-10T00:30:00+02:00",
    "2026-03-09T23:30:00Z",
    "2026-04-01T00:30:00+02:00",
  ];
  const { out, exportCalls, runCommand } = await startExporting({
    calls: texts.map(at),
  });
  expect(await exportCalls(...MARCH, "--name", "x")).toMatchObject({ code: 0 });
  const files = (await readManifest(out)).flatMap(({ kind, file }) =>
    kind === "recording" ? [file] : [],
  );
  expect(files).toEqual([
    "recordings/2026-03-31/x.wav",
    "recordings/2026-03-10/x.wav",
    "recordings/2026-03-09/x.wav",
    "recordings/2026-03-01/x.wav",
  ]);
  expect(await runCommand("verify", out)).toMatchObject({ code: 0 });
});
