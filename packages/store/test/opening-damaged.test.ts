// An archive of which a page cannot be read, when it is opened.
import { join } from "node:path";
import { expect, test } from "vitest";
import { ArchiveError, createStore, openStore } from "../src/sqlite/sqlite-store.ts";
import { createFolder } from "./support/archives.ts";
import { createClosedArchive, damageIndex } from "./support/kept-archive.ts";
import { call, fill } from "./support/records.ts";

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
