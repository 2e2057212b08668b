// A PostgreSQL server of the bench's own: in a temporary folder, behind a socket there, gone afterwards.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import postgres, { type Sql } from "postgres";
import { createTemporaryFolder } from "../archive.ts";

const run = promisify(execFile);

// Where Debian keeps the programs of each version.
const PROGRAMS = "/usr/lib/postgresql";

// What an operator would set on this machine; without it every sort of a large result goes to the disk.
const SETTINGS = {
  shared_buffers: "2GB",
  effective_cache_size: "8GB",
  work_mem: "64MB",
  maintenance_work_mem: "1GB",
  random_page_cost: "1.1",
  max_wal_size: "8GB",
  // Everything goes with the folder: nothing has to survive a loss of power.
  fsync: "off",
};

const ATTEMPTS = 200;
const WAIT_MS = 50;

export interface PostgresServer extends AsyncDisposable {
  readonly version: string;
  readonly sql: Sql;
  /** Of the process that answers. */
  readonly pid: number;
}

/** The newest version that is installed; undefined when none is. */
export async function startPostgres(): Promise<PostgresServer | undefined> {
  const versions = await readdir(PROGRAMS).catch(() => []);
  const version = versions.toSorted((a, b) => Number(a) - Number(b)).at(-1);
  if (version === undefined) return undefined;
  const folder = await createTemporaryFolder();
  const user = await findUser();
  if (user !== undefined) await chown(folder.path, user.uid, user.gid);
  const data = join(folder.path, "data");
  const program = (name: string) => join(PROGRAMS, version, "bin", name);
  const init = ["-D", data, "-U", "bench", "--auth=trust", "--no-sync", "--locale=C", "-E", "UTF8"];
  await run(program("initdb"), init, { ...user, cwd: folder.path });
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = spawn(
    program("postgres"),
    ["-D", data, "-k", folder.path, "-c", "listen_addresses=", ...settings],
    { ...user, cwd: folder.path, stdio: "ignore" },
  );
  const stopAtOnce = () => void server.kill("SIGQUIT");
  process.once("exit", stopAtOnce);
  const sql = postgres({ host: folder.path, user: "bench", database: "postgres", max: 1 });
  await waitFor(sql, server);
  const [backend] = await sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  return {
    version,
    sql,
    pid: backend?.pid ?? Number.NaN,
    [Symbol.asyncDispose]: async () => {
      process.off("exit", stopAtOnce);
      await sql.end();
      server.kill("SIGINT");
      if (server.exitCode === null) await once(server, "exit");
      await folder[Symbol.asyncDispose]();
    },
  };
}

// PostgreSQL refuses to run as root.
async function findUser(): Promise<{ readonly uid: number; readonly gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const read = async (what: string) => Number((await run("id", [what, "postgres"])).stdout);
  return { uid: await read("-u"), gid: await read("-g") };
}

async function waitFor(sql: Sql, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (server.exitCode !== null) break;
    const isReady = await sql`SELECT 1`.then(
      () => true,
      () => false,
    );
    if (isReady) return;
    await setTimeout(WAIT_MS);
  }
  throw new Error("PostgreSQL did not start");
}
