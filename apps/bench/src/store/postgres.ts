// An archive of generated calls in PostgreSQL, on a separate server that is removed afterwards.
import type { CallStore, MetadataRecord } from "@call-media/store";
import { createStore } from "@call-media/store/open";
import { startPostgres } from "@call-media/test-setup/postgres";
import postgres from "postgres";
import { fillArchive } from "../archive.ts";
import { measureSpent } from "../measure.ts";
import { withChildren } from "../serving/process-account.ts";

// Settings that an operator would choose for this machine. Nothing has to survive a power failure.
const SETTINGS = {
  shared_buffers: "2GB",
  effective_cache_size: "8GB",
  work_mem: "64MB",
  maintenance_work_mem: "1GB",
  random_page_cost: "1.1",
  max_wal_size: "8GB",
};

export interface PostgresArchive extends AsyncDisposable {
  readonly store: CallStore;
  readonly address: string;
  /** For example 18. */
  readonly version: string;
  readonly bytesPerRow: number;
  readonly rowsPerSecond: number;
  /** The server process and its backends. */
  readonly pids: () => readonly number[];
}

/** Filled through the store's own import, and then vacuumed, as autovacuum would in time. */
export async function createPostgresArchive(
  rows: Iterable<MetadataRecord>,
  count: number,
): Promise<PostgresArchive> {
  const server = await startPostgres(false, SETTINGS);
  const { pid = 0 } = server.process;
  const stopAtOnce = () => void server.process.kill("SIGQUIT");
  process.once("exit", stopAtOnce);
  const records = await server.createDatabase();
  const store = await createStore({ records, media: "memory:" });
  const { wallSeconds } = await measureSpent(() => fillArchive(store, rows));
  const sql = postgres(records, { max: 1, onnotice: () => {} });
  await sql`VACUUM ANALYZE`;
  const [told] = await sql<{ version: string; bytes: string }[]>`
    SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS bytes`;
  await sql.end();
  return {
    store,
    address: records,
    version: told?.version.split(".")[0] ?? "",
    bytesPerRow: Number(told?.bytes) / count,
    rowsPerSecond: count / wallSeconds,
    pids: () => withChildren(pid),
    [Symbol.asyncDispose]: async () => {
      await store[Symbol.asyncDispose]();
      process.off("exit", stopAtOnce);
      await server[Symbol.asyncDispose]();
    },
  };
}
