// Searches by beginnings of words in every adapter, of more calls than are looked through for two letters.
import { parseQuery } from "@call-media/words";
import { describe, expect, test } from "vitest";
import type { CallSearch } from "../src/index.ts";
import { createMemoryStore } from "../src/memory/memory-store.ts";
import { createStore } from "../src/sqlite/sqlite-store.ts";
import { query } from "../src/suite/records.ts";
import { MAX_CALLS_OF_BEGINNING } from "../src/values/beginnings.ts";
import { describeBeginnings, describeHiddenBeginnings, fillLarge } from "./support/beginnings.ts";
import { closing } from "../src/suite/stores.ts";
import { createFolder } from "./support/archives.ts";
import { usePostgres } from "./support/postgres.ts";

const createInFolder = async () => createStore({ directory: await createFolder() });

describe.each([
  ["SQLite", createInFolder],
  ["PostgreSQL", usePostgres().create],
])("the store in %s", (_, create) => {
  describeBeginnings(closing(create));
  describeHiddenBeginnings(closing(create));
});

describe("the store in memory", () => {
  describeHiddenBeginnings(closing(async () => createMemoryStore()));
});

test("a beginning that codes do not tell is looked for in so many calls, unless none is hidden", async () => {
  await using store = await createInFolder();
  await fillLarge(store, MAX_CALLS_OF_BEGINNING + 2, [
    "zealousness \u0432\u043e\u0437\u0432\u0440\u0430\u0442",
  ]);
  const count = async (words: string, more: Partial<CallSearch> = {}) => {
    const visibility = [{ field: "agent", allowed: ["ann"] }] as const;
    const asked = query({ words: parseQuery(words), visibility, ...more });
    return (await store.calls.search(asked)).recordCount;
  };
  const refused = { reason: "broad", message: expect.stringContaining("give 9 letters") };
  for (const words of [
    "zealousness*",
    "zealousnesses*",
    "\u0432\u043e\u0437\u0432\u0440\u0430\u0442*",
  ]) {
    await expect(count(words)).rejects.toMatchObject(refused);
    expect(await count(words, { visibility: [{ field: "agent", allowed: ["bob"] }] })).toBe(
      Number(words !== "zealousnesses*"),
    );
  }
  expect(await count("zealousne*")).toBe(MAX_CALLS_OF_BEGINNING + 1);
  // A page that few calls fill is not refused.
  expect(await count("zealousness*", { isCounted: false })).toBe(undefined);
  expect(await count("zealousness*", { visibility: "everything" })).toBe(
    MAX_CALLS_OF_BEGINNING + 2,
  );
});
