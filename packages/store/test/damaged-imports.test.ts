// What an import makes of records that the disk has changed: what it replaces is whole again, and nothing else is called well.
import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { createStore } from "../src/sqlite/sqlite-store.ts";
import { addRecording, call, fill, flag, message, toUser } from "../src/suite/records.ts";
import { createFolder } from "./support/archives.ts";
import { change } from "./support/examined.ts";

const CALL = { call_id: "A", datetime: "2025-05-01T10:00:00Z", agent: "ann" };
const OPEN = "/proc/self/fd";
const FLIP = `'${"x".repeat(9)}'`;

async function openArchive() {
  const directory = await createFolder();
  const store = await createStore({ directory });
  const sound = await addRecording(store, { filename: "a.wav", content: "sound" });
  const untyped = {
    ...sound,
    media: { ...sound.media, type: "application/octet-stream" },
  };
  await fill(store, [
    call({ ...CALL, notes: "a" }, { recordings: [untyped] }),
    { kind: "user", record: toUser(1) },
    { kind: "flag", record: flag(1, "Public", "x") },
    { kind: "chat", record: message("A", "Yes.", CALL.datetime) },
  ]);
  return { store, directory, sound };
}

test("a record is replaced, and is whole again", async () => {
  const { store, directory, sound } = await openArchive();
  change(directory, `UPDATE call SET record = ${FLIP}`);
  const again = call({ ...CALL, notes: "b" }, { recordings: [sound] });
  expect(await fill(store, [again])).toEqual(["replaced"]);
  expect(await store.calls.byCallId("A", "everything")).toMatchObject([{ notes: "b" }]);
  await store[Symbol.asyncDispose]();
});

test("no recording of one is kept, which would get a digest that calls it well", async () => {
  const { store, directory } = await openArchive();
  change(directory, "UPDATE recording SET filename = 'b.wav'");
  const silent = call({ ...CALL, notes: "b" }, { keepsRecordings: true });
  const named = call({ ...CALL, notes: "b", recordings: "b.wav" });
  const refused = {
    rejected: expect.stringContaining("what the archive has of this call is not what was imported"),
  };
  expect(await fill(store, [silent, named])).toEqual([refused, refused]);
  await store[Symbol.asyncDispose]();
});

test("a type is declared of the recording of a record that cannot be read", async () => {
  const { store, directory, sound } = await openArchive();
  change(directory, `UPDATE call SET record = ${FLIP}`);
  const typed = { ...sound, media: { ...sound.media, type: "audio/x-wav" } };
  const again = call({ ...CALL, notes: "a" }, { recordings: [typed] });
  expect(await fill(store, [again])).toEqual(["unchanged"]);
  await store[Symbol.asyncDispose]();
  using database = new DatabaseSync(join(directory, "archive.db"));
  expect(database.prepare("SELECT type FROM recording").all()).toEqual([{ type: "audio/x-wav" }]);
});

test("a user and a flag are replaced by what they were, but no change is made of the user", async () => {
  const { store, directory } = await openArchive();
  change(directory, "UPDATE user SET status = 2; UPDATE flag SET type = 'Private'");
  const before = toUser(1);
  const changed = { kind: "user", record: { ...before, username: "bob" }, before } as const;
  expect(await fill(store, [changed])).toEqual([
    { rejected: expect.stringContaining("the user 1 is not what was written") },
  ]);
  const flagged = { kind: "flag", record: flag(1, "Public", "x") } as const;
  expect(await fill(store, [{ kind: "user", record: before }, flagged])).toEqual([
    "replaced",
    "replaced",
  ]);
  expect(await store.users.list(before.status)).toEqual([before]);
  expect(await store.users.publicFlags()).toHaveLength(1);
  expect(await fill(store, [changed])).toEqual(["replaced"]);
  await store[Symbol.asyncDispose]();
});

test.each(["user", "call", "chat"])(
  "nothing is imported into an archive that lacks a row of %s",
  async (table) => {
    const { store, directory } = await openArchive();
    await using _ = store;
    await fill(store, [{ kind: "flag", record: flag(2, "Public", "y") }]);
    change(directory, `PRAGMA foreign_keys = OFF; DELETE FROM ${table}`);
    const name = `the table ${table} (1 of 1 rows missing) is not what was written`;
    await expect(store.openImport()).rejects.toMatchObject({
      reason: "damaged",
      message: expect.stringContaining(name),
    });
  },
);

test("a user is disabled in an archive that lacks a message, and a run counts the rows once", async () => {
  const { store, directory } = await openArchive();
  await using _ = store;
  change(directory, "PRAGMA foreign_keys = OFF; DELETE FROM chat");
  const before = toUser(1);
  const disabled = { ...before, status: 2 } as const;
  {
    await using session = await store.openImport({ only: "users" });
    expect(await session.write([[{ kind: "user", record: disabled, before }]])).toEqual([
      "replaced",
    ]);
  }
  expect(await store.users.byId(1)).toMatchObject({ status: 2 });
  await using further = await store.openImport({ countsRows: false });
  expect(await further.write([[call({ call_id: "B" })]])).toEqual(["imported"]);
});

test.skipIf(!existsSync(OPEN))("an import that is refused leaves no file open", async () => {
  const { store, directory } = await openArchive();
  await using _ = store;
  change(directory, "PRAGMA foreign_keys = OFF; DELETE FROM chat");
  const refuse = () => expect(store.openImport()).rejects.toThrow("1 of 1 rows missing");
  await refuse();
  const before = listOpen(directory);
  await refuse();
  expect(listOpen(directory)).toEqual(before);
});

const listOpen = (directory: string) =>
  readdirSync(OPEN)
    .map((name) => readlink(join(OPEN, name)))
    .filter((path) => path.startsWith(directory))
    .toSorted();

// What lists them is closed by then.
function readlink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
