// An archive that an earlier program made opens, with everything that was in it.
import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { MetadataRecord, Recording } from "../src/index.ts";
import { examine } from "../src/keeping/index.ts";
import { toIdentity } from "../src/sqlite/writing/call-digest.ts";
import { Connection } from "../src/sqlite/files/connection.ts";
import { ARCHIVE_SCHEMA } from "../src/sqlite/schema/archive-schema.ts";
import { LAST_UNDATED_ID, toLastId } from "../src/sqlite/order-key.ts";
import { createStore, openStore } from "../src/sqlite/sqlite-store.ts";
import { createFolder } from "./support/archives.ts";
import { call, fill, query, toRecord, toUser } from "./support/records.ts";

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

test("the flags of an archive of schema 1 are found by their names", async () => {
  const directory = await createFolder();
  createSchema1(directory);
  const flag = { Id: 3, Type: "Public", Name: "Straße", DateCreated: "", DateModified: "" };
  using archive = new DatabaseSync(join(directory, "archive.db"));
  archive
    .prepare("INSERT INTO flag (id, type, record) VALUES (?, ?, ?)")
    .run(flag.Id, flag.Type, JSON.stringify(flag));

  await using store = await openStore({ directory });
  expect(await store.users.publicFlags(["STRAßE"])).toEqual([flag]);
  expect(await store.users.publicFlags(["strasse"])).toEqual([]);
  expect((await examine(directory)).filter(({ where }) => where.endsWith(".db"))).toEqual([]);
});

const RECORDS: readonly Partial<MetadataRecord>[] = [
  {
    call_id: "a",
    ref_id: "R",
    agent: " Ann ",
    talk_time: 0,
    recordings: "a.wav",
    datetime: "2025-05-01T10:00:00Z",
  },
  { call_id: "b", agent: "Bob", notes: 'said "no"', datetime: "2025-05-01T10:00:00Z" },
  { call_id: "c", skill: "x" },
  { ref_id: "R", agent: "ann", custom_field_20: "ä", datetime: "2025-05-02 10:00:00" },
];

test.each([1, 5])(
  "the calls of an archive of schema %i are what they were: read, searched, seen, and the same when they come again",
  async (version) => {
    const directory = await createFolder();
    const records = RECORDS.map((fields) => toRecord(fields));
    createCalls(directory, version, records);
    const told: [number, number][] = [];

    await using store = await openStore({
      directory,
      onUpgrade: (done, total) => told.push([done, total]),
    });
    // Written anew, then indexed.
    expect(told).toEqual([
      [4, 4],
      [4, 4],
    ]);
    const [a, b, c, anonymous] = records;
    expect(await store.calls.byCallId("a", [])).toEqual([a]);
    expect(await store.calls.byCallId("b", [])).toEqual([b]);
    expect(await store.calls.byCallId("c", [])).toEqual([c]);
    expect(await store.calls.byReference("R", [])).toEqual([anonymous, a]);
    const ofAnn = [{ field: "agent" as const, allowed: ["ann"] }];
    expect(await store.calls.byCallId("b", ofAnn)).toEqual([]);
    expect(await store.calls.byReference("S", ofAnn)).toEqual([a]);
    const search = { filter: { agent: "ANN" }, visibility: ofAnn };
    const { records: found, recordCount } = await store.calls.search(query(search));
    expect([found, recordCount]).toEqual([[anonymous, a], 2]);
    expect(await store.calls.recordings({ callId: "a" }, [])).toMatchObject([
      { filename: "a.wav" },
    ]);

    const items = records.map((record, index) =>
      call(record, index === 0 ? { sessionId: "S", recordings: [RECORDING] } : {}),
    );
    expect(await fill(store, items)).toEqual(Array(4).fill("unchanged"));
    expect((await examine(directory)).filter(({ where }) => where.endsWith(".db"))).toEqual([]);
  },
);

test.each([
  [16, "DROP TABLE crowd; DROP TABLE crowd_block"],
  [18, ""],
])(
  "an archive of schema %i is indexed anew and gets crowds, though a record is damaged",
  async (schema, drop) => {
    const directory = await createFolder();
    const toCall = (agent: string, index: number) =>
      call({ call_id: `c${index}`, agent }, { sessionId: "S" });
    {
      await using store = await createStore({ directory });
      const hidden = Array.from({ length: 100 }, (_, index) => toCall("bob", index));
      await fill(store, [...hidden, toCall("ann", 100)]);
    }
    using archive = new DatabaseSync(join(directory, "archive.db"));
    archive.exec(`DELETE FROM index_piece; DELETE FROM index_page; DELETE FROM index_block; DROP TABLE large_crowd; ${drop};
    UPDATE call SET record = '[' WHERE call_id = 'c7'; PRAGMA user_version = ${schema}`);

    await using store = await openStore({ directory });
    const ofAnn = [{ field: "agent" as const, allowed: ["ann"] }];
    expect(await store.calls.byReference("S", ofAnn)).toEqual([toCall("ann", 100).record]);
    await expect(store.calls.byCallId("c7", [])).rejects.toThrow("damaged");
  },
);

