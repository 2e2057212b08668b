// 500 readers of a recording that read nothing, with 50 keys: what they cost in memory, over plain HTTP and over TLS.
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { createApiKey } from "@call-media/server";
import { openStore } from "@call-media/store/sqlite";
import { generate } from "selfsigned";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeFolder } from "./support/archive.ts";
import { makeHeardArchive } from "./support/heard-archive.ts";
import { ask, type Serving, startServing } from "./support/serving.ts";

const READERS = 500;
const KEYS = 50;
const ALLOWED_MB = 150;

// More than the system takes from the service for a client that reads nothing.
const RECORDING_BYTES = 100_000_000;

describe.runIf(process.platform === "linux").each([
  ["plain HTTP", false],
  ["TLS", true],
] as const)(`${READERS} readers over %s`, (name, isTls) => {
  test(`cost at most ${ALLOWED_MB} MB above idle`, async () => {
    const archive = await makeHeardArchive(1, RECORDING_BYTES);
    const keys = await addKeys(archive.directory);
    const serving = await startServing(archive.directory, isTls ? await makePair() : []);
    // What the process needs once.
    const warm = open(serving);
    await request(warm, keys[0] ?? "", archive.pathOf(0));
    warm.destroy();
    const idle = await readPeakMB(serving);

    const readers: Socket[] = [];
    for (let at = 0; at < READERS; at += 1) {
      const reader = open(serving);
      readers.push(reader);
      await request(reader, keys[at % KEYS] ?? "", archive.pathOf(0));
    }
    // Until the system has taken what it takes.
    let peak = idle;
    for (let now = await readPeakMB(serving); now > peak; now = await readPeakMB(serving)) {
      peak = now;
      await ask(`${serving.baseUrl}/healthz`).catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
    console.log(`${READERS} readers over ${name}: ${(peak - idle).toFixed(0)} MB above idle`);
    expect(readers.filter(({ closed }) => closed)).toEqual([]);
    expect(peak - idle).toBeLessThan(ALLOWED_MB);
  });
});

async function addKeys(directory: string): Promise<string[]> {
  await using store = await openStore({ directory });
  const keys: string[] = [];
  while (keys.length < KEYS) keys.push((await createApiKey(store, 1)).apiKey);
  return keys;
}

async function makePair(): Promise<string[]> {
  const folder = await makeFolder();
  const { private: key, cert } = await generate([{ name: "commonName", value: "soak" }], {
    keyType: "ec",
  });
  const [certFile, keyFile] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  await writeFile(certFile, cert);
  await writeFile(keyFile, key);
  return ["--tls-cert", certFile, "--tls-key", keyFile];
}

function open({ baseUrl }: Serving): Socket {
  const { hostname: host, port, protocol } = new URL(baseUrl);
  const to = { host, port: Number(port) };
  const socket =
    protocol === "https:" ? connectTls({ ...to, rejectUnauthorized: false }) : connect(to);
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Reads the first bytes of the answer, and no more. */
async function request(socket: Socket, key: string, path: string): Promise<void> {
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  await once(socket, "data");
  socket.pause();
}

async function readPeakMB({ child }: Serving): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, "utf8");
  return (Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024) / 1e6;
}
