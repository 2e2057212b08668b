// The pnpm of each job equals the one in the lockfile, byte for byte.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repository, run } from "../src/run.ts";
import { readPnpmSteps, runStep } from "./support/workflows.ts";

const isLinux = process.platform === "linux" && process.arch === "x64";
if (!isLinux) console.warn("SKIPPED pinned-pnpm.verify.ts: the job runs on Linux x64");

async function runPnpmStep(change: (lockfile: string) => string) {
  const cwd = mkdtempSync(join(tmpdir(), "call-media-pinned-"));
  cpSync(join(repository, "package.json"), join(cwd, "package.json"));
  const lockfile = readFileSync(join(repository, "pnpm-lock.yaml"), "utf8");
  writeFileSync(join(cwd, "pnpm-lock.yaml"), change(lockfile));
  const variables = { RUNNER_TEMP: join(cwd, "runner"), GITHUB_PATH: join(cwd, "path") };
  mkdirSync(variables.RUNNER_TEMP);
  const { code, output } = await runStep(readPnpmSteps(), "pnpm", { cwd, variables });
  return { cwd, code, output };
}

test.skipIf(!isLinux)("it is downloaded, compared and put on the path", async () => {
  const { cwd, code, output } = await runPnpmStep((lockfile) => lockfile);
  expect(code, output).toBe(0);
  const path = readFileSync(join(cwd, "path"), "utf8").trim();
  const { devDependencies } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
  expect((await run([join(path, "pnpm"), "--version"], { cwd })).trim()).toBe(devDependencies.pnpm);
});

test.skipIf(!isLinux)("one with other bytes ends the job", async () => {
  const { code } = await runPnpmStep((lockfile) =>
    lockfile.replace(/('@pnpm\/exe\.linux-x64@.*\n.*sha512-)./, "$1_"),
  );
  expect(code).toBe(1);
});