test("an archive of schema 20 gets the list of its large crowds", async () => {
  const directory = await createFolder();
  const legs = Array.from({ length: 1_000 }, (_, leg) =>
    call({ call_id: "c", ref_id: String(leg), agent: leg < 999 ? "bob" : "ann" }, {}),
  );
  {
    await using store = await createStore({ directory });
    await fill(store, legs);
  }
  using archive = new DatabaseSync(join(directory, "archive.db"));
  archive.exec(`DROP TABLE large_crowd; PRAGMA user_version = 20;
    CREATE TABLE crowd_values (term INTEGER PRIMARY KEY, bits BLOB NOT NULL) STRICT`);

  await using store = await openStore({ directory });
  expect(await examine(directory)).toEqual([]);
  const ofAnn = [{ field: "agent" as const, allowed: ["ann"] }];
  expect(await store.calls.byCallId("c", ofAnn)).toMatchObject([{ ref_id: "999" }]);
});

test("an upgrade that fails leaves the archive as it was, and the next one completes it", async () => {
  const directory = await createFolder();
  createCalls(directory, 5, [toRecord({ call_id: "a" })]);
  const fail = () => {
    throw new Error("the disk is full");
  };
  await expect(openStore({ directory, onUpgrade: fail })).rejects.toThrow("the disk is full");

  await using store = await openStore({ directory });
  expect(await store.calls.byCallId("a", [])).toHaveLength(1);
});

test("a call that was damaged before an upgrade is still found to be", async () => {
  const directory = await createFolder();
  createCalls(directory, 5, [toRecord({ call_id: "a", agent: "ann" }), toRecord({ call_id: "b" })]);
  using archive = new DatabaseSync(join(directory, "archive.db"));
  archive.exec("UPDATE call SET record = json_set(record, '$.agent', 'eve') WHERE call_id = 'a'");
  await (await openStore({ directory }))[Symbol.asyncDispose]();

  expect(await examine(directory)).toContainEqual(
    expect.objectContaining({ what: "calls are not what was imported: 1, call_id a for one" }),
  );
});

const RECORDING: Recording = {
  filename: "a.wav",
  media: { sha256: "0".repeat(64), bytes: 1, type: "audio/wav", modifiedMs: 0 },
};

/** As the program wrote it: a record as a JSON object without call_id and ref_id. The first has a recording. */
function createCalls(directory: string, version: number, records: readonly MetadataRecord[]): void {
  createSchema1(directory);
  using archive = new Connection(join(directory, "archive.db"));
  archive.function("combination_of", (_record) => "");
  for (const step of ARCHIVE_SCHEMA.slice(1, version)) archive.exec(String(step));
  archive.exec(`PRAGMA user_version = ${version};
    INSERT INTO media (sha256, bytes, type, modified_ms) VALUES ('${"0".repeat(64)}', 1, 'audio/wav', 0)`);
  const insert = archive.prepare(
    "INSERT INTO call (id, call_id, ref_id, session_id, identity, digest, record) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  for (const [index, record] of records.entries()) {
    const { call_id, ref_id, datetime, ...fields } = record;
    const instantMs = datetime === null ? undefined : Date.parse(datetime.replace(/Z?$/, "Z"));
    const id =
      instantMs === undefined
        ? LAST_UNDATED_ID - BigInt(index)
        : toLastId(instantMs) - BigInt(index);
    const filled = Object.entries({ datetime, ...fields }).filter(([, value]) => value !== null);
    const stored = JSON.stringify(Object.fromEntries(filled));
    const isFirst = index === 0 && datetime !== null;
    const sessionId = isFirst ? "S" : null;
    const files = isFirst ? [["a.wav", null, "0".repeat(64)]] : [];
    const digest = toHash([call_id, ref_id, sessionId, null, files], stored);
    const identity = call_id === null ? null : toIdentity(record);
    insert.run(id, call_id, ref_id, sessionId, identity, digest, stored);
    if (isFirst)
      archive
        .prepare("INSERT INTO recording VALUES (?, 1, 'a.wav', NULL, ?)")
        .run(id, "0".repeat(64));
  }
}

function toHash(values: readonly unknown[], text: string): Uint8Array {
  return hash("sha256", JSON.stringify(values) + text, "buffer").subarray(0, 16);
}

function createSchema1(directory: string): void {
  using archive = new DatabaseSync(join(directory, "archive.db"));
  archive.exec(`${String(ARCHIVE_SCHEMA[0])}; PRAGMA user_version = 1; PRAGMA journal_mode = WAL;
    INSERT INTO setting VALUES ('time_zone', 'UTC');
    INSERT INTO user VALUES (7, 'user7', 1, '${JSON.stringify(toUser(7))}');
    INSERT INTO application VALUES ('app', 'key', 7, 1, NULL);
    INSERT INTO bearer VALUES ('hash of a token', 't1', 'token', 7, 'app', 2, 9, NULL);
    INSERT INTO bearer VALUES ('hash of a key', 'k1', 'key', 7, NULL, 3, NULL, 4);
  `);
}
