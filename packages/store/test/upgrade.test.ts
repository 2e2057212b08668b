// An archive that an earlier program made opens, with everything that was in it.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { ARCHIVE_SCHEMA } from "../src/sqlite/migrations.ts";
import { openStore } from "../src/sqlite/sqlite-store.ts";
import { createFolder } from "./support/archives.ts";
import { toUser } from "./support/records.ts";

test("the credentials of an archive of schema 1 are kept, and those taken back stay so", async () => {
  const directory = await createFolder();
  createSchema1(directory);

  for (let opening = 1; opening <= 2; opening += 1) {
    await using store = await openStore({ directory });
    const { credentials } = store;
    expect(await credentials.application("app")).toMatchObject({
      keyHash: "key",
      userId: 7,
      isRevoked: false,
    });
    expect(await credentials.bearer("hash of a token")).toMatchObject({
      secretID: "app",
      expiresMs: 9,
    });
    expect(await credentials.bearer("hash of a key")).toMatchObject({ id: "k1", isRevoked: true });
    expect((await credentials.bearer("hash of a key"))?.user.username).toBe("user7");
  }
  using archive = new DatabaseSync(join(directory, "archive.db"));
  const left = archive.prepare(
    "SELECT name FROM sqlite_schema WHERE name IN ('bearer', 'application')",
  );
  expect(left.all()).toEqual([]);
});

test("an upgrade that was broken off before the end is completed by the next", async () => {
  const directory = await createFolder();
  createSchema1(directory);
  await (await openStore({ directory }))[Symbol.asyncDispose]();
  // As it would be had the program ended between the copy and the removal.
  const copied = join(directory, "access.db");
  expect(existsSync(copied)).toBe(true);
  const again = await createFolder();
  createSchema1(again);
  using access = new DatabaseSync(copied);
  access.prepare("VACUUM INTO ?").run(join(again, "access.db"));

  await using store = await openStore({ directory: again });
  expect(await store.credentials.application("app")).toMatchObject({ userId: 7 });
});

test("who may see the calls of an archive of schema 3 stays as it was", async () => {
  const directory = await createFolder();
  createSchema1(directory);
  using archive = new DatabaseSync(join(directory, "archive.db"));
  archive.exec(`${ARCHIVE_SCHEMA[1]}; ${ARCHIVE_SCHEMA[2]}; PRAGMA user_version = 3;
    INSERT INTO call (id, call_id, digest, record) VALUES
      (1, 'a', x'00', '{"agent":" Ann "}'), (2, 'b', x'00', '{"agent":"Bob"}'), (3, 'c', x'00', '{}')`);

  await using store = await openStore({ directory });
  const seen = async (callId: string, allowed: string) =>
    (await store.calls.byCallId(callId, [{ field: "agent", allowed: [allowed] }])).length;
  expect([await seen("a", "ann"), await seen("b", "ann"), await seen("c", "ann")]).toEqual([
    1, 0, 0,
  ]);
  expect(await store.calls.byCallId("c", [])).toHaveLength(1);
});

function createSchema1(directory: string): void {
  using archive = new DatabaseSync(join(directory, "archive.db"));
  archive.exec(`${ARCHIVE_SCHEMA[0]}; PRAGMA user_version = 1; PRAGMA journal_mode = WAL;
    INSERT INTO setting VALUES ('time_zone', 'UTC');
    INSERT INTO user VALUES (7, 'user7', 1, '${JSON.stringify(toUser(7))}');
    INSERT INTO application VALUES ('app', 'key', 7, 1, NULL);
    INSERT INTO bearer VALUES ('hash of a token', 't1', 'token', 7, 'app', 2, 9, NULL);
    INSERT INTO bearer VALUES ('hash of a key', 'k1', 'key', 7, NULL, 3, NULL, 4);
  `);
}
