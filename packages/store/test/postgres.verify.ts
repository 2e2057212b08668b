// The adapter for PostgreSQL keeps the port: in the newest version, in the oldest that an archive can lie in, and by way of PgBouncer.
import { hasPgBouncer } from "@call-media/test-setup/pgbouncer";
import { hasOldestPostgres } from "@call-media/test-setup/postgres";
import { describe } from "vitest";
import { describeStore } from "../src/suite/index.ts";
import { usePostgres } from "./support/postgres.ts";

describe("the newest", () => {
  describeStore({ adapter: "the store in PostgreSQL", create: usePostgres().create });
});

describe.skipIf(!hasOldestPostgres)("the oldest", () => {
  describeStore({
    adapter: "the store in PostgreSQL 15",
    create: usePostgres({ isOldest: true }).create,
  });
});

describe.skipIf(!hasPgBouncer)("by way of PgBouncer, each transaction for itself", () => {
  describeStore({
    adapter: "the store in PostgreSQL",
    create: usePostgres({ isPooled: true }).create,
  });
});
