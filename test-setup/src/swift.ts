// The S3 server of another maker for tests: OpenStack Swift as Debian has it, in a folder for temporary files. It is a cluster of one.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** True if swift-proxy, -account, -container, -object and memcached are installed. If not, its tests are skipped. */
export const hasSwift = ["swift-proxy-server", "swift-object-server", "memcached"].every((name) =>
  existsSync(join("/usr/bin", name)),
);
if (!hasSwift)
  console.error(
    "skipped: tests with Swift (apt-get install swift-proxy swift-account swift-container swift-object memcached)",
  );

const KEYS = { AWS_ACCESS_KEY_ID: "test:tester", AWS_SECRET_ACCESS_KEY: "testing" };

export interface SwiftServer extends AsyncDisposable {
  readonly endpoint: string;
  readonly env: Readonly<Record<string, string>>;
  readonly createBucket: (name: string) => Promise<void>;
  /** Kills what answers requests, at once. */
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
}

const KINDS = ["account", "container", "object"] as const;

// The order matters: each passes on what it does not know.
const PIPELINE = `catch_errors gatekeeper healthcheck cache listing_formats bulk s3api tempauth slo dlo versioned_writes
  symlink proxy-server`;

const FILTERS: Readonly<Record<string, string>> = {
  catch_errors: "use = egg:swift#catch_errors",
  gatekeeper: "use = egg:swift#gatekeeper",
  healthcheck: "use = egg:swift#healthcheck",
  listing_formats: "use = egg:swift#listing_formats",
  bulk: "use = egg:swift#bulk",
  s3api: "use = egg:swift#s3api\ns3_acl = false\nlocation = us-east-1",
  tempauth: "use = egg:swift#tempauth\nuser_test_tester = testing .admin",
  slo: "use = egg:swift#slo",
  dlo: "use = egg:swift#dlo",
  versioned_writes: "use = egg:swift#versioned_writes\nallow_object_versioning = true",
  symlink: "use = egg:swift#symlink",
};

/** Listens on 127.0.0.1. */
export async function startSwift(): Promise<SwiftServer> {
  const folder = await mkdtemp(join(tmpdir(), "swift-"));
  await mkdir(join(folder, "srv/sda"), { recursive: true });
  const [proxy = 0, cache = 0, ...ports] = await findPorts(2 + KINDS.length);
  const common = `[DEFAULT]\nuser = ${userInfo().username}\nbind_ip = 127.0.0.1\nworkers = 0\nswift_dir = ${folder}\nlog_address = /dev/null\n`;
  for (const [index, kind] of KINDS.entries()) {
    const port = ports[index] ?? 0;
    const own = `bind_port = ${port}\ndevices = ${folder}/srv\nmount_check = false\ndisable_fallocate = true\nrecon_cache_path = ${folder}\n`;
    const app = `[pipeline:main]\npipeline = ${kind}-server\n[app:${kind}-server]\nuse = egg:swift#${kind}\n`;
    await writeFile(join(folder, `${kind}.conf`), common + own + app);
    await makeRing(join(folder, `${kind}.builder`), port);
  }
  await writeFile(join(folder, "proxy.conf"), common + toProxy(proxy, cache));

  const begin = (program: string, ...args: readonly string[]) =>
    spawn(program, args, { cwd: folder, stdio: "ignore" });
  const beginProxy = () => begin("swift-proxy-server", join(folder, "proxy.conf"));
  const memory = ["-l", "127.0.0.1", "-p", String(cache), "-u", userInfo().username];
  const others = [
    begin("memcached", ...memory),
    ...KINDS.map((kind) => begin(`swift-${kind}-server`, join(folder, `${kind}.conf`))),
  ];
  let front = beginProxy();
  const endpoint = `http://127.0.0.1:${proxy}`;
  await waitUntilUp(endpoint);
  return {
    endpoint,
    env: KEYS,
    createBucket: (name) => createBucket(endpoint, name),
    kill: async () => await end(front),
    start: async () => {
      front = beginProxy();
      await waitUntilUp(endpoint);
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([front, ...others].map(end));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Uses Swift's own API, which needs no signature. The server that creates buckets may start later than the one that responds. */
const createBucket = (endpoint: string, name: string) =>
  waitUntil("made no bucket", async () => {
    const { AWS_ACCESS_KEY_ID: user, AWS_SECRET_ACCESS_KEY: key } = KEYS;
    const credentials = { "X-Auth-User": user, "X-Auth-Key": key };
    const { headers } = await fetch(`${endpoint}/auth/v1.0`, { headers: credentials });
    const token = { "X-Auth-Token": headers.get("X-Auth-Token") ?? "" };
    const bucket = `${headers.get("X-Storage-Url")}/${name}`;
    return await fetch(bucket, { method: "PUT", headers: token });
  });

function toProxy(port: number, cache: number): string {
  const filters = Object.entries(FILTERS).map(([name, text]) => `[filter:${name}]\n${text}\n`);
  return `bind_port = ${port}
[pipeline:main]
pipeline = ${PIPELINE}
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${cache}
${filters.join("")}`;
}

async function makeRing(builder: string, port: number): Promise<void> {
  const ring = (...args: readonly string[]) => run("swift-ring-builder", [builder, ...args]);
  await ring("create", "4", "1", "1");
  await ring("add", `r1z1-127.0.0.1:${port}/sda`, "1");
  await ring("rebalance");
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

async function findPorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => {
    const address = server.address();
    return address === null || typeof address === "string" ? 0 : address.port;
  });
  await Promise.all(
    servers.map((server) => {
      server.close();
      return once(server, "close");
    }),
  );
  return ports;
}

const ATTEMPTS = 300;
const WAIT_MS = 100;

const waitUntilUp = (endpoint: string) =>
  waitUntil("did not start", () => fetch(`${endpoint}/healthcheck`));

/** Asks until the answer is a good one. */
async function waitUntil(fault: string, ask: () => Promise<Response>): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const isDone = await ask().then(
      ({ ok }) => ok,
      () => false,
    );
    if (isDone) return;
    await wait(WAIT_MS);
  }
  throw new Error(`Swift ${fault}`);
}
