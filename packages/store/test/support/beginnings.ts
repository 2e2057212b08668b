// Beginnings of words (D30): what is refused depends on the calls that the caller sees, and on nothing else.
import { parseQuery } from "@call-media/words";
import { expect, test } from "vitest";
import type { CallSearch, CallStore, Visibility } from "../../src/index.ts";
import { MAX_CALLS_OF_BEGINNING } from "../../src/values/beginnings.ts";
import { PAGE_SIZE } from "../../src/values/page-size.ts";
import { call, fill, query } from "../../src/suite/records.ts";
import type { CreateStore } from "../../src/suite/stores.ts";

const NOTES = ["zebra", "zealous call", "meter", "zed, \u00e9t\u00e9"];
const BATCH = 1_000;

/** Calls of one agent, so many that two letters are too few, and some of another. */
async function createLarge(create: CreateStore): Promise<CallStore> {
  const store = await create();
  await fillLarge(store, MAX_CALLS_OF_BEGINNING + 1);
  return store;
}

export async function fillLarge(
  store: CallStore,
  calls: number,
  notesOf: readonly string[] = NOTES,
): Promise<void> {
  const many = Array.from({ length: calls - notesOf.length }, (_, index) =>
    call({
      call_id: `c${index}`,
      datetime: AT,
      agent: "ann",
      notes: notesOf[index % notesOf.length] ?? null,
    }),
  );
  const few = notesOf.map((notes, index) =>
    call({ call_id: `b${index}`, datetime: AT, agent: "bob", notes }),
  );
  for (let from = 0; from < many.length; from += BATCH)
    await fill(store, many.slice(from, from + BATCH));
  await fill(store, few);
}

// In hidden calls, in others, or nowhere.
const WORDS =
  'ze*|qq*|zea*|ze1*|ze1x3*|zealous*|zealousness*|zealousnessof1*|zealousnessof111|\u00e9z*|\u00e9t*|"call ze*"|"zealous ca*"|meter ze*|1005|6145551005'.split(
    "|",
  );

const AT = "2025-05-01T10:00:00Z";
const BOB: Visibility = [{ field: "agent", allowed: ["bob"] }];

export function describeBeginnings(create: CreateStore): void {
  test("two letters are looked for in so many calls, more letters in any number", async () => {
    const store = await createLarge(create);
    const count = async (words: string, more: Partial<Parameters<typeof query>[0]> = {}) =>
      (await store.calls.search(query({ words: parseQuery(words), ...more }))).recordCount;
    const refused = { reason: "broad", message: expect.stringContaining("at most 10,000 calls") };

    for (const words of ["ze*", "qq*", "meter ze*", '"zealous ca*"'])
      await expect(count(words)).rejects.toMatchObject(refused);
    expect(await count("ze*", { filter: { agent: "ann" } })).toBeGreaterThan(7_000);
    expect(await count("zea*")).toBe(2_500);
    expect(await count("\u00e9t\u00e9*")).toBe(2_500);
    // Whoever sees few calls is refused nothing, whatever there is besides.
    const page = await store.calls.search(query({ words: parseQuery("ze*"), visibility: BOB }));
    expect([page.recordCount, page.records.map(({ call_id }) => call_id)]).toEqual([
      3,
      ["b0", "b1", "b3"],
    ]);
    expect(await store.calls.search(query({ words: parseQuery("qq*"), visibility: BOB }))).toEqual({
      records: [],
      recordCount: 0,
      hasNext: false,
      pageSize: PAGE_SIZE,
    });
  });

  test("pages of a short beginning follow each other", async () => {
    const store = await create();
    const found = Array.from({ length: 2 * PAGE_SIZE + 1 }, (_, index) => `c${index}`);
    const calls = found.flatMap((call_id) => [
      call({ call_id, datetime: AT, notes: "zed" }),
      call({ call_id: `not ${call_id}`, datetime: AT }),
    ]);
    await fill(store, calls);
    const pages = [0, 1, 2].map((pageIndex) => ({ words: parseQuery("ze*"), pageIndex }));
    for (const isCounted of [false, true]) {
      const asked = pages.map((page) => store.calls.search(query({ ...page, isCounted })));
      const read = await Promise.all(asked);
      expect(read.flatMap(({ records }) => records.map(({ call_id }) => call_id))).toEqual(found);
      expect(read.map(({ hasNext }) => hasNext)).toEqual([true, true, false]);
    }
  });
}

/** Takes longer: two large archives. */
export function describeHiddenBeginnings(create: CreateStore): void {
  test("calls that are hidden change neither what is found nor what is refused", async () => {
    const [alone, among] = [await create(), await create()];
    for (const store of [alone, among]) await fillLarge(store, MAX_CALLS_OF_BEGINNING - 10);
    const hidden = Array.from({ length: 30 }, (_, index) =>
      call({
        call_id: `h${index}`,
        datetime: AT,
        agent: "eve",
        ani: `614555${1_000 + index}`,
        notes: Array.from(
          { length: 400 },
          (_value, word) => `ze${index}x${word} zealousnessof${index * 400 + word} \u00e9z${word}`,
        ).join(" "),
      }),
    );
    await fill(among, hidden);
    const ask = (store: CallStore, search: CallSearch) =>
      store.calls.search(search).catch(({ name, message }: Error) => ({ name, message }));
    const rights = [["ann"], ["bob"], ["nobody"]].map((allowed): Visibility => [
      { field: "agent", allowed },
    ]);
    const tries = rights.flatMap((visibility) =>
      WORDS.flatMap((words) =>
        [true, false].map((isCounted) =>
          query({ words: parseQuery(words), visibility, isCounted, pageIndex: Number(isCounted) }),
        ),
      ),
    );
    for (const search of tries)
      expect(await ask(among, search), JSON.stringify(search)).toEqual(await ask(alone, search));
  });
}
