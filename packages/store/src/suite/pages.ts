import { expect, test } from "vitest";
import type { CallPage, CallSearch } from "../index.ts";
import { call, fill, query } from "./records.ts";
import type { CreateStore } from "./stores.ts";

export function describePages(create: CreateStore): void {
  test("newest first, ties in import order, in a total order over all pages", async () => {
    const store = await create();
    const moments = ["2025-05-01T10:00:00Z", "2025-05-02T10:00:00Z", "2025-05-02T12:00:00+02:00"];
    const items = Array.from({ length: 130 }, (_, index) =>
      call({ call_id: String(index), agent: "ann", datetime: moments[index % 3] ?? null }),
    );
    await fill(store, items);
    const isOlder = (index: number) => index % 3 === 0;
    const indexes = [...items.keys()];
    const expected = [
      ...indexes.filter((index) => !isOlder(index)),
      ...indexes.filter(isOlder),
    ].map(String);

    for (const filter of [{}, { agent: "ANN" }]) {
      const pages = await readPages(store, { filter });
      expect(pages.map(({ records }) => records.length)).toEqual([50, 50, 30, 0]);
      expect(pages.map(({ hasNext }) => hasNext)).toEqual([true, true, false, false]);
      expect(pages.map(({ recordCount }) => recordCount)).toEqual([130, 130, 130, 130]);
      expect(pages.flatMap(({ records }) => records.map(({ call_id }) => call_id))).toEqual(
        expected,
      );
    }
  });

  test("a later import goes behind equal instants that are there already", async () => {
    const store = await create();
    const datetime = "2025-05-01T10:00:00Z";
    await fill(store, [call({ call_id: "1", datetime })]);
    await fill(store, [
      call({ call_id: "2", datetime }),
      call({ call_id: "3", datetime: "2025-05-01T10:00:00.001Z" }),
    ]);

    const { records } = await store.calls.search(query({}));

    expect(records.map(({ call_id }) => call_id)).toEqual(["3", "1", "2"]);
  });

  test("a full last page has no next one", async () => {
    const store = await create();
    await fill(
      store,
      Array.from({ length: 50 }, (_, index) =>
        call({ call_id: String(index), datetime: "2025-05-01T10:00:00Z" }),
      ),
    );

    expect(await store.calls.search(query({}))).toMatchObject({ hasNext: false, recordCount: 50 });
    expect(await store.calls.search(query({ pageIndex: Number.MAX_SAFE_INTEGER }))).toMatchObject({
      records: [],
      hasNext: false,
      recordCount: 50,
    });
  });

  test("what is not asked to be counted is not", async () => {
    const store = await create();

    expect(await store.calls.search(query({ isCounted: false }))).toEqual({
      pageSize: 50,
      records: [],
      hasNext: false,
    });
  });
}

async function readPages(
  store: Awaited<ReturnType<CreateStore>>,
  search: Partial<CallSearch>,
): Promise<CallPage[]> {
  const pages: CallPage[] = [];
  for (const pageIndex of [0, 1, 2, 3])
    pages.push(await store.calls.search(query({ ...search, pageIndex })));
  return pages;
}
