// PgBouncer before the PostgreSQL of the tests, in transaction mode: each transaction may come by another connection.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { findPort } from "./postgres.ts";
import { user } from "./postgres-programs.ts";

/** Where Debian has it. */
const PROGRAM = "/usr/sbin/pgbouncer";

/** True if it is installed. If not, a line on standard error says so, and its tests are skipped. */
export const hasPgBouncer = existsSync(PROGRAM);
if (!hasPgBouncer) console.warn(`SKIPPED: the tests behind PgBouncer; ${PROGRAM} is missing`);

export interface PgBouncer extends AsyncDisposable {
  /** The address of a database, by way of it. */
  toAddress(address: string): string;
}

/** Few, so that they are shared. */
const CONNECTIONS = 5;

/** `address`: of any database of the server. */
export async function startPgBouncer(address: string): Promise<PgBouncer> {
  const { hostname, port: serverPort } = new URL(address);
  const folder = await mkdtemp(join(tmpdir(), "pgbouncer-"));
  const port = await findPort();
  const settings = `
[databases]
* = host=${hostname} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${folder}/users
pool_mode = transaction
default_pool_size = ${CONNECTIONS}
max_client_conn = 500
server_idle_timeout = 1
`;
  await writeFile(join(folder, "settings"), settings);
  await writeFile(join(folder, "users"), `"owner" ""\n`);
  if (user !== undefined) await chown(folder, user.uid, user.gid);
  const program = spawn(PROGRAM, ["-q", join(folder, "settings")], { ...user, stdio: "ignore" });
  await untilOpen(port);
  return {
    toAddress: (of) => of.replace(`:${serverPort}/`, `:${port}/`),
    [Symbol.asyncDispose]: async () => {
      program.kill("SIGQUIT");
      if (program.exitCode === null && program.signalCode === null) await once(program, "exit");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const ATTEMPTS = 600;

async function untilOpen(port: number): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const socket = connect(port, "127.0.0.1");
    try {
      await once(socket, "connect");
      return;
    } catch {
      await wait(50);
    } finally {
      socket.destroy();
    }
  }
  throw new Error("PgBouncer did not start");
}
