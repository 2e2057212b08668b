// A search index of which the disk has changed a bit: no search answers by it, no import spreads it, and copies name it.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, expect, test } from "vitest";
import { openStore } from "../src/sqlite/sqlite-store.ts";
import { call, fill, query } from "../src/suite/records.ts";
import { createFolder } from "./support/archives.ts";
import { change } from "./support/examined.ts";
import { AT, createFull } from "./support/full-archive.ts";
import { backUp, examine, rebuildIndex, restore } from "./support/maintenance.ts";

const PLACES = [
  ["index_page", "bytes"],
  ["index_block", "bytes"],
  ["index_segment", "firsts"],
  ["index_segment", "first_terms"],
  ["index_segment", "sums"],
] as const;

/** Flips a bit in the middle of each of these values; gives how many there are. */
function flip(directory: string, table: string, column: string): number {
  using database = new DatabaseSync(join(directory, "archive.db"));
  const rows = database.prepare(`SELECT id, ${column} AS bytes FROM ${table}`).all();
  const write = database.prepare(`UPDATE ${table} SET ${column} = ? WHERE id = ?`);
  for (const { id, bytes } of rows) {
    const flipped = Buffer.from(bytes as Uint8Array);
    flipped.writeUInt8(flipped.readUInt8(flipped.length >> 1) ^ 4, flipped.length >> 1);
    write.run(flipped, Number(id));
  }
  return rows.length;
}

const damaged = { name: "StoreFault", reason: "damaged" };

let directory: string;
beforeEach(async () => {
  directory = await createFull();
  await rebuildIndex({ directory });
});

describe.each(PLACES)("one bit of %s.%s", (table, column) => {
  test("is damage to a search that reads it, to the doctor and in a backup, and reindex mends it", async () => {
    expect(flip(directory, table, column)).toBeGreaterThan(0);
    {
      await using store = await openStore({ directory });
      const search = query({ filter: { agent: "nobody" } });
      await expect(store.calls.search(search)).rejects.toMatchObject(damaged);
      // Look-ups do without it.
      expect(await store.calls.byCallId("a", "everything")).toHaveLength(1);
    }
    const indexFault = expect.stringMatching(/^the search index is damaged: /);
    expect(await examine(directory)).toMatchObject([{ level: "error", what: indexFault }]);
    const to = join(await createFolder(), "backup");
    expect(await backUp({ from: directory, to })).toMatchObject({ damagedRecords: [], indexFault });
    const target = join(await createFolder(), "restored");
    expect(await restore({ from: to, to: target })).toMatchObject({ indexFault });
    await rebuildIndex({ directory: target });
    expect(await examine(target)).toEqual([]);
    await using store = await openStore({ directory: target });
    expect(await store.calls.search(query({}))).toMatchObject({ recordCount: 5 });
  });
});

test("an import does not write what is damaged anew, as if it were well", async () => {
  await using store = await openStore({ directory });
  flip(directory, "index_page", "bytes");
  const again = call(
    { call_id: "declared", datetime: AT, notes: "more" },
    { identity: ["1", "x"] },
  );
  const merging = Array.from(
    { length: 9 },
    (_, n) => () => fill(store, [n === 0 ? again : call({ call_id: `n${n}`, datetime: AT })]),
  );
  let fault: unknown;
  for (const step of merging) await step().catch((error: unknown) => (fault ??= error));
  expect(fault).toMatchObject({ ...damaged, message: expect.stringContaining('("reindex")') });
});

test("removed calls are as many as are marked", async () => {
  change(directory, "UPDATE index_segment SET removed_count = 1, removed = x'00000000'");
  await using store = await openStore({ directory });
  await expect(store.calls.search(query({}))).rejects.toMatchObject(damaged);
});

test("the index of an earlier program, which has no checksums, is searched as it is", async () => {
  change(directory, "ALTER TABLE index_segment DROP COLUMN sums");
  await using store = await openStore({ directory });
  expect(await store.calls.search(query({}))).toMatchObject({ recordCount: 5 });
});
