// nginx as Debian sets it up, serving files of an archive over plain HTTP and over TLS: what a stream is compared with.
import { spawn, spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer, type AddressInfo, connect } from "node:net";
import { once } from "node:events";
import { userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Certificate } from "@call-media/server";
import { readCpuUs, readPeakBytes, withChildren } from "../serving/process-account.ts";
import { stopProcess } from "../serving/stop-process.ts";

export interface Nginx extends AsyncDisposable {
  readonly plainUrl: string;
  readonly secureUrl: string;
  /** CPU time of the master and its workers so far, in microseconds. */
  cpuUs(): Promise<number>;
  /** The most memory that the master and its workers had resident since they began, added up, in bytes. */
  peakBytes(): number;
}

export interface NginxOptions {
  /** An empty folder for its files. */
  readonly folder: string;
  readonly pair: Certificate;
  /** The one file that it serves. */
  readonly file: string;
}

// Daemons are in sbin, which is not on every user's path.
const ENVIRONMENT = { ...process.env, PATH: `${process.env["PATH"]}:/usr/sbin:/usr/local/sbin` };

/** The output of `nginx -v`; undefined if it is not installed. */
export function findNginx(): string | undefined {
  const { error, stderr } = spawnSync("nginx", ["-v"], { encoding: "utf8", env: ENVIRONMENT });
  return error === undefined ? stderr.trim().replace("nginx version: ", "") : undefined;
}

/** Throws what nginx said when it does not begin to listen. */
export async function startNginx({ folder, pair, file }: NginxOptions): Promise<Nginx> {
  const [plain, secure] = await findFreePorts();
  const log = join(folder, "error.log");
  await writeFile(join(folder, "cert.pem"), pair.cert);
  await writeFile(join(folder, "key.pem"), pair.key, { mode: 0o600 });
  await writeFile(join(folder, "nginx.conf"), toConfiguration({ folder, file, plain, secure }));
  const output = openSync(log, "a");
  const child = spawn("nginx", ["-p", folder, "-e", log, "-c", join(folder, "nginx.conf")], {
    stdio: ["ignore", output, output],
    env: ENVIRONMENT,
  });
  closeSync(output);
  const kill = () => child.kill();
  process.once("exit", kill);
  await untilListening(secure).catch(() => {
    throw new Error(`nginx did not start: ${readFileSync(log, "utf8")}`);
  });
  const pids = withChildren(child.pid ?? 0);
  return {
    plainUrl: `http://127.0.0.1:${plain}/recording`,
    secureUrl: `https://127.0.0.1:${secure}/recording`,
    cpuUs: async () => readCpuUs(pids),
    peakBytes: () => readPeakBytes(pids),
    [Symbol.asyncDispose]: async () => {
      process.off("exit", kill);
      await stopProcess(child);
    },
  };
}

interface Settings {
  readonly folder: string;
  readonly file: string;
  readonly plain: number;
  readonly secure: number;
}

// sendfile, tcp_nopush, the access log and a worker for each core are Debian's nginx.conf; sizes of buffers are nginx's own.
function toConfiguration({ folder, file, plain, secure }: Settings): string {
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return `
user ${userInfo().username};
daemon off;
pid ${folder}/nginx.pid;
worker_processes auto;
events { worker_connections 768; }
http {
  sendfile on;
  tcp_nopush on;
  access_log ${folder}/access.log;
  ${places.map((place) => `${place}_temp_path ${folder}/${place};`).join("\n  ")}
  server {
    listen 127.0.0.1:${plain};
    listen 127.0.0.1:${secure} ssl;
    ssl_certificate ${folder}/cert.pem;
    ssl_certificate_key ${folder}/key.pem;
    ssl_protocols TLSv1.3;
    location = /recording { alias ${file}; }
  }
}
`;
}

// nginx cannot choose ports itself.
async function findFreePorts(): Promise<[number, number]> {
  const servers = [createServer(), createServer()] as const;
  for (const server of servers) await once(server.listen(0, "127.0.0.1"), "listening");
  const ports = servers.map((server) => (server.address() as AddressInfo).port); // IP sockets, not pipes
  for (const server of servers) await once(server.close(), "close");
  const [plain = 0, secure = 0] = ports;
  return [plain, secure];
}

const START_WITHIN_MS = 10_000;

async function untilListening(port: number): Promise<void> {
  for (const endMs = performance.now() + START_WITHIN_MS; ;) {
    const socket = connect(port, "127.0.0.1");
    const isThere = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isThere) return;
    if (performance.now() > endMs) throw new Error(`nothing listens on port ${port}`);
    await wait(20);
  }
}
