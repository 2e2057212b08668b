// The adapter for PostgreSQL keeps the port: in the newest version, and in the oldest that an archive can lie in.
import { hasOldestPostgres } from "@call-media/test-setup/postgres";
import { describe } from "vitest";
import { describeStore } from "../src/suite/index.ts";
import { usePostgres } from "./support/postgres.ts";

describe("the newest", () => {
  describeStore({ adapter: "the store in PostgreSQL", create: usePostgres().create });
});

describe.skipIf(!hasOldestPostgres)("the oldest", () => {
  describeStore({ adapter: "the store in PostgreSQL 15", create: usePostgres(true).create });
});
