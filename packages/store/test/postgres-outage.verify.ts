// The access log in PostgreSQL while something dies: a server of the service, the database's machine, or nothing but time.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { listProcesses, signalAll, startReplicated } from "@call-media/test-setup/postgres";
import { expect, onTestFinished, test, vi } from "vitest";
import type { CallStore } from "../src/index.ts";
import { createStore, openStore, type Places } from "../src/open.ts";
import { openConnections } from "../src/postgres/connection.ts";
import { holdGate } from "../src/postgres/locks.ts";
import { readAll, toEntry } from "../src/suite/access-log.ts";
import { call, toUser, fill } from "../src/suite/records.ts";
import { createFolder } from "./support/archives.ts";
import { usePostgres } from "./support/postgres.ts";

const { createPlaces, server } = usePostgres();

// A process of its own, which can be killed. It names each row that was acknowledged; of ten rows every other one is awaited.
const WRITER = `
  const { writeSync } = await import("node:fs");
  const { setTimeout: wait } = await import("node:timers/promises");
  const { openStore } = await import("@call-media/store/open");
  const [, records, media, name] = process.argv;
  const store = await openStore({ records, media });
  const toEntry = (requestId) => ({ timeMs: Date.now(), requestId, address: "", userId: 1, credential: "", operation: "getMetadataByCallId", asked: {}, callIds: [], rows: 1, status: 200 });
  let isOver = false;
  process.on("SIGTERM", () => (isOver = true));
  writeSync(1, "begun\\n");
  for (let n = 0; !isOver; n += 10) {
    const ids = Array.from({ length: 10 }, (_, i) => name + "-" + (n + i));
    const written = await Promise.allSettled(ids.map((id, i) => store.accessLog.append(toEntry(id), i % 2 === 0)));
    const acknowledged = ids.filter((_, i) => i % 2 === 0 && written[i].status === "fulfilled");
    for (const { reason } of written) if (reason !== undefined && reason.name !== "StoreFault") throw reason;
    writeSync(1, acknowledged.map((id) => id + "\\n").join("") || "refused\\n");
    await wait(acknowledged.length === 0 ? 100 : 5);
  }
  await store[Symbol.asyncDispose]();
`;

interface Writer {
  readonly child: ChildProcess;
  /** What it has said, line by line. */
  readonly lines: () => readonly string[];
  readonly acknowledged: () => readonly string[];
  /** Waits until it has acknowledged so many more rows. */
  readonly writes: (rows: number) => Promise<void>;
}

async function startWriters(places: Places): Promise<readonly Writer[]> {
  const writers = ["a", "b", "c"].map((name) => startWriter(places, name));
  await Promise.all(writers.map((writer) => writer.writes(50)));
  return writers;
}

