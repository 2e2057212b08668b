import { fieldsOf } from "@call-media/api";
import { expect, test } from "vitest";
import type { FilterField, MetadataRecord } from "../index.ts";
import { call, fill, query } from "./records.ts";
import type { CreateStore } from "./stores.ts";

const FIELDS: readonly FilterField[] = [
  ...fieldsOf("MetadataFilter"),
  ...fieldsOf("CustomFieldsFilter"),
];
const INTEGERS: ReadonlySet<string> = new Set(["handle_time", "talk_time"]);
const DATETIME = "2025-05-01T10:00:00Z";

export function describeFilters(create: CreateStore): void {
  test("every filter field of the contract finds its own value, in that field alone", async () => {
    const store = await create();
    await fill(
      store,
      FIELDS.map((field, index) =>
        call({ datetime: DATETIME, lead_id: null, [field]: valueOf(field), notes: String(index) }),
      ),
    );

    for (const [index, field] of FIELDS.entries()) {
      const { records, recordCount } = await store.calls.search(
        query({ filter: { [field]: valueOf(field) } }),
      );
      expect(
        records.map(({ notes }) => notes),
        field,
      ).toEqual([String(index)]);
      expect(recordCount, field).toBe(1);
    }
    expect(FIELDS).toHaveLength(61);
  });

  test("several filters hold at once", async () => {
    const store = await create();
    const fields = {
      agent: "ann",
      campaign: "Sales",
      talk_time: 60,
      custom_field_20: "x",
    } as const;
    const partial = (left: keyof typeof fields) =>
      call({ ...fields, [left]: null, datetime: DATETIME, notes: left });
    await fill(store, [
      call({ ...fields, datetime: DATETIME, notes: "all" }),
      partial("agent"),
      partial("campaign"),
      partial("talk_time"),
      partial("custom_field_20"),
    ]);

    const { records } = await store.calls.search(query({ filter: fields }));

    expect(records.map(({ notes }) => notes)).toEqual(["all"]);
  });

  test.each<
    [
      why: string,
      field: keyof MetadataRecord,
      stored: string | number,
      asked: string | number,
      isFound: boolean,
    ]
  >([
    ["letter case is ignored", "agent", "Ann.Lee", "aNN.lEE", true],
    ["spaces around are trimmed from what is asked", "agent", "ann", "  ann\t", true],
    ["spaces around are trimmed from what is stored", "agent", " ann ", "ann", true],
    ["spaces within count", "agent", "ann lee", "annlee", false],
    ["a part is no match", "agent", "ann lee", "ann", false],
    ["wildcards are letters like others", "agent", "ann lee", "ann*", false],
    ["operators of the index are letters like others", "agent", "ann OR lee", "ann", false],
    ["quotes are letters like others", "agent", `o'neil "x"`, `O'NEIL "X"`, true],
    ["case folding is Unicode's", "city", "ΣΊΣΥΦΟΣ", "σίσυφος", true],
    ["folding is simple: sharp s is not ss", "city", "Straße", "STRASSE", false],
    ["accents count", "city", "Zürich", "Zurich", false],
    ["composed and decomposed letters stay apart", "city", "Zu\u0308rich", "Z\u00fcrich", false],
    ["letters beyond the first plane are folded too", "city", "\u{10400}", "\u{10428}", true],
    [
      "telephone numbers compare their digits",
      "phone_number1",
      "+1 (415) 555-0100",
      "14155550100",
      true,
    ],
    [
      "a country code is part of a telephone number",
      "phone_number2",
      "+1 415 555 0100",
      "4155550100",
      false,
    ],
    ["a number without digits is compared as text", "phone_number3", "Withheld", "withheld", true],
    ["digits alone are compared in telephone numbers only", "zip", "AB 1", "AB-1", false],
    ["integers are compared as numbers", "talk_time", 60, 60, true],
    ["an integer is compared whole", "talk_time", 600, 60, false],
    ["zero is a value", "handle_time", 0, 0, true],
    ["an empty text is a value", "agent", "", " ", true],
  ])("%s", async (_why, field, stored, asked, isFound) => {
    const store = await create();
    await fill(store, [call({ datetime: DATETIME, [field]: stored })]);

    const { records, recordCount } = await store.calls.search(
      query({ filter: { [field]: asked } }),
    );

    expect(records).toHaveLength(isFound ? 1 : 0);
    expect(recordCount).toBe(isFound ? 1 : 0);
  });

  test("null matches nothing, not even the word", async () => {
    const store = await create();
    await fill(store, [call({ datetime: DATETIME, agent: null })]);

    for (const agent of ["null", "", "undefined"]) {
      expect((await store.calls.search(query({ filter: { agent } }))).records, agent).toEqual([]);
    }
  });
}

function valueOf(field: FilterField): string | number {
  return INTEGERS.has(field) ? 77 : "one value 77";
}
