// Whether the service is up and ready: asked by strangers, answered in a word, right when the archive is not well.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { startServing } from "./support/program.ts";
import { startTestService } from "./support/service.ts";

const PATHS = ["/healthz", "/readyz"];

// The program may be writing just then.
const WAITS = { timeout: 20_000 };

async function ask(url: string, init: RequestInit = {}) {
  const response = await fetch(url, init);
  return [response.status, await response.text()];
}

test("both say ok without credentials, on the service's port and on that of the metrics", async () => {
  await using archive = await startTestService();
  await using program = await startServing(archive.directory, ["--metrics-port", "0"]);
  const origins = [program.baseUrl, new URL(program.metricsUrl).origin];
  for (const url of origins.flatMap((origin) => PATHS.map((path) => `${origin}${path}`))) {
    expect([url, ...(await ask(url))]).toEqual([url, 200, "ok\n"]);
    expect(await ask(url, { method: "HEAD" })).toEqual([200, ""]);
    expect(await ask(`${url}?full`)).toEqual([200, "ok\n"]);
    expect(await ask(url, { method: "POST" })).toMatchObject([405, /GET, HEAD/]);
  }
  expect(await ask(new URL("/other", program.metricsUrl).href)).toEqual([
    404,
    '{"isError":true,"errorMessage":"There is no such page; there are /metrics, /healthz, /readyz","data":[]}',
  ]);
  expect(await ask(`${program.baseUrl}/metrics`)).toMatchObject([404, /no such path/]);
  expect(await program.stop()).toBe(0);
});

test("while the access log cannot be written the service is up and not ready, and the log says why", async () => {
  await using archive = await startTestService();
  await using program = await startServing(archive.directory);
  const ready = () => ask(`${program.baseUrl}/readyz`);
  expect(await ready()).toEqual([200, "ok\n"]);

  const other = new DatabaseSync(join(archive.directory, "access.db"), WAITS);
  other.exec("BEGIN IMMEDIATE");
  await expect.poll(ready).toEqual([503, "records: not ready\nrecordings: ok\n"]);
  expect(await ask(`${program.baseUrl}/healthz`)).toEqual([200, "ok\n"]);
  other.exec("ROLLBACK");
  other.close();
  await expect.poll(ready).toEqual([200, "ok\n"]);

  expect(await program.stop()).toBe(0);
  const events = program.log().filter(({ msg }) => /ready/.test(String(msg)));
  expect(events).toMatchObject([
    {
      level: "error",
      msg: "not ready",
      err: {
        message: expect.stringMatching(/access\.db could not be written: database is locked/),
      },
    },
    { level: "info", msg: "ready again" },
  ]);
});

// Elsewhere 127.0.0.1 is the only loopback address of IPv4.
test.skipIf(process.platform !== "linux")(
  "--metrics-host says where the port of the metrics is",
  async () => {
    await using archive = await startTestService();
    const args = ["--metrics-port", "0", "--metrics-host", "127.0.0.2"];
    await using program = await startServing(archive.directory, args);
    const { origin, hostname } = new URL(program.metricsUrl);
    expect(hostname).toBe("127.0.0.2");
    expect(await ask(`${origin}/healthz`)).toEqual([200, "ok\n"]);
  },
);

test("while the archive cannot be read the service is not ready, and the metrics still are", async () => {
  await using archive = await startTestService();
  await using program = await startServing(archive.directory, ["--metrics-port", "0"]);
  using other = new DatabaseSync(join(archive.directory, "archive.db"), WAITS);
  other.exec("ALTER TABLE user RENAME TO lost; ALTER TABLE setting RENAME TO lost_too");
  await expect
    .poll(() => ask(`${program.baseUrl}/readyz`))
    .toEqual([503, "records: not ready\nrecordings: ok\n"]);
  const [status, text] = await ask(program.metricsUrl);
  expect(status).toBe(200);
  expect(text).toMatch(/^call_media_requests_under_way \d/m);
  expect(text).not.toMatch(/^call_media_import_rows_total/m);
});
