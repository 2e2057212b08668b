// What a Prometheus server finds: counts that agree with what was asked.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { runIn } from "./support/command.ts";
import { openDownload } from "./support/download.ts";
import { type Serving, startServing } from "./support/program.ts";
import { type Sample, scrape, valueOf } from "./support/scrape.ts";
import { ALLOWED_ALL, addMedia, startTestService, toCall } from "./support/service.ts";

const SOUND_BYTES = 30_000_000;

const serve = (directory: string) => startServing(directory, ["--metrics-port", "0"]);

const post = (program: Serving, path: string, body: unknown) =>
  fetch(`${program.baseUrl}${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

describe("requests", () => {
  test("are counted by operation and class of status, with their time and bytes", async () => {
    await using archive = await startTestService();
    const { key } = await archive.addUser(ALLOWED_ALL);
    await archive.add(toCall({ call_id: "a", datetime: "2026-01-05T10:00:00Z" }));
    await using program = await serve(archive.directory);
    const get = (path: string, bearer = key) =>
      fetch(`${program.baseUrl}${path}`, { headers: { Authorization: `Bearer ${bearer}` } });

    const bodies = [];
    for (let n = 0; n < 3; n += 1)
      bodies.push(await (await get("/metadata/by-call-id/a")).arrayBuffer());
    await get("/metadata/by-call-id/a", "wrong");
    await get("/nowhere");
    await get("/openapi.json");
    for (let n = 0; n < 2; n += 1) await post(program, "/Token", { secretID: "x", secretKey: "y" });

    const samples = await scrape(program.metricsUrl);
    const requests = (operation: string, status: string) =>
      valueOf(samples, "call_media_requests_total", { operation, status });
    expect(requests("getMetadataByCallId", "2xx")).toBe(3);
    expect(requests("getMetadataByCallId", "4xx")).toBe(1);
    expect(requests("/openapi.json", "2xx")).toBe(1);
    expect(requests("none", "4xx")).toBe(1);
    expect(requests("createToken", "4xx")).toBe(2);
    const errors = (code: string) => valueOf(samples, "call_media_errors_total", { code });
    expect(errors("CM_TOKEN_UNKNOWN")).toBe(1);
    expect(errors("CM_PATH_UNKNOWN")).toBe(1);
    expect(errors("CM_CREDENTIALS_WRONG")).toBe(2);
    expect(valueOf(samples, "call_media_sign_in_failures_total", { reason: "refused" })).toBe(2);
    const operation = "getMetadataByCallId";
    const seconds = "call_media_request_duration_seconds";
    expect(valueOf(samples, `${seconds}_count`, { operation })).toBe(4);
    expect(valueOf(samples, `${seconds}_bucket`, { operation, le: "+Inf" })).toBe(4);
    expect(valueOf(samples, `${seconds}_sum`, { operation })).toBeGreaterThan(0);
    expect(valueOf(samples, `${seconds}_sum`, { operation })).toBeLessThan(10);
    const bytes = bodies.reduce((sum, body) => sum + body.byteLength, 0);
    const refusal = Buffer.byteLength(
      JSON.stringify({ isError: true, errorMessage: "The access token is unknown", data: [] }),
    );
    expect(valueOf(samples, "call_media_response_bytes_total", { operation })).toBe(
      bytes + refusal,
    );
    expect(valueOf(samples, "process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
  });

  test("that fail to sign in too often are told apart", async () => {
    await using archive = await startTestService();
    // On a busy machine the delay of a sign-in might be over before the next one comes.
    vi.spyOn(Date, "now").mockReturnValue(Date.now());
    onTestFinished(() => void vi.restoreAllMocks());
    await using program = await serve(archive.directory);
    for (let n = 0; n < 7; n += 1) await post(program, "/Token", { secretID: "x", secretKey: "y" });
    const samples = await scrape(program.metricsUrl);
    const failures = (reason: string) =>
      valueOf(samples, "call_media_sign_in_failures_total", { reason });
    expect([failures("refused"), failures("delayed")]).toEqual([5, 2]);
  });

  test("make no more series, whatever is asked for and however", async () => {
    await using archive = await startTestService();
    await using program = await serve(archive.directory);
    const toSeries = (samples: readonly Sample[]) =>
      samples.filter(({ name }) => name.startsWith("call_media_")).length;
    const ask = (n: number) =>
      fetch(`${program.baseUrl}/metadata/by-call-id/${n}?x=${n}`, {
        method: n % 2 === 0 ? "GET" : "DELETE",
        headers: { "User-Agent": `agent ${n}`, Authorization: `Bearer t${n}` },
      });
    const askElsewhere = (n: number) => fetch(`${program.baseUrl}/p${n}/q`);
    for (let n = 0; n < 4; n += 1) await Promise.all([ask(n), askElsewhere(n)]);
    const before = toSeries(await scrape(program.metricsUrl));
    for (let n = 4; n < 104; n += 1) await Promise.all([ask(n), askElsewhere(n)]);
    expect(toSeries(await scrape(program.metricsUrl))).toBe(before);
  });

  test("that are under way are seen, and answers that were cut", async () => {
    await using archive = await startTestService();
    const { key } = await archive.addUser(ALLOWED_ALL);
    const sound = await addMedia(archive.store, "a.wav", Buffer.alloc(SOUND_BYTES));
    await archive.add(toCall({ call_id: "a", datetime: "2026-01-05T10:00:00Z" }, [sound]));
    await using program = await serve(archive.directory);
    const underWay = async () =>
      valueOf(await scrape(program.metricsUrl), "call_media_requests_under_way");
    const path = "/recording/stream-by-call-id/a";
    const downloads = [
      await openDownload(program, path, key),
      await openDownload(program, path, key),
    ];
    expect(await underWay()).toBe(2);
    downloads[0]?.abandon();
    expect(await downloads[1]?.readRest()).toEqual({ isWhole: true });
    await expect.poll(underWay).toBe(0);
    const samples = await scrape(program.metricsUrl);
    const operation = "streamRecordingByCallId";
    expect(valueOf(samples, "call_media_answers_cut_total", { operation })).toBe(1);
    const bytes = valueOf(samples, "call_media_response_bytes_total", { operation });
    expect(bytes).toBeGreaterThan(SOUND_BYTES);
    expect(bytes).toBeLessThan(2 * SOUND_BYTES);
  });
});

test("are read by GET, with whatever the scrape adds to the path", async () => {
  await using archive = await startTestService();
  await using program = await serve(archive.directory);
  const read = async (path: string, method = "GET") => {
    const response = await fetch(new URL(path, program.metricsUrl), { method });
    return [response.status, (await response.text()).includes("process_cpu_seconds_total")];
  };
  expect(await read("/metrics?module=calls")).toEqual([200, true]);
  expect(await read("/metrics", "HEAD")).toEqual([200, false]);
  expect(await read("/metrics", "POST")).toEqual([405, false]);
  expect(await read("/metrics", "OPTIONS")).toEqual([204, false]);
});

test("rows of imports by other processes are counted", async () => {
  await using archive = await startTestService();
  await using program = await serve(archive.directory);
  const rows = async () => {
    const samples = await scrape(program.metricsUrl);
    return ["imported", "replaced", "unchanged", "rejected"].map((outcome) =>
      valueOf(samples, "call_media_import_rows_total", { outcome }),
    );
  };
  expect(await rows()).toEqual([0, 0, 0, 0]);
  const file = join(archive.directory, "calls.jsonl");
  await writeFile(
    file,
    '{"kind":"call","call_id":"a"}\n{"kind":"call","call_id":"b"}\n{"kind":"call","colour":"red"}\n',
  );
  const args = ["import", "--data", archive.directory, "--format", "jsonl", file];
  for (let n = 0; n < 2; n += 1)
    expect(await runIn(archive.directory, ...args)).toMatchObject({ code: 2 });
  expect(await rows()).toEqual([2, 0, 2, 2]);
});

test("without --metrics-port nothing is opened, and a port that is taken is said", async () => {
  await using archive = await startTestService();
  await using program = await startServing(archive.directory);
  expect(await program.stop()).toBe(0);
  expect(program.log()[0]).toMatchObject({ msg: "started" });
  expect(program.log()[0]).not.toHaveProperty("metrics");
  const { port } = new URL(archive.baseUrl);
  await expect(startServing(archive.directory, ["--metrics-port", port])).rejects.toThrow(
    `port ${port} of 127.0.0.1 is taken by another program`,
  );
});

test("the state of the archive is there for alerts, and a figure that nobody knows is absent", async () => {
  await using archive = await startTestService();
  await archive.add(toCall({ call_id: "a", datetime: "2026-01-05T10:00:00Z" }));
  await using program = await serve(archive.directory);
  const read = async (name: string, labels = {}) => {
    const found = (await scrape(program.metricsUrl)).filter(
      (sample) =>
        sample.name === `call_media_${name}` &&
        Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
    );
    return found.map(({ value }) => value);
  };
  const figures = ["due_records", "verify_damaged_files", "certificate_end_timestamp_seconds"];
  expect(await Promise.all(figures.map((name) => read(name)))).toEqual([[], [], []]);
  expect(await read("last_done_timestamp_seconds")).toEqual([]);
  expect(await read("owed_calls")).toEqual([0]);
  expect((await read("free_bytes"))[0]).toBeGreaterThan(1_000_000);

  const begun = Date.now() / 1_000;
  const data = ["--data", archive.directory];
  const runAll = async (...commands: readonly (readonly string[])[]) => {
    for (const [command = "", ...args] of commands)
      expect(await runIn(archive.directory, command, ...args, ...data)).toMatchObject({ code: 0 });
  };
  const toFile = (name: string) => `${archive.directory}-${name}`;
  const [calls, policy] = [toFile("calls.jsonl"), toFile("policy.json")];
  await writeFile(calls, '{"kind":"call","call_id":"b","datetime":"2026-01-05T10:00:00Z"}');
  await writeFile(policy, '{"retention":1,"otherwise":{"keep":"1 day"}}');
  await runAll(
    ["import", calls],
    ["verify"],
    ["backup", "--to", toFile("backup")],
    ["hold", "add", "h", "--reason", "r", "--where", '{"call_id":["a"]}'],
    ["retention", "set", policy],
    ["retention", "plan"],
  );
  for (const command of ["import", "verify", "backup", "retention"])
    expect((await read("last_done_timestamp_seconds", { command }))[0]).toBeGreaterThan(begun - 1);
  expect(await read("due_records")).toEqual([1]);
  await runAll(["retention", "apply", "--yes"]);
  expect(await read("due_records")).toEqual([0]);
  await runIn(archive.directory, "purge", "--call-id", "a", "--yes", ...data);
  expect(await read("owed_calls")).toEqual([1]);
  expect(await read("verify_damaged_files")).toEqual([0]);
});
