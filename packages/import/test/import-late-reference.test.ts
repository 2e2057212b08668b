// A call that comes with a reference is another than one without, unless its source says that references may come later.
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { importFiles } from "../src/index.ts";
import { createArchive, writeLines } from "./support/archives.ts";

const CALL = { kind: "call", call_id: "1", datetime: "2026-08-21T09:00:00Z", agent: "ann" };

test("with a recording it takes nothing away from the one without a reference", async () => {
  const { bring, store } = await createImport();
  await bring({ ...CALL, notes: "first", media: [{ file: "a.wav" }] });

  expect(await bring({ ...CALL, ref_id: "R", media: [{ file: "b.wav" }] })).toMatchObject({
    imported: 1,
  });
  expect(await store.calls.byCallId("1", "everything")).toMatchObject([
    { ref_id: null, notes: "first", recordings: "a.wav" },
    { ref_id: "R", recordings: "b.wav" },
  ]);
});

test("with late_ref_id it replaces the one without, and one of its own alone", async () => {
  const { bring, store } = await createImport();
  await bring(CALL);
  await bring({ ...CALL, ref_id: "other" });
  const late = { ...CALL, ref_id: "R", late_ref_id: true };

  expect(await bring(late)).toMatchObject({ replaced: 1 });
  expect(await bring(late)).toMatchObject({ unchanged: 1 });
  const references = (await store.calls.byCallId("1", "everything")).map(({ ref_id }) => ref_id);
  expect(new Set(references)).toEqual(new Set(["R", "other"]));
  expect(references).toHaveLength(2);
  expect(await bring({ ...late, late_ref_id: "yes" })).toMatchObject({
    firstRejections: [{ reason: "late_ref_id: must be true or false, not a string" }],
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
