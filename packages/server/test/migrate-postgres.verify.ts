// An archive in a folder, moved into PostgreSQL and back by the operator's command, which is killed in the middle.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { readSettings } from "@call-media/store";
import { openMaintenance, type Places } from "@call-media/store/open";
import { startPostgres } from "@call-media/test-setup/postgres";
import { expect, onTestFinished, test } from "vitest";
import { makeDemo } from "../src/commands/demo-archive.ts";
import { run, startCommand } from "./support/command.ts";

async function createPlaces() {
  const folder = await mkdtemp(join(tmpdir(), "call-media-migrate-"));
  const server = await startPostgres();
  onTestFinished(async () => {
    await server[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });
  const place = (name: string) => join(folder, name);
  return { place, there: { records: await server.createDatabase(), media: place("media") } };
}

async function exportOf(directory: string): Promise<string> {
  const out = `${directory}-export`;
  expect(await run("export", "--data", directory, "--out", out)).toMatchObject({ code: 0 });
  return await readFile(join(out, "archive.jsonl"), "utf8");
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
  expect(await exportOf(back)).toBe(await exportOf(demo));
  expect(await run("audit", "verify", "--data", back, "--hash", known)).toMatchObject({ code: 0 });
  expect(await run("verify", "--data", back)).toMatchObject({ code: 0 });
});

const CALLS = 9_000;

test("kill -9 in the middle, there and back, and the same command again", async () => {
  const { place, there } = await createPlaces();
  const [archive, back, file] = [place("archive"), place("back"), place("calls.jsonl")];
  const lines = Array.from({ length: CALLS }, (_, n) =>
    JSON.stringify({
      kind: "call",
      call_id: String(n),
      datetime: new Date(Date.UTC(2025, 0, 1, 0, 10 * n)).toISOString(),
      agent: `agent ${n % 7}`,
    }),
  );
  await writeFile(file, `${lines.join("\n")}\n`);
  expect(await run("import", "--data", archive, file)).toMatchObject({ code: 0 });

  const to = ["--records", there.records, "--media", there.media];
  await killMidway(["migrate", "--from", archive, ...to], there);
  expect(await run("migrate", "--from", archive, ...to)).toMatchObject(EQUAL);
  const from = ["--from", there.records, "--from-media", there.media];
  await killMidway(["migrate", ...from, "--data", back], { records: back });
  expect(await run("migrate", ...from, "--data", back)).toMatchObject(EQUAL);
  expect(await exportOf(back)).toBe(await exportOf(archive));
});

/** Kills it when it has noted how far it has come, which is done with each 2,000 calls. */
async function killMidway(args: readonly string[], to: Places): Promise<void> {
  const { child, ended } = startCommand(args);
  const target = await openMaintenance(to);
  const readPlace = async () => {
    const settings = await readSettings(target).catch(() => new Map());
    return settings.get("migrated_after") ?? "";
  };
  while ((await readPlace()) === "") {
    expect(child.exitCode).toBeNull();
    await wait(20);
  }
  child.kill("SIGKILL");
  expect(await ended).toMatchObject({ code: null, stdout: "" });
  expect(await readPlace()).not.toBe("");
}
