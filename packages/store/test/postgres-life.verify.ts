// A record's whole life in PostgreSQL, with databases that are put back, and purges that are killed.
import { describeLife } from "../src/suite/life.ts";
import { usePostgres } from "./support/postgres.ts";
import { createLife } from "./support/postgres-life.ts";

const { create, life } = createLife(usePostgres());

describeLife(create, { life, isSlow: true });
