// A call that gets its reference later, or another one, is the call that it was (D32).
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { importFiles } from "../src/index.ts";
import { createArchive, writeLines } from "./support/archives.ts";

const CALL = { kind: "call", call_id: "1", datetime: "2026-08-21T09:00:00Z", agent: "ann" };

test("with another recording it is refused, as it would take the first one away", async () => {
  const { bring, store } = await createImport();
  await bring({ ...CALL, notes: "first", media: [{ file: "a.wav" }] });

  expect(await bring({ ...CALL, ref_id: "R", media: [{ file: "b.wav" }] })).toMatchObject({
    rejected: 1,
    firstRejections: [{ reason: expect.stringContaining("leave its recording a.wav without one") }],
  });
  expect(await store.calls.byCallId("1", "everything")).toMatchObject([
    { ref_id: null, notes: "first", recordings: "a.wav" },
  ]);
});

test("it replaces the one without, and the one with another reference", async () => {
  const { bring, store } = await createImport();
  await bring(CALL);
  expect(await bring({ ...CALL, ref_id: "other" })).toMatchObject({ replaced: 1 });
  expect(await bring({ ...CALL, ref_id: "R" })).toMatchObject({ replaced: 1 });
  expect(await bring({ ...CALL, ref_id: "R" })).toMatchObject({ unchanged: 1 });
  expect(await store.calls.byCallId("1", "everything")).toMatchObject([{ ref_id: "R" }]);
  expect(await bring({ ...CALL, late_ref_id: true })).toMatchObject({
    firstRejections: [{ reason: expect.stringContaining("late_ref_id") }],
  });
});

async function createImport() {
  const store = createArchive();
  const bring = async (entry: object) => {
    const path = await writeLines("calls.jsonl", [entry]);
    for (const name of ["a.wav", "b.wav"]) await writeFile(join(dirname(path), name), name);
    return await importFiles({ store, paths: [path] });
  };
  return { bring, store };
}
