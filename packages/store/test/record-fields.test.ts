// Records come as they were imported, field by field, in the contract's order, whatever the archive has beside it.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fieldsOf } from "@call-media/api";
import { expect, onTestFinished, test } from "vitest";
import type { CallStore, MetadataRecord } from "../src/index.ts";
import { openStore } from "../src/sqlite/sqlite-store.ts";
import { createArchive } from "./support/archives.ts";
import { rewrite } from "./support/examined.ts";
import { toRowDigest } from "../src/values/row-digest.ts";
import { call, fill, query, toRecord } from "../src/suite/records.ts";

const FIELDS = fieldsOf("MetadataRecord");
const AT_NOON = "2025-06-01T12:00:00Z";
const FULL = {
  ...(Object.fromEntries(
    FIELDS.map((field) => [field, `of ${field}`]),
  ) as unknown as MetadataRecord), // but for the next three
  datetime: AT_NOON,
  handle_time: 75,
  talk_time: 0,
};

test("an archive that lists the fields in another order gives them in the contract's", async () => {
  const { directory } = await createArchive();
  rewrite(
    directory,
    `CREATE TEMP TABLE other AS SELECT name FROM record_field ORDER BY place DESC;
     DELETE FROM record_field;
     INSERT INTO record_field (name) SELECT name FROM other ORDER BY rowid;`,
  );
  const store = await open(directory);
  const records = [FULL, toRecord({ call_id: "b", datetime: AT_NOON, agent: "ann", notes: "n" })];
  await fill(
    store,
    records.map((record) => call(record)),
  );

  await expectFound(store, records);
});

test("a field of a newer program comes last, where it has a value", async () => {
  const { directory } = await createArchive();
  rewrite(directory, "INSERT INTO record_field (name) VALUES ('next_field')");
  const store = await open(directory);
  const older = toRecord({ call_id: "a", datetime: AT_NOON });
  const newer = toRecord({ call_id: "b", datetime: AT_NOON });
  await fill(store, [call(older), call(newer)]);
  // After the datetime as many nulls as there are other fields without columns of their own.
  const stored = JSON.stringify([AT_NOON, FIELDS.length - 3, "next"]);
  const digest = Buffer.from(toRowDigest(["b", null, null, null, []], stored)).toString("hex");
  change(
    directory,
    `UPDATE call SET record = '${stored}', digest = x'${digest}' WHERE call_id = 'b'`,
  );

  const filled = { ...newer, next_field: "next" };
  await expectFound(store, [older, filled]);
});

test("a record that is damaged shifts no other to its ids: the page is refused", async () => {
  const { directory, ...store } = await createArchive();
  await fill(
    store,
    ["a", "b", "c"].map((call_id) => call({ call_id, datetime: AT_NOON })),
  );
  change(directory, "UPDATE call SET record = record || ',[]' WHERE call_id = 'b'");

  for (const isCounted of [false, true])
    await expect(store.calls.search(query({ isCounted }))).rejects.toThrow(
      "call_id b is not what was imported",
    );
});

/** By searches with and without a count, and by their ids, the order of the fields included. */
async function expectFound(store: CallStore, expected: readonly MetadataRecord[]): Promise<void> {
  for (const isCounted of [false, true]) {
    const { records } = await store.calls.search(query({ isCounted }));
    expect(records.map(toText)).toEqual(expected.map(toText));
  }
  for (const record of expected) {
    if (record.call_id === null) continue;
    expect((await store.calls.byCallId(record.call_id, "everything")).map(toText)).toEqual([
      toText(record),
    ]);
  }
}

const toText = (record: unknown) => JSON.stringify(record);

function change(directory: string, sql: string): void {
  using database = new DatabaseSync(join(directory, "archive.db"));
  database.exec(sql);
}

async function open(directory: string): Promise<CallStore> {
  const store = await openStore({ directory });
  onTestFinished(() => store[Symbol.asyncDispose]());
  return store;
}
