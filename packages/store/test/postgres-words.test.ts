// Searches by words in PostgreSQL: what the suite asks of any adapter, and what is so in this one alone.
import { parseQuery } from "@call-media/words";
import { describe, expect, test } from "vitest";
import type { CallStore, Visibility } from "../src/index.ts";
import { call, fill, message, query } from "../src/suite/records.ts";
import { closing } from "../src/suite/stores.ts";
import { describeWords } from "../src/suite/words.ts";
import { toVector } from "../src/postgres/words.ts";
import { usePostgres } from "./support/postgres.ts";

const { create } = usePostgres();

describe("the store in PostgreSQL: searches by words (D30)", () => {
  describeWords(closing(create));
});

const AT = "2025-05-01T10:00:00Z";

const find = async (
  store: CallStore,
  words: string,
  more: Partial<Parameters<typeof query>[0]> = {},
) => {
  const { records, recordCount } = await store.calls.search(
    query({ words: parseQuery(words), ...more }),
  );
  expect(recordCount).toBe(records.length);
  return records.map(({ call_id }) => String(call_id)).toSorted();
};

test("a text with more words than PostgreSQL indexes is searched as a whole", async () => {
  await using store = await create();
  const many = Array.from({ length: 90_000 }, (_, index) => `word${index}aaaaaaaa`).join(" ");
  expect(toVector({ texts: [many], numbers: [] })).toBe("'\u2026'");
  await fill(store, [
    call({ call_id: "long", datetime: AT, transcript: `${many} refund`, ani: "6145550121" }),
    call({ call_id: "short", datetime: AT, notes: "refund" }),
  ]);
  expect(await find(store, "refund")).toEqual(["long", "short"]);
  expect(await find(store, "word77aaaaaaaa")).toEqual(["long"]);
  expect(await find(store, "0121")).toEqual(["long"]);
  expect(await find(store, '"aaa refund"')).toEqual([]);
  const visibility: Visibility = [{ field: "agent", allowed: ["ann"] }];
  expect(await find(store, "refund", { visibility })).toEqual([]);
});

test("a right to a field without a place in the index is kept", async () => {
  await using store = await create();
  await fill(store, [
    call({ call_id: "A", datetime: AT, notes: "refund", disposition: "sold" }),
    call({ call_id: "B", datetime: AT, notes: "refund", disposition: "lost" }),
  ]);
  const visibility: Visibility = [{ field: "disposition", allowed: ["sold"] }];
  expect(await find(store, "refund", { visibility })).toEqual(["A"]);
  expect(await find(store, "refund", { filter: { disposition: "lost" } })).toEqual(["B"]);
});

test("a call and its chat that are imported at the same time find each other", async () => {
  await using store = await create();
  const ids = Array.from({ length: 40 }, (_, index) => `call ${index}`);
  for (const at of ids)
    await Promise.all([
      fill(store, [call({ call_id: at, datetime: AT })]),
      fill(store, [{ kind: "chat", record: message(at, "a refund", AT) }]),
    ]);
  expect(await find(store, "refund")).toEqual(ids.toSorted());
});

test("a month whose calls are all erased leaves no words", async () => {
  await using store = await create();
  await fill(store, [
    call({ call_id: "A", datetime: "2025-01-15T10:00:00Z", notes: "termination" }),
    call({ call_id: "B", datetime: AT, notes: "termination" }),
  ]);
  await store.maintenance.erase({ before: "2025-03-01" }, { operator: "olive" });
  expect(await find(store, "termination")).toEqual(["B"]);
});
