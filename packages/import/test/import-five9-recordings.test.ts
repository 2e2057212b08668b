// Recordings of Five9: the log does not name them, so they are found by what their names say of the call.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ImportError, importFiles } from "../src/index.ts";
import { createArchive, createFolder, writeLines } from "./support/archives.ts";

const HEADER = "CALL ID,TIMESTAMP,CAMPAIGN,AGENT,ANI,DNIS,CALL TIME,RECORDINGS";
const TEMPLATE =
  "{agent_id}__{consumer_number}__{date}__{time}__{call_guid}__{first_name}__{session_id}";

test("a recording belongs to the row whose agent, number and start it has, and fills what the log leaves out", async () => {
  const [call] = await importWith(
    TEMPLATE,
    ['1,"Fri, 21 Aug 2026 09:00:06",Care,ann@x.test,7275550107,8005550100,00:05:00,09:00:25(0:43)'],
    [
      "2026/ann_x.test__+17275550107__20260821__090025__GUID-1__Lee__S-1.wav",
      "bo_x.test__+17275550107__20260821__090025__GUID-2__Lee__S-2.wav",
      "ann_x.test__+17275550199__20260821__090025__GUID-3__Lee__S-3.wav",
      "ann_x.test__+17275550107__20260822__090025__GUID-4__Lee__S-4.wav",
      "ann_x.test__+17275550107__20260821__093025__GUID-5__Lee__S-5.wav",
      "another name.wav",
    ],
  );
  expect(call).toMatchObject({
    recordings: "ann_x.test__+17275550107__20260821__090025__GUID-1__Lee__S-1.wav",
    ref_id: "GUID-1",
    customer_first_name: "Lee",
    agent: "ann@x.test",
  });
});

test.each<[string, string, string, string]>([
  ["the year last", "08_21_2026", "9_00_25 AM", "09:00:25(0:43)"],
  ["afternoon", "08-21-2026", "01_00_25 PM", "13:00:25(0:43)"],
  ["several recordings", "2026-08-21", "09:00:25", "08:59:00(0:02),09:00:25(0:43)"],
  ["names without daylight saving time", "20260821", "080025", "09:00:25(0:43)"],
  ["while the call lasted, where the log does not say when", "20260821", "090306", ""],
])("the start is read: %s", async (_, date, time, recordings) => {
  const hour = recordings.slice(0, 2) || "09";
  const name = `a__7275550107__${date}__${time}__g__f__s.wav`;
  const [call] = await importWith(
    TEMPLATE,
    [
      `1,"Fri, 21 Aug 2026 ${hour === "08" ? "08:58" : hour + ":00"}:06",Care,a,7275550107,8,00:05:00,"${recordings}"`,
    ],
    [name],
  );
  expect(call?.recordings).toBe(name);
});

test("several recordings of a row are in the order of their starts; a log after midnight reaches into the next day", async () => {
  const names = ["20260822__000100", "20260821__235950"].map(
    (at) => `a__7275550107__${at}__g__f__s.wav`,
  );
  const [call] = await importWith(
    TEMPLATE,
    ['1,"Fri, 21 Aug 2026 23:59:45",Care,a,7275550107,8,00:05:00,"23:59:50(0:30),00:01:00(1:00)"'],
    names,
  );
  expect(call?.recordings).toBe(names.toReversed().join("; "));
});

test("a row without a recording keeps what the log says of it; a name may tell the call by its identifier alone", async () => {
  const line = (id: string) =>
    `${id},"Fri, 21 Aug 2026 09:00:06",Care,a,1,2,00:05:00,09:00:25(0:43)`;
  const [first, second] = await importWith(
    "{call_id} {number_1}",
    [line("1"), line("2")],
    ["1 +1 415.wav"],
  );
  expect(first).toMatchObject({ recordings: "1 +1 415.wav", phone_number1: "+1 415" });
  expect(second).toMatchObject({ recordings: "09:00:25(0:43)", phone_number1: null });
});

test("recordings that come after the log give its call their reference: it is not there twice", async () => {
  const store = createArchive();
  const folder = await createFolder();
  const line = '1,"Fri, 21 Aug 2026 09:00:06",Care,a,2,3,00:05:00,09:00:25(0:43)';
  const paths = [await writeLines("log.csv", [HEADER, line])];
  const options = { store, paths, mediaDirectory: folder, filenameTemplate: TEMPLATE };
  await importFiles(options);
  await writeFile(join(folder, "a__2__20260821__090025__GUID__Lee__S.wav"), "sound");

  expect(await importFiles(options)).toMatchObject({ replaced: 1 });
  expect(await store.calls.byCallId("1", "everything")).toMatchObject([{ ref_id: "GUID" }]);
  expect(await importFiles(options)).toMatchObject({ unchanged: 1 });
});

test.each([
  ["{agent}_{date}_{time}", "{agent} is not a variable; known are agent_id,"],
  [
    "{agent_id}_{date}",
    "it needs {date} and {time}, or {call_id}, or {session_id}, to tell calls apart",
  ],
  ["{date}_{time}_{date}", "a variable stands in it twice"],
  ["{date}{time}", "two variables stand in it with nothing between them"],
  ["recording", "it needs {date} and {time}"],
])("the template %j is refused", async (template, fault) => {
  const attempt = importWith(template, [], []);
  await expect(attempt).rejects.toThrow(ImportError);
  await expect(attempt).rejects.toThrow(fault);
});

test("other formats take no template", async () => {
  const store = createArchive();
  const paths = [await writeLines("a.jsonl", [{ kind: "call" }])];
  await expect(importFiles({ store, paths, filenameTemplate: TEMPLATE })).rejects.toThrow(
    "jsonl takes no template of file names",
  );
});

async function importWith(
  filenameTemplate: string,
  lines: readonly string[],
  files: readonly string[],
) {
  const store = createArchive();
  const mediaDirectory = await createFolder();
  for (const file of files) {
    await mkdir(dirname(join(mediaDirectory, file)), { recursive: true });
    await writeFile(join(mediaDirectory, file), `sound of ${file}`);
  }
  const paths = [await writeLines("log.csv", [HEADER, ...lines])];
  const report = await importFiles({
    store,
    paths,
    mediaDirectory,
    filenameTemplate,
    format: "five9",
  });
  expect(report).toMatchObject({ read: lines.length, rejected: 0 });
  const calls = await Promise.all(["1", "2"].map((id) => store.calls.byCallId(id, "everything")));
  return calls.flat();
}
