// The adapter for PostgreSQL keeps the port: in the oldest version that an archive can lie in, and in the newest by way of PgBouncer.
import { hasPgBouncer } from "@call-media/test-setup/pgbouncer";
import { hasOldestPostgres } from "@call-media/test-setup/postgres";
import { describe } from "vitest";
import { describeStore } from "../src/suite/index.ts";
import { usePostgres } from "./support/postgres.ts";

// Two runs meet both versions and both ways; postgres.test.ts meets the newest directly. The oldest version has to understand each
// statement; many random archives are made in the newest.
describe.skipIf(!hasOldestPostgres)("the oldest, directly", () => {
  describeStore({
    adapter: "the store in PostgreSQL 15",
    create: usePostgres({ isOldest: true }).create,
    hasFewRuns: true,
  });
});

describe(`the newest, ${hasPgBouncer ? "by way of PgBouncer, each transaction for itself" : "directly"}`, () => {
  describeStore({
    adapter: "the store in PostgreSQL",
    create: usePostgres({ isPooled: hasPgBouncer }).create,
    isSlow: true,
  });
});
