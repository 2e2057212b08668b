// The adapter for PostgreSQL keeps the port.
import { describeStore } from "../src/suite/index.ts";
import { usePostgres } from "./support/postgres.ts";

const { create } = usePostgres();

describeStore({ adapter: "the store in PostgreSQL", create });
