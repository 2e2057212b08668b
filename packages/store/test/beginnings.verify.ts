// Searches by beginnings of words in every adapter, of more calls than are looked through for two letters.
import { describe } from "vitest";
import { createMemoryStore } from "../src/memory/memory-store.ts";
import { createStore } from "../src/sqlite/sqlite-store.ts";
import { describeBeginnings, describeHiddenBeginnings } from "./support/beginnings.ts";
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
