// Archives in PostgreSQL whose database is put back to an earlier state, while their ledger goes on.
import type { PostgresPlace, TestServer } from "./postgres.ts";

/** The places with a copy of the database as it is now. Nobody may have it open. */
export async function keepCopy(
  { server }: TestServer,
  { records, media }: PostgresPlace,
): Promise<PostgresPlace> {
  const copy = await server().createDatabase(new URL(records).pathname.slice(1));
  return { records: copy, media };
}
