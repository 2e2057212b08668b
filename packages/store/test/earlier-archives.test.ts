// An archive of before opens, gets the columns that have come since, and knows its own calls when they come again.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { createStore, openStore } from "../src/sqlite/sqlite-store.ts";
import { call, fill } from "../src/suite/records.ts";
import { createFolder } from "./support/archives.ts";
import { EARLIER, expectKnown, listEarlier } from "./support/earlier-archives.ts";

test("an archive whose calls have the identities of before, and tombstones without days", async () => {
  const directory = await createFolder();
  const gone = call({ call_id: "C", datetime: "2025-05-01T10:00:00Z" });
  {
    await using made = await createStore({ directory });
    await fill(made, [...EARLIER, gone]);
    await made.maintenance.erase({ callId: "C" }, { operator: "olive" });
  }
  using database = new DatabaseSync(join(directory, "archive.db"));
  for (const { stored, earlier } of listEarlier())
    database.exec(`UPDATE call SET identity = X'${earlier}' WHERE identity = X'${stored}'`);
  for (const column of ["until_day", "erasure"])
    database.exec(`ALTER TABLE tombstone DROP COLUMN ${column}`);

  await using store = await openStore({ directory });
  expect(await fill(store, [gone])).toEqual(["erased"]);
  await expectKnown(store);
});
