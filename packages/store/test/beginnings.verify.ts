// Searches by beginnings of words in SQLite and PostgreSQL, of more calls than are looked through for two letters.
import { describe } from "vitest";
import { createStore } from "../src/sqlite/sqlite-store.ts";
import { describeBeginnings } from "./support/beginnings.ts";
import { closing } from "../src/suite/stores.ts";
import { createFolder } from "./support/archives.ts";
import { usePostgres } from "./support/postgres.ts";

const createInFolder = async () => createStore({ directory: await createFolder() });

describe.each([
  ["SQLite", createInFolder],
  ["PostgreSQL", usePostgres().create],
])("the store in %s", (_, create) => {
  describeBeginnings(closing(create));
});
