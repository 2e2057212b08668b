// An archive of which some bytes are others than were written: what it says when it is opened, and what to searches.
import { join } from "node:path";
import { expect, test } from "vitest";
import { RecordDamaged } from "../src/index.ts";
import { ArchiveError, createStore, openStore } from "../src/sqlite/sqlite-store.ts";
import { createFolder } from "./support/archives.ts";
import { change } from "./support/examined.ts";
import { createClosedArchive, damageIndex } from "./support/kept-archive.ts";
import { call, fill, query } from "./support/records.ts";

test("what everything needs is named in one line", async () => {
  const directory = await createClosedArchive("a");
  const file = join(directory, "archive.db");
  await damageIndex(file, "setting");
  const opening = openStore({ directory });
  await expect(opening).rejects.toThrow(ArchiveError);
  await expect(opening).rejects.toThrow(`${file} cannot be used: database disk image is malformed`);
});

test("a last number that is none costs no memory, and what can be read is", async () => {
  const directory = await createFolder();
  const made = await createStore({ directory });
  await fill(made, [call({ call_id: "a", agent: "ann" })]);
  await made[Symbol.asyncDispose]();
  await damageIndex(join(directory, "archive.db"), "restricted_value");
  await using store = await openStore({ directory });
  expect(await store.calls.byCallId("a", [])).toMatchObject([{ call_id: "a" }]);
  const ofAnn = [{ field: "agent" as const, allowed: ["ann"] }];
  expect(await store.calls.byCallId("a", ofAnn)).toMatchObject([{ call_id: "a" }]);
});

test.each([
  ["lacks its pages", "DELETE FROM index_page"],
  ["has a block of another length", "UPDATE index_block SET bytes = x'0000'"],
])("a search whose index %s fails as damaged", async (_, sql) => {
  const directory = await createClosedArchive("a", "b");
  change(directory, sql);
  await using store = await openStore({ directory });
  const searching = store.calls.search(query({ filter: { call_id: "a" } }));
  await expect(searching).rejects.toThrow(RecordDamaged);
});
