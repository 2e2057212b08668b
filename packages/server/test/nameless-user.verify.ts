// A user whom the system has no name for, and no home: as which containers are often run.
import { spawnSync } from "node:child_process";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { MAIN, startCommand } from "./support/command.ts";

const NAMELESS = 54_321;

// Nobody but root may become another user, who has to be let in where this lies.
const canBeNameless =
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, ["--check", MAIN], { uid: NAMELESS }).status === 0;

test.runIf(canBeNameless)("manages an archive, and the access log has the number", async () => {
  const folder = await mkdtemp(join(tmpdir(), "call-media-nameless-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await chown(folder, NAMELESS, NAMELESS);
  const data = join(folder, "demo");
  const run = (...args: string[]) =>
    startCommand([...args, "--data", data], { env: { HOME: undefined }, uid: NAMELESS }).ended;

  expect(await run("demo")).toMatchObject({ code: 0, stderr: "" });
  expect(await run("purge", "--before", "2000-01-01", "--yes")).toMatchObject({ code: 0 });
  expect(await run("purge", "--undated", "--yes")).toMatchObject({ code: 0, stderr: "" });
  await rm(join(data, "access.db"));
  expect(await run("audit", "begin-anew")).toMatchObject({ code: 0, stderr: "" });
  const { stdout } = await run("audit", "--format", "jsonl");
  expect(stdout).toContain(`"operator":"uid ${NAMELESS}"`);
});
