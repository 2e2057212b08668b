// Random imports and erasures: each row must have the same result as in memory, and the archives must be equal.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { CallStore, ErasureFilter } from "../index.ts";
import { createMemoryStore } from "../memory/memory-store.ts";
import { adding, erasure, FILES, readAll, type Row, row, toItems } from "./random-archive.ts";
import { query } from "./records.ts";
import { close, type CreateStore, type Extent, toRuns } from "./stores.ts";

/** A step of the sequence: rows of one import, or an erasure. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.array(row, { minLength: 1, maxLength: 8 }) },
  { weight: 1, arbitrary: erasure },
);
type Step = readonly Row[] | ErasureFilter;

const RUNS = 12;

export function describeImportModel(create: CreateStore, extent: Extent): void {
  test("each step comes to the same, and leaves the same archive", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
        const [store, model] = [await create(), createMemoryStore()];
        for (const one of steps) expect(await take(store, one)).toEqual(await take(model, one));
        expect(await readAll(store)).toEqual(await readAll(model));
        expect(await store.importedRows()).toEqual(await model.importedRows());
        await close(store);
      }),
      toRuns(RUNS, extent),
    );
  });

  test("what a scan reads makes the same archive again", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 3 }), async (steps) => {
        const [store, again] = [await create(), await create()];
        for (const one of steps) await take(store, one);
        fc.pre(!(await hasTwins(store)));
        await copy(store, again);
        expect(await readAll(again)).toEqual(await readAll(store));
        const pages = [store, again].map((one) => one.calls.search(query({})));
        const [expected, found] = await Promise.all(pages);
        expect(found?.records).toEqual(expected?.records);
        await close(store);
        await close(again);
      }),
      toRuns(RUNS, extent),
    );
  });
}

/**
 * True if two records of a call differ only in that one of them has a declared identity. By D32 they are the same record, whose source
 * started to declare the identity. A copy therefore has only one of them.
 */
async function hasTwins(store: CallStore): Promise<boolean> {
  const known = new Map<string, Set<boolean>>();
  await using scan = await store.maintenance.scan();
  for await (const { items } of scan.rows())
    for (const item of items) {
      if (item.kind !== "call" || item.record.call_id === null) continue;
      const { identity, ...rest } = item;
      const text = JSON.stringify(rest);
      known.set(text, (known.get(text) ?? new Set()).add(identity === undefined));
    }
  return [...known.values()].some(({ size }) => size > 1);
}

async function copy(store: CallStore, again: CallStore): Promise<void> {
  for (const filename of FILES) await adding(again)(filename);
  await using scan = await store.maintenance.scan();
  await using session = await again.openImport();
  for await (const { items } of scan.rows())
    expect(await session.write([items])).toEqual(["imported"]);
}

async function take(store: CallStore, one: Step): Promise<unknown> {
  if (isRows(one)) return await importRows(store, one);
  const { calls, chats, files, fileBytes } = await store.maintenance.erase(one, { operator: "o" });
  return { calls, chats, files, fileBytes };
}

const isRows = (one: Step): one is readonly Row[] => Array.isArray(one);

async function importRows(store: CallStore, rows: readonly Row[]) {
  const items = await toItems(rows, adding(store));
  await using session = await store.openImport();
  return await session.write(items);
}
