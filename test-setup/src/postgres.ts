// The PostgreSQL of the tests: a server from the packages or from Debian, in a folder for temporary files. It has a database for each
// archive.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import postgres from "postgres";
import { bringPrograms, NEWEST, OLDEST, user } from "./postgres-programs.ts";

const run = promisify(execFile);

export { hasOldestPostgres, hasPostgres } from "./postgres-programs.ts";

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
  // In the folder of the server: a container has 64 MB in /dev/shm, and what is killed leaves it there.
  dynamic_shared_memory_type: "mmap",
};

/**
 * Starts a server on 127.0.0.1. `isOldest`: of the oldest version, which has to be installed. `settings`: in place of those of
 * the tests.
 */
export async function startPostgres(
  isOldest = false,
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  const place = await createPlace(isOldest ? OLDEST : NEWEST);
  const server = await launch(place, "data", { ...SETTINGS, ...settings });
  let databases = 0;
  return {
    process: server.process,
    toAddress: server.toAddress,
    createDatabase: async (template = "template1") => {
      const name = `archive_${(databases += 1)}`;
      await server.sql.unsafe(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
      return server.toAddress(name);
    },
    [Symbol.asyncDispose]: async () => {
      // At once: it has nothing to keep.
      await server.stop("SIGQUIT");
      await rm(place.folder, { recursive: true, force: true });
    },
  };
}

export interface ReplicatedPostgres extends AsyncDisposable {
  /** The URL of a database on both servers: connections go to the one that accepts writes. */
  readonly address: string;
  /** The URL of that database on one server. */
  readonly primary: string;
  readonly standby: string;
  /** As if its machine had lost power. */
  killPrimary(): Promise<void>;
  promote(): Promise<void>;
  /** The standby goes on to receive what is written, and shows nothing of it until it is resumed. */
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  /** From then on the primary acknowledges nothing that writes. */
  killStandby(): Promise<void>;
}

/** Starts two servers, of which the second has every row before the first acknowledges it. `prepare` fills their database. */
export async function startReplicated(
  prepare: (address: string) => Promise<void>,
): Promise<ReplicatedPostgres> {
  const place = await createPlace(NEWEST);
  const replicated = { ...SETTINGS, wal_level: "replica", max_wal_senders: "4" };
  const alone = await launch(place, "data", replicated);
  await alone.sql`CREATE DATABASE archive`;
  await prepare(alone.toAddress("archive"));
  await alone.stop("SIGINT");
  await run("cp", ["-a", "data", "standby"], place.setting);
  await run("touch", ["standby/standby.signal"], place.setting);
  const primary = await launch(place, "data", {
    ...replicated,
    synchronous_standby_names: "standby",
  });
  const standby = await launch(place, "standby", {
    ...replicated,
    primary_conninfo: `host=127.0.0.1 port=${primary.port} user=owner application_name=standby`,
  });
  await waitFor(async () => {
    const rows = await primary.sql`SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`;
    if (rows.length === 0) throw new Error("the standby is not there yet");
  }, standby.process);
  return {
    address: `postgres://owner@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/archive?target_session_attrs=read-write`,
    primary: primary.toAddress("archive"),
    standby: standby.toAddress("archive"),
    killPrimary: () => primary.stop("SIGKILL"),
    promote: async () => void (await standby.sql`SELECT pg_promote()`),
    pauseReplay: async () => void (await standby.sql`SELECT pg_wal_replay_pause()`),
    resumeReplay: async () => void (await standby.sql`SELECT pg_wal_replay_resume()`),
    killStandby: () => standby.stop("SIGKILL"),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([primary.stop("SIGQUIT"), standby.stop("SIGQUIT")]);
      await rm(place.folder, { recursive: true, force: true });
    },
  };
}

/** Where servers lie, and as whom their programs run. */
interface Place {
  readonly programs: string;
  readonly folder: string;
  readonly setting: { readonly cwd: string; readonly uid?: number; readonly gid?: number };
}

/** With the files of one server in the folder `data`. */
async function createPlace(given: string): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), "postgres-"));
  const programs = await bringPrograms(given, folder);
  if (user !== undefined) await chown(folder, user.uid, user.gid);
  const setting = { ...user, cwd: folder };
  const init = ["-D", "data", "-U", "owner", "--auth=trust", "--no-sync", "--locale=C", "-E"];
  await run(join(programs, "initdb"), [...init, "UTF8"], setting);
  return { programs, folder, setting };
}

/** `data`: the folder of its files. */
async function launch(
  { programs, setting }: Place,
  data: string,
  given: Readonly<Record<string, string>>,
) {
  const port = await findPort();
  const settings = Object.entries({ ...given, port, listen_addresses: "127.0.0.1" });
  const server = spawn(
    join(programs, "postgres"),
    ["-D", data, "-k", "", ...settings.flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    { ...setting, stdio: "ignore" },
  );
  const toAddress = (database: string) => `postgres://owner@127.0.0.1:${port}/${database}`;
  const sql = postgres(toAddress("postgres"), { max: 1, onnotice: () => {} });
  await waitFor(async () => await sql`SELECT 1`, server);
  return {
    port,
    sql,
    toAddress,
    process: server,
    /** Resolves when it has ended. */
    stop: async (signal: NodeJS.Signals) => {
      await sql.end({ timeout: 1 });
      if (server.exitCode !== null || server.signalCode !== null) return;
      const processes = signal === "SIGKILL" ? await listProcesses(server) : [server.pid ?? 0];
      signalAll(processes, signal);
      await once(server, "exit");
    },
  };
}

/** The process of a server, and those that it has started. */
export async function listProcesses({ pid = 0 }: ChildProcess): Promise<readonly number[]> {
  const { stdout } = await run("pgrep", ["-P", String(pid)]).catch(() => ({ stdout: "" }));
  return [pid, ...stdout.split("\n").filter(Boolean).map(Number)];
}

/** To processes of which some may have ended meanwhile. */
export function signalAll(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, name);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
}

export async function findPort(): Promise<number> {
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
