// Two servers over one archive in PostgreSQL: what one does counts on the other, and neither answers while the log cannot be written.
import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createStore, openStore } from "@call-media/store/open";
import { listProcesses, startPostgres } from "@call-media/test-setup/postgres";
import { expect, onTestFinished, test, vi } from "vitest";
import { createApplication, createListener, listen, loadPages } from "../src/index.ts";
import { ALLOWED_ALL, toUser } from "./support/service.ts";

async function startServers() {
  const media = await mkdtemp(join(tmpdir(), "call-media-servers-"));
  const postgres = await startPostgres();
  onTestFinished(async () => {
    await postgres[Symbol.asyncDispose]();
    await rm(media, { recursive: true });
  });
  const places = { records: await postgres.createDatabase(), media };
  const store = await createStore(places);
  const stores = [store, await openStore(places)];
  const pages = await loadPages();
  const servers = await Promise.all(
    stores.map((own) =>
      listen(createListener({ store: own, pages }), { host: "127.0.0.1", port: 0 }),
    ),
  );
  onTestFinished(async () => {
    await Promise.all(servers.map(({ close }) => close()));
    await Promise.allSettled(stores.map((own) => own[Symbol.asyncDispose]()));
  });
  {
    await using session = await store.openImport();
    await session.write([
      [{ kind: "user", record: toUser({ ...ALLOWED_ALL, id: 1, username: "mia" }) }],
    ]);
  }
  const application = await createApplication(store, 1);
  const [one = "", other = ""] = servers.map(({ baseUrl }) => baseUrl);
  return { postgres, store, application, one, other };
}

const signIn = (baseUrl: string, credentials: object) =>
  fetch(`${baseUrl}/Token`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(credentials),
  });

async function readToken(response: Response): Promise<string> {
  const { access_token: token } = (await response.json()) as { access_token: string }; // the contract
  return token;
}

const read = async (baseUrl: string, token: string) =>
  (
    await fetch(`${baseUrl}/metadata/by-call-id/any`, {
      headers: { Authorization: `Bearer ${token}` },
    })
  ).status;

test("a token of one server is good on the other, until one of them revokes it", async () => {
  const { store, application, one, other } = await startServers();
  const token = await readToken(await signIn(one, application));
  expect(await read(other, token)).toBe(200);
  await store.credentials.revoke({ application: application.secretID });
  expect(await read(other, token)).toBe(401);
  expect(await read(one, token)).toBe(401);
});

test("failed sign-ins delay the next one on every server", async () => {
  const { application, one, other } = await startServers();
  const wrong = { ...application, secretKey: "wrong" };
  for (const baseUrl of [one, other, one, other, one])
    expect((await signIn(baseUrl, wrong)).status).toBe(401);
  const delayed = await signIn(other, application);
  expect(delayed.status).toBe(429);
  expect(Number(delayed.headers.get("retry-after"))).toBeGreaterThan(0);
});

test("while the database stands still everything is answered 503, and afterwards as before", async () => {
  const { postgres, store, application, one, other } = await startServers();
  const token = await readToken(await signIn(one, application));
  expect(await Promise.all([one, other].map((url) => read(url, token)))).toEqual([200, 200]);
  const before = await store.accessLog.witness();

  const pids = await listProcesses(postgres.process);
  const signal = (name: NodeJS.Signals) => {
    // One of them may have ended meanwhile.
    for (const pid of pids) spawnSync("kill", [`-${name}`, String(pid)]);
  };
  onTestFinished(() => signal("SIGCONT"));
  signal("SIGSTOP");
  const statuses = [one, other].map((url) => read(url, token));
  // What /readyz asks.
  await expect(store.accessLog.check()).rejects.toMatchObject({ name: "StoreFault" });
  expect(await Promise.all(statuses)).toEqual([503, 503]);
  signal("SIGCONT");

  const all = async () => await Promise.all([one, other].map((url) => read(url, token)));
  await vi.waitFor(async () => expect(await all()).toEqual([200, 200]), {
    timeout: 60_000,
    interval: 200,
  });
  await store.accessLog.check();
  const { rows, fault } = await store.accessLog.verify(before?.hash);
  expect(fault).toBeUndefined();
  expect(rows).toBeGreaterThan(before?.seq ?? 0);
});
