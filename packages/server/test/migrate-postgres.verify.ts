// An archive in a folder, moved into PostgreSQL and a bucket and back by the operator's command, which is killed in the middle.
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { readSettings } from "@call-media/store";
import { openMaintenance, type Places } from "@call-media/store/open";
import { startPostgres } from "@call-media/test-setup/postgres";
import { KEYS, startS3 } from "@call-media/test-setup/s3-server";
import { expect, onTestFinished, test, vi } from "vitest";
import { makeDemo } from "../src/commands/demo-archive.ts";
import { run, startCommand } from "./support/command.ts";

async function createPlaces() {
  const folder = await mkdtemp(join(tmpdir(), "call-media-migrate-"));
  const server = await startPostgres();
  const bucket = await startS3({ pageSize: 1_000 });
  for (const [name, value] of Object.entries(KEYS)) vi.stubEnv(name, value);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await server[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });
  const place = (name: string) => join(folder, name);
  const records = await server.createDatabase();
  return { place, bucket, there: { records, media: bucket.address, env: KEYS } };
}

/** The digest of every file of an export by its name: of the records, and of the recordings. */
async function exportOf(directory: string): Promise<ReadonlyMap<string, string>> {
  const out = `${directory}-export`;
  expect(await run("export", "--data", directory, "--out", out)).toMatchObject({ code: 0 });
  const entries = await readdir(out, { recursive: true, withFileTypes: true });
  const paths = entries
    // It says when it was made.
    .filter((entry) => entry.isFile() && entry.name !== "export.manifest")
    .map((entry) => join(entry.parentPath, entry.name));
  const digest = async (path: string) =>
    [
      relative(out, path),
      createHash("sha256")
        .update(await readFile(path))
        .digest("hex"),
    ] as const;
  return new Map(await Promise.all(paths.toSorted().map(digest)));
}

const EQUAL = { code: 0, stderr: "", stdout: expect.stringContaining("are equal.") };

test("the demo archive comes back the same, and its access log is the old one, continued", async () => {
  const { place, there } = await createPlaces();
  const [demo, back] = [place("demo"), place("back")];
  await makeDemo(demo, "2026-11-01");
  const verified = await run("audit", "verify", "--data", demo);
  const [, known = ""] = /([0-9a-f]{64})/.exec(verified.stdout) ?? [];
  const to = ["--records", there.records, "--media", there.media];
  expect(await run("migrate", "--from", demo, ...to)).toMatchObject(EQUAL);
  expect(await run("audit", "verify", ...to, "--hash", known)).toMatchObject({ code: 0 });
  expect(await run("doctor", ...to)).toMatchObject({ code: 0 });
  expect(await run("key", "list", ...to)).toEqual(await run("key", "list", "--data", demo));

  const from = ["--from", there.records, "--from-media", there.media];
  expect(await run("migrate", ...from, "--data", back)).toMatchObject(EQUAL);
  expect(await exportOf(back)).toEqual(await exportOf(demo));
  expect(await run("audit", "verify", "--data", back, "--hash", known)).toMatchObject({ code: 0 });
  expect(await run("verify", "--data", back)).toMatchObject({ code: 0 });
});

const CALLS = 9_000;
const RECORDINGS = 40;

test("kill -9 among the records and among the recordings, there and back, and the same command again", async () => {
  const { place, bucket, there } = await createPlaces();
  const [archive, back, file] = [place("archive"), place("back"), place("calls.jsonl")];
  for (let call = 0; call < RECORDINGS; call += 1)
    await writeFile(place(`${call}.wav`), randomBytes(100_000));
  const lines = Array.from({ length: CALLS }, (_, n) =>
    JSON.stringify({
      kind: "call",
      call_id: String(n),
      datetime: new Date(Date.UTC(2025, 0, 1, 0, 10 * n)).toISOString(),
      agent: `agent ${n % 7}`,
      ...(n < RECORDINGS && { media: [{ file: `${n}.wav` }] }),
    }),
  );
  await writeFile(file, `${lines.join("\n")}\n`);
  expect(await run("import", "--data", archive, file)).toMatchObject({ code: 0 });

  const migrate = [
    "migrate",
    "--from",
    archive,
    "--records",
    there.records,
    "--media",
    there.media,
  ];
  await killWhen(migrate, async () => (await readPlace(there)) !== "");
  expect(await readPlace(there)).not.toBe("");
  bucket.faults.delayMs = 200;
  await killWhen(migrate, async () => bucket.objects.size > RECORDINGS / 4);
  bucket.faults.delayMs = 0;
  expect(bucket.objects.size).toBeLessThan(RECORDINGS);
  const sent = () => bucket.log.filter((action) => action === "s3:PutObject").length;
  const before = sent();
  expect(await run(...migrate)).toMatchObject(EQUAL);
  // What was there is not sent a second time.
  expect(sent() - before).toBeLessThan(RECORDINGS);

  const from = ["--from", there.records, "--from-media", there.media];
  const returning = ["migrate", ...from, "--data", back];
  await killWhen(returning, async () => (await readPlace({ records: back })) !== "");
  bucket.faults.delayMs = 200;
  await killWhen(returning, async () => (await countFiles(join(back, "media"))) > RECORDINGS / 4);
  bucket.faults.delayMs = 0;
  expect(await countFiles(join(back, "media"))).toBeLessThan(RECORDINGS);
  expect(await run(...returning)).toMatchObject(EQUAL);
  const whole = await exportOf(archive);
  expect(whole.size).toBe(1 + RECORDINGS);
  expect(await exportOf(back)).toEqual(whole);
});

/** What is noted with each 2,000 calls. */
async function readPlace(to: Places): Promise<string> {
  const settings = await openMaintenance(to)
    .then(readSettings)
    .catch(() => new Map());
  return settings.get("migrated_after") ?? "";
}

async function countFiles(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile() && !entry.name.startsWith(".")).length;
}

async function killWhen(args: readonly string[], isTime: () => Promise<boolean>): Promise<void> {
  const { child, ended } = startCommand(args);
  while (!(await isTime())) {
    expect(child.exitCode).toBeNull();
    await wait(20);
  }
  child.kill("SIGKILL");
  expect(await ended).toMatchObject({ code: null, stdout: "" });
}
