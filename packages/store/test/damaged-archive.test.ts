// An archive of which some bytes are others than were written, or whose tables are another version's: what it says when it is
// opened, and what to searches.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseQuery } from "@call-media/words";
import { expect, test } from "vitest";
import { backUp } from "./support/maintenance.ts";
import { ACCESS_SCHEMA } from "../src/sqlite/schema/access-schema.ts";
import { ARCHIVE_SCHEMA } from "../src/sqlite/schema/archive-schema.ts";
import { ArchiveError, createStore, openStore } from "../src/sqlite/sqlite-store.ts";
import { createFolder } from "./support/archives.ts";
import { change } from "./support/examined.ts";
import { createClosedArchive, damageIndex } from "./support/kept-archive.ts";
import { call, fill, message, query } from "../src/suite/records.ts";

test("what everything needs is named in one line", async () => {
  const directory = await createClosedArchive("a");
  const file = join(directory, "archive.db");
  await damageIndex(file, "setting");
  const opening = openStore({ directory });
  await expect(opening).rejects.toThrow(ArchiveError);
  await expect(opening).rejects.toThrow(`${file} cannot be used: database disk image is malformed`);
});

test("damage of access.db is said of access.db, also by a backup", async () => {
  const directory = await createClosedArchive("a");
  const file = join(directory, "access.db");
  await damageIndex(file, "identity");
  const fault = `${file} cannot be used: database disk image is malformed`;
  await expect(openStore({ directory })).rejects.toThrow(fault);
  const to = join(await createFolder(), "backup");
  await expect(backUp({ from: directory, to })).rejects.toThrow(fault);
});

test("an access.db without its tables is named", async () => {
  const directory = await createClosedArchive("a");
  const file = join(directory, "access.db");
  dropTable(file, "revocations");
  await expect(openStore({ directory })).rejects.toThrow(`${file} cannot be used: no such table`);
});

test("what a backup needs itself is named, too", async () => {
  const directory = await createClosedArchive("a");
  const file = join(directory, "archive.db");
  await damageIndex(file, "setting");
  const to = join(await createFolder(), "backup");
  await expect(backUp({ from: directory, to })).rejects.toThrow(`${file} cannot be used`);
});

test.each([
  ["archive.db", 1, ARCHIVE_SCHEMA.version],
  ["archive.db", 101, ARCHIVE_SCHEMA.version],
  // A later one that this program would misread: see earlier-archives.test.ts.
  ["access.db", 2, ACCESS_SCHEMA.version],
  ["access.db", ACCESS_SCHEMA.version + 1, ACCESS_SCHEMA.version],
])("%s of schema %i is refused in one line, and stays as it is", async (name, schema, used) => {
  const directory = await createClosedArchive("a");
  const file = join(directory, name);
  change(directory, `PRAGMA user_version = ${schema}`, name);
  const fault = `${file} cannot be used: it has schema ${schema}, and this program uses ${used}: export it with the version that made it, and import that`;
  await expect(openStore({ directory })).rejects.toThrow(new ArchiveError(fault));
  using database = new DatabaseSync(file, { readOnly: true });
  expect(database.prepare("PRAGMA user_version").get()).toEqual({ user_version: schema });
});

function dropTable(file: string, table: string): void {
  using database = new DatabaseSync(file);
  database.exec(`DROP TABLE ${table}`);
}

test("a record that cannot be read is there for those alone who see everything", async () => {
  const directory = await createFolder();
  await using store = await createStore({ directory });
  const toLeg = (agent: string) =>
    call({ call_id: "a", ref_id: agent, agent }, { sessionId: "S", identity: [agent] });
  await fill(store, [toLeg("ann"), toLeg("bob")]);
  change(directory, "UPDATE call SET record = '[\"bob' WHERE ref_id = 'bob'");

  const ofAnn = [{ field: "agent", allowed: ["ann"] }] as const;
  const shown = [expect.objectContaining({ agent: "ann" })];
  expect(await store.calls.byCallId("a", ofAnn)).toEqual(shown);
  expect(await store.calls.byReference("S", ofAnn)).toEqual(shown);
  expect(await store.calls.byReference("bob", ofAnn)).toEqual([]);
  await expect(store.calls.byCallId("a", "everything")).rejects.toMatchObject({
    name: "StoreFault",
    reason: "damaged",
  });
});

test.each([
  ["record", "UPDATE call SET record = '[\"refund' WHERE call_id = 'bad'"],
  ["message", "UPDATE chat SET record = '{\"transcript'"],
])(
  "a search by words that meets a damaged %s fails as damaged, and no other does",
  async (_, sql) => {
    const directory = await createFolder();
    await using store = await createStore({ directory });
    const toCall = (agent: string) =>
      call({ call_id: agent, agent, datetime: "2025-05-01", notes: "no refund of bills" });
    await fill(store, [
      toCall("bad"),
      toCall("good"),
      { kind: "chat", record: message("bad", "bills of whom", "2025-05-01T10:00:00Z") },
    ]);
    change(directory, sql);

    const find = async (typed: string, allowed: string) => {
      const visibility = [{ field: "agent", allowed: [allowed] }] as const;
      const search = query({ words: parseQuery(typed), visibility });
      return (await store.calls.search(search)).recordCount;
    };
    const damaged = { name: "StoreFault", reason: "damaged" };
    await expect(find('"bills of"', "bad")).rejects.toMatchObject(damaged);
    expect(await find('"refund of"', "good")).toBe(1);
    expect(await find("re*", "good")).toBe(1);
    expect(await find("absent", "bad")).toBe(0);
    // The chat of a call that cannot be read may go on.
    await fill(store, [{ kind: "chat", record: message("bad", "more", "2025-05-01T10:00:01Z") }]);
  },
);

test.each([
  ["lacks its pages", "DELETE FROM index_page"],
  ["has a block of another length", "UPDATE index_block SET bytes = x'0000'"],
])("a search whose index %s fails as damaged", async (_, sql) => {
  const directory = await createClosedArchive("a", "b");
  change(directory, sql);
  await using store = await openStore({ directory });
  const searching = store.calls.search(query({ filter: { call_id: "a" } }));
  await expect(searching).rejects.toMatchObject({ name: "StoreFault", reason: "damaged" });
});
