// A log of Five9 that comes again: its calls keep the recordings that the archive has, with or without their files.
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { importFiles } from "../src/index.ts";
import { createArchive, createFolder, writeLines } from "./support/archives.ts";

const HEADER = "CALL ID,TIMESTAMP,CAMPAIGN,AGENT,ANI,CALL TIME,RECORDINGS,DISPOSITION";
const TEMPLATE = "{agent_id}__{consumer_number}__{date}__{time}__{call_guid}__{session_id}";
const ANN =
  '1,"Fri, 21 Aug 2026 09:00:06",Care,ann,2,00:05:00,"09:00:25(0:43),09:02:00(1:00)",open';
const BOB = '1,"Fri, 21 Aug 2026 09:05:06",Care,bob,2,00:05:00,09:05:25(0:43),open';
const [FIRST, SECOND, OF_BOB] = [
  "ann__2__20260821__090025",
  "ann__2__20260821__090200",
  "bob__2__20260821__090525",
].map((start) => `${start}__GUID__S.wav`);
const FILES = [FIRST, SECOND, OF_BOB].map(String);

test("without the template the recordings stay, and the references that their names have told", async () => {
  const { bring, legs, found } = await createFilled();
  const before = await legs();

  expect(await bring([ANN, BOB])).toMatchObject({ unchanged: 2 });
  expect(await bring([ANN.replace("open", "sold"), BOB])).toMatchObject({
    replaced: 1,
    unchanged: 1,
  });
  expect(await legs()).toEqual(
    before.map((leg) => (leg.agent === "ann" ? { ...leg, disposition: "sold" } : leg)),
  );
  expect(await found("S")).toEqual(FILES);
});

test("with the template they stay where their files were moved away, all of them or one", async () => {
  const { bring, legs, found, folder } = await createFilled();
  const before = await legs();
  await rm(join(folder, String(FIRST)));

  expect(await bring([ANN, BOB], TEMPLATE)).toMatchObject({ unchanged: 2 });
  for (const name of FILES) await rm(join(folder, name), { force: true });
  expect(await bring([ANN, BOB], TEMPLATE)).toMatchObject({ unchanged: 2 });
  expect(await bring([ANN, BOB], "{call_id} {date} {time}")).toMatchObject({ unchanged: 2 });
  expect(await legs()).toEqual(before);
  expect(await found("S")).toEqual(FILES);
});

test("a file in another form takes the place of the one before; one that has come since is added", async () => {
  const { bring, found, folder } = await createFilled([FIRST, OF_BOB].map(String));
  await rm(join(folder, String(FIRST)));
  const converted = String(FIRST).replace(".wav", ".mp3");
  await writeFile(join(folder, converted), "smaller sound");
  await writeFile(join(folder, String(SECOND)), "sound");

  expect(await bring([ANN, BOB], TEMPLATE)).toMatchObject({ replaced: 1, unchanged: 1 });
  expect(await found("1")).toEqual([converted, SECOND, OF_BOB]);
});

test("names by another template give a reference, and the recordings without one stay", async () => {
  const { bring, legs, found, folder } = await createFilled([]);
  const plain = "ann 2 20260821 090025.wav";
  await writeFile(join(folder, plain), "sound");
  await bring([ANN], "{agent_id} {consumer_number} {date} {time}");
  expect(await legs()).toMatchObject([
    { ref_id: null, recordings: "09:05:25(0:43)" },
    { ref_id: null, recordings: plain },
  ]);
  await rm(join(folder, plain));
  await writeFile(join(folder, String(SECOND)), "more sound");

  expect(await bring([ANN], TEMPLATE)).toMatchObject({ replaced: 1 });
  expect(await found("1")).toEqual([plain, SECOND]);
  expect(await legs()).toMatchObject([{ agent: "bob" }, { ref_id: "GUID" }]);
});

test("a disposition that only the log had goes when the log has it no more", async () => {
  const { bring, legs } = await createFilled();
  await bring([ANN.replace(",open", ",[None]"), BOB]);
  expect(await legs()).toMatchObject([
    { disposition: "open" },
    { disposition: null, ref_id: "GUID" },
  ]);
});

/** With the legs of ann and bob, and these of the recordings. */
async function createFilled(files = FILES) {
  const store = createArchive();
  const folder = await createFolder();
  for (const name of files) await writeFile(join(folder, name), `sound of ${name}`);
  const bring = async (lines: readonly string[], filenameTemplate?: string) =>
    await importFiles({
      store,
      paths: [await writeLines("log.csv", [HEADER, ...lines])],
      mediaDirectory: folder,
      filenameTemplate,
    });
  await bring([ANN, BOB], TEMPLATE);
  const legs = async () => await store.calls.byCallId("1", "everything");
  const found = async (reference: string) => {
    const of = reference === "1" ? { callId: "1" } : { reference };
    return (await store.calls.recordings(of, "everything")).map(({ filename }) => filename);
  };
  return { bring, legs, found, folder };
}