function startWriter({ records, media = "" }: Places, name: string): Writer {
  const child = spawn(
    process.execPath,
    ["--input-type=module", "--eval", WRITER, records, media, name],
    { cwd: import.meta.dirname, stdio: ["ignore", "pipe", "inherit"] },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const lines = () => said.split("\n").slice(0, -1);
  const acknowledged = () => lines().filter((line) => line.startsWith(`${name}-`));
  const writes = async (rows: number) => {
    const before = acknowledged().length;
    while (acknowledged().length < before + rows) {
      if (child.exitCode !== null) throw new Error(`writer ${name} has ended`);
      await wait(20);
    }
  };
  return { child, lines, acknowledged, writes };
}

async function stop(writers: readonly Writer[]): Promise<void> {
  await Promise.all(
    writers.map(async ({ child }) => {
      child.kill("SIGTERM");
      expect(await once(child, "exit")).toEqual([0, null]);
    }),
  );
}

/** Nothing acknowledged is lost, nothing stands twice, and the chain is whole. */
async function expectSound(store: CallStore, writers: readonly Writer[]): Promise<void> {
  const ids = (await readAll(store)).map((row) => ("requestId" in row ? row.requestId : ""));
  const known = new Set(ids);
  expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([]);
  expect(
    writers.flatMap(({ acknowledged }) => acknowledged()).filter((id) => !known.has(id)),
  ).toEqual([]);
  expect(await store.accessLog.verify()).toMatchObject({ rows: ids.length, fault: undefined });
}

test("of three servers one is killed: the others go on, and the chain has no gap", async () => {
  const places = await createPlaces();
  const writers = await startWriters(places);
  const [killed, ...others] = writers;
  killed?.child.kill("SIGKILL");
  await Promise.all(others.map((writer) => writer.writes(200)));
  await stop(others);
  expect(others.flatMap(({ lines }) => lines()).filter((line) => line === "refused")).toEqual([]);
  await using store = await openStore(places);
  await expectSound(store, writers);
});

test("the database's server is killed and its standby promoted: no acknowledged row is lost, nobody restarts", async () => {
  const media = `file:${await createFolder()}`;
  await using pair = await startReplicated(async (records) => {
    await (await createStore({ records, media }))[Symbol.asyncDispose]();
  });
  const writers = await startWriters({ records: pair.address, media });
  await pair.killPrimary();
  await vi.waitFor(
    () => {
      for (const { lines } of writers) expect(lines().at(-1)).toBe("refused");
    },
    { timeout: 60_000, interval: 50 },
  );
  await pair.promote();
  await Promise.all(writers.map((writer) => writer.writes(200)));
  await stop(writers);
  await using store = await openStore({ records: pair.address, media });
  await expectSound(store, writers);
});

test("a database that stands still is answered for with a fault in time, and used again afterwards", async () => {
  const places = await createPlaces();
  await using store = await openStore(places);
  await fill(store, [{ kind: "user", record: toUser(1) }]);
  await store.credentials.addBearer({ id: "k", kind: "key", hash: "h", userId: 1, createdMs: 1 });
  await store.accessLog.append(toEntry({ requestId: "before" }), true);

  const pids = await listProcesses(server().process);
  onTestFinished(() => signalAll(pids, "SIGCONT"));
  signalAll(pids, "SIGSTOP");
  const frozen = await Promise.allSettled([
    store.accessLog.check(),
    store.credentials.bearer("h"),
    store.accessLog.append(toEntry({ requestId: "refused" }), true),
  ]);
  expect(frozen).toMatchObject(
    frozen.map(() => ({ status: "rejected", reason: { name: "StoreFault" } })),
  );
  const later = await Promise.allSettled(
    Array.from({ length: 20 }, () => store.credentials.bearer("h")),
  );
  expect(later.filter(({ status }) => status === "fulfilled")).toEqual([]);
  signalAll(pids, "SIGCONT");

  await vi.waitFor(async () => await store.accessLog.check(), { timeout: 60_000, interval: 100 });
  expect(await store.credentials.bearer("h")).toMatchObject({ id: "k" });
  await store.accessLog.append(toEntry({ requestId: "after" }), true);
  const ids = (await readAll(store)).map((row) => "requestId" in row && row.requestId);
  expect(ids.filter((id) => id !== "refused")).toEqual(["before", "after"]);
  expect(ids.filter((id) => id === "refused").length).toBeLessThan(2);
  expect(await store.accessLog.verify()).toMatchObject({ fault: undefined });
});

test("connections whose other end has vanished are given up, and others are made", async () => {
  const { records, media } = await createPlaces();
  const { port, vanish } = await startProxy(Number(new URL(records).port));
  const address = records.replace(/:\d+\//, `:${port}/`);
  await using store = await openStore({ records: address, media });
  await Promise.all(Array.from({ length: 8 }, () => store.credentials.bearer("h")));
  vanish();
  const asked = Array.from({ length: 8 }, () => store.credentials.bearer("h"));
  for (const answer of await Promise.allSettled(asked))
    expect(answer).toMatchObject({ status: "rejected", reason: { name: "StoreFault" } });
  await vi.waitFor(
    async () => await Promise.all(Array.from({ length: 8 }, () => store.credentials.bearer("h"))),
    { timeout: 60_000, interval: 100 },
  );
  await store.accessLog.append(toEntry(), true);
});

test("an import whose hold on the archive has vanished unnoticed writes nothing while others purge", async () => {
  const { records, media } = await createPlaces();
  const { port, vanish, drop } = await startProxy(Number(new URL(records).port));
  const address = records.replace(/:\d+\//, `:${port}/`);
  await using store = await openStore({ records: address, media });
  const session = await store.openImport();
  await using connections = openConnections(records);
  const [holder] = await connections.write.ask<{ pid: number; port: number }>(
    `SELECT pid, client_port AS port FROM pg_stat_activity JOIN pg_locks USING (pid)
     WHERE locktype = 'advisory' AND classid = 2`,
  );
  // Of the connections of the import only the one that holds the gate: it goes on with the others.
  vanish(holder?.port);
  await connections.write.ask("SELECT pg_terminate_backend($1::int4)", [holder?.pid ?? null]);
  await using gate = await vi.waitFor(async () => {
    const held = await holdGate(connections.write, true);
    expect(held).toBeDefined();
    return held;
  }, 60_000);
  await expect(session.write([[call({ call_id: "A" })]])).rejects.toThrow("being purged");
  gate?.check();
  drop();
  await session[Symbol.asyncDispose]();
  expect(await store.calls.byCallId("A", "everything")).toEqual([]);
});

/** Passes on what comes, until connections are forgotten, and nobody told. */
async function startProxy(to: number) {
  const forgotten = new Set<Socket>();
  // With the port by which the database knows each.
  const open = new Map<Socket, () => number | undefined>();
  const listener = createServer((socket) => {
    const other = connect(to, "127.0.0.1");
    for (const [from, into] of [
      [socket, other],
      [other, socket],
    ] as const) {
      open.set(from, () => other.localPort);
      from.on("data", (chunk) => forgotten.has(from) || into.write(chunk));
      from.on("close", () => forgotten.has(from) || into.destroy());
      from.on("error", () => {});
    }
  }).listen(0, "127.0.0.1");
  await once(listener, "listening");
  onTestFinished(() => {
    listener.close();
    for (const socket of open.keys()) socket.destroy();
  });
  const address = listener.address();
  return {
    port: typeof address === "object" ? address?.port : undefined,
    /** Without a port all of them. */
    vanish: (one?: number) => {
      for (const [socket, toPort] of open)
        if (one === undefined || toPort() === one) forgotten.add(socket);
    },
    drop: () => {
      for (const socket of forgotten) socket.destroy();
    },
  };
}
