// Records are returned unchanged, field by field, in the contract's order.
import { fieldsOf } from "@call-media/api";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { CallStore, MetadataRecord } from "../index.ts";
import { call, fill, query, toRecord } from "./records.ts";
import { type CreateStore, type Extent, toRuns } from "./stores.ts";

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

export function describeRecordFields(create: CreateStore, extent: Extent): void {
  test("a record that is full, one of a few fields and one of none but a datetime are found as they were", async () => {
    const store = await create();
    const last = FIELDS.at(-1) ?? "notes";
    const records = [
      FULL,
      toRecord({ call_id: "few", datetime: AT_NOON, [last]: "the last one" }),
      toRecord({ call_id: "number", datetime: AT_NOON, talk_time: 7 }),
      toRecord({ datetime: AT_NOON }),
    ];
    await fill(
      store,
      records.map((record) => call(record)),
    );

    await expectFound(store, records);
  });

  test("ids that look like JSON, and none, stay with their records", async () => {
    const store = await create();
    const ids = ['a","b', "],[", "back\\slash", 'quote"', "null", "é\u2028\n", null, "[1]"];
    const records = ids.map((call_id, index) =>
      toRecord({
        call_id,
        ref_id: ids.at(-index) ?? null,
        notes: `of ${index}`,
        datetime: AT_NOON,
      }),
    );
    await fill(
      store,
      records.map((record) => call(record)),
    );

    await expectFound(store, records);
  });

  test("texts of any length and any characters come back", async () => {
    const character = fc.string({ unit: "binary", minLength: 1, maxLength: 1 });
    const some = fc.array(
      character.filter((one) => one !== "\0"),
      { minLength: 1, maxLength: 8 },
    );
    const texts = fc
      .sample(some, toRuns(60, extent).numRuns)
      .map((given, at) => given.join("").repeat(1 + at * at));
    const store = await create();
    const records = texts.map((notes, at) => toRecord({ call_id: `${at}`, notes }));
    await fill(
      store,
      records.map((record) => call(record)),
    );

    for (const record of records)
      expect(await store.calls.byCallId(record.call_id ?? "", "everything")).toEqual([record]);
  });
}

/** By searches with and without a count, and by their ids, including the order of the fields. */
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
