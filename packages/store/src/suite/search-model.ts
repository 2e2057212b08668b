// A search returns the same as ten lines over all records, for any records, filter and rights.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { CallStore, Filter, MetadataRecord, Visibility } from "../index.ts";
import { listRestrictions, restrictTo } from "../values/visibility.ts";
import { PAGE_SIZE } from "../values/page-size.ts";
import { call, fill, query } from "./records.ts";
import { close, type CreateStore, type Extent, toRuns } from "./stores.ts";

const FIELDS = [
  "agent",
  "campaign",
  "skill",
  "custom_field_7",
  "security_field_03",
  "phone_number2",
] as const;
const ZONES = ["UTC", "Europe/London", "Asia/Kolkata"];
const DAYS = ["2025-03-29", "2025-03-30", "2025-03-31"] as const;

// Few values: otherwise nothing would ever match.
const value = fc.constantFrom("a", "A ", "b", "ä", "Ä", "1-2", "12");
const minute = fc.integer({ min: 0, max: 4 * 24 * 60 });
const toRecord = (ofFields: fc.Arbitrary<string | null>) =>
  fc
    .record({
      fields: fc.record(Object.fromEntries(FIELDS.map((field) => [field, ofFields]))),
      minute: fc.option(minute, { freq: 20 }),
      talk_time: fc.integer({ min: 0, max: 2 }),
    })
    .map(({ fields, minute: at, talk_time }): Partial<MetadataRecord> => {
      const datetime = at === null ? null : new Date(Date.UTC(2025, 2, 28, 12, at)).toISOString();
      return { ...fields, datetime, talk_time };
    });
const toFilter = (ofFields: fc.Arbitrary<string>) =>
  fc.record(
    {
      ...Object.fromEntries(FIELDS.map((field) => [field, ofFields])),
      talk_time: fc.integer({ min: 0, max: 2 }),
    },
    { requiredKeys: [] },
  );
const restriction = fc
  .record({ field: fc.constantFrom(...FIELDS), values: fc.array(value, { maxLength: 3 }) })
  .map(({ field, values }) => ({ field, allowed: values.map((text) => toKey(field, text)) }));
const visibility = fc.array(restriction, { maxLength: 2 }).map(restrictTo);
const days = fc
  .tuple(fc.constantFrom(...DAYS), fc.constantFrom(...DAYS))
  .map((pair) => pair.toSorted());

// Four calls in five have it.
const mostly = fc.oneof({ weight: 4, arbitrary: fc.constant("a") }, value);

export function describeSearchModel(create: CreateStore, extent: Extent): void {
  test("pages and counts are those of the model", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(toRecord(fc.option(value)), { maxLength: 160 }),
        fc.array(fc.tuple(toFilter(value), visibility, days), { minLength: 16, maxLength: 16 }),
        fc.constantFrom(...ZONES),
        (records, questions, timeZone) => expectSearches(create, { records, questions, timeZone }),
      ),
      toRuns(12, extent),
    );
  });

  test("so they are where some values are dense, others rare", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(toRecord(mostly), { minLength: 450, maxLength: 500 }),
        fc.array(fc.tuple(toFilter(mostly), visibility, days), { minLength: 24, maxLength: 24 }),
        fc.constantFrom(...ZONES),
        (records, questions, timeZone) => expectSearches(create, { records, questions, timeZone }),
      ),
      toRuns(3, extent),
    );
  });
}

type Question = [filter: Filter, visibility: Visibility, days: string[]];

interface Searched {
  readonly records: readonly Partial<MetadataRecord>[];
  readonly questions: readonly Question[];
  readonly timeZone: string;
}

async function expectSearches(
  create: CreateStore,
  { records, questions, timeZone }: Searched,
): Promise<void> {
  const store = await create(timeZone);
  const numbered = records.map((given, index) => ({ ...given, call_id: String(index) }));
  await importInParts(store, numbered);
  for (const [asked, seen, [startDate = "", endDate = ""]] of questions) {
    const expected = model(numbered, { asked, seen, startDate, endDate, timeZone });
    const alone = query({ filter: asked, visibility: seen, startDate, endDate, isCounted: false });
    const { records: newest, hasNext } = await store.calls.search(alone);
    expect(newest.map(({ call_id }) => call_id)).toEqual(expected.slice(0, PAGE_SIZE));
    expect(hasNext).toBe(expected.length > PAGE_SIZE);
    for (let pageIndex = 0; pageIndex * PAGE_SIZE <= expected.length; pageIndex += 1) {
      const page = await store.calls.search(
        query({ filter: asked, visibility: seen, startDate, endDate, pageIndex }),
      );
      const first = pageIndex * PAGE_SIZE;
      expect(page.records.map(({ call_id }) => call_id)).toEqual(
        expected.slice(first, first + PAGE_SIZE),
      );
      expect(page.recordCount).toBe(expected.length);
      expect(page.hasNext).toBe(expected.length > first + PAGE_SIZE);
    }
  }
  await close(store);
}

/** In several imports that overlap in time; then some of the records again, without a change to a searched field. */
async function importInParts(store: CallStore, records: readonly Partial<MetadataRecord>[]) {
  const items = records.map((given) => call(given));
  const third = Math.ceil(items.length / 3);
  for (const part of [0, 1, 2]) await fill(store, items.slice(part * third, (part + 1) * third));
  const again = records.filter((_, index) => index % 5 === 0);
  await fill(
    store,
    again.map((given) => call({ ...given, notes: "again" })),
  );
}

interface Asked {
  readonly asked: Filter;
  readonly seen: Visibility;
  readonly startDate: string;
  readonly endDate: string;
  readonly timeZone: string;
}

function model(
  records: readonly Partial<MetadataRecord>[],
  { asked, seen, startDate, endDate, timeZone }: Asked,
) {
  const dayOf = new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" });
  const has = (
    given: Partial<MetadataRecord>,
    field: keyof MetadataRecord,
    keys: readonly string[],
  ) => {
    const own = given[field] ?? null;
    return own !== null && keys.includes(toKey(field, own));
  };
  return records
    .filter(
      ({ datetime }) =>
        typeof datetime === "string" &&
        dayOf.format(Date.parse(datetime)) >= startDate &&
        dayOf.format(Date.parse(datetime)) <= endDate,
    )
    .filter((given) =>
      Object.entries(asked).every(([field, text]) =>
        has(given, field as keyof MetadataRecord, [toKey(field, text)]),
      ),
    )
    .filter((given) =>
      listRestrictions(seen).every(({ field, allowed }) => has(given, field, allowed)),
    )
    .toSorted((a, b) => String(b.datetime).localeCompare(String(a.datetime)))
    .map(({ call_id }) => call_id);
}

/** The match key of a value (D08). */
function toKey(field: string, given: string | number): string {
  const text = String(given).trim().toLowerCase();
  return field === "phone_number2" && /\d/.test(text) ? text.replaceAll("-", "") : text;
}
