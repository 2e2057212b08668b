// What Node.js compiles of the program is kept in the user's cache folder, and where none can be made the program runs all the same.
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startCommand } from "./support/command.ts";

async function runAtHome(HOME: string, told: NodeJS.ProcessEnv = {}) {
  const unset = { XDG_CACHE_HOME: undefined, NODE_COMPILE_CACHE: undefined };
  const env = { HOME, ...unset, ...told };
  const { child, ended } = startCommand(["user", "list", "--help"], { env });
  onTestFinished(() => void child.kill("SIGKILL"));
  return await ended;
}

test.runIf(process.platform === "linux")("the cache folder is made, and filled", async () => {
  const home = await mkdtemp(join(tmpdir(), "call-media-home-"));
  onTestFinished(() => rm(home, { recursive: true }));

  expect(await runAtHome(home)).toMatchObject({ code: 0, stderr: "" });
  const kept = await readdir(join(home, ".cache/call-media"), { recursive: true });
  expect(kept.length).toBeGreaterThan(10);
});

// Node.js would try for ever to make a folder there.
test.runIf(process.platform === "linux")("nothing is kept below a home in /proc", async () => {
  for (const home of ["/proc/self", "/proc/nothing"])
    expect(await runAtHome(home)).toMatchObject({ code: 0, stderr: "" });
});

test.runIf(process.platform === "linux")(
  "what is kept elsewhere makes no cache folder",
  async () => {
    const home = await mkdtemp(join(tmpdir(), "call-media-home-"));
    onTestFinished(() => rm(home, { recursive: true }));

    expect(await runAtHome(home, { NODE_COMPILE_CACHE: join(home, "kept") })).toMatchObject({
      code: 0,
    });
    expect(await readdir(home)).toEqual(["kept"]);
  },
);
