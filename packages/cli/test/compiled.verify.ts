// What Node.js compiles of the program is kept for the next start, in the folder of the user's caches and nowhere else.
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { run, startProcess, toSettings } from "./support/program.ts";

async function makeHome() {
  const home = await mkdtemp(join(tmpdir(), "call-media-home-"));
  onTestFinished(() => rm(home, { recursive: true }));
  const caches = { XDG_CACHE_HOME: join(home, "caches"), LOCALAPPDATA: join(home, "caches") };
  return { home, variables: { ...toSettings(home), ...caches, NODE_COMPILE_CACHE: undefined } };
}

const listFiles = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());

test("a command is kept, and runs from what was kept", async () => {
  const { home, variables } = await makeHome();
  const first = await run(["search", "--help"], variables);
  const kept = await listFiles(home);
  expect(kept.length).toBeGreaterThan(10);
  expect(kept.every(({ parentPath }) => /call-media|Caches/.test(parentPath))).toBe(true);
  expect(await run(["search", "--help"], variables)).toEqual(first);
  expect((await listFiles(home)).length).toBe(kept.length);
});

test("help and version, which come at once, keep nothing", async () => {
  const { home, variables } = await makeHome();
  await run(["--help"], variables);
  await run(["--version"], variables);
  expect(await listFiles(home)).toEqual([]);
});

test.each(["elsewhere", "nowhere"])(
  "a cache that the environment puts %s makes no folder of caches",
  async (where) => {
    const { home, variables } = await makeHome();
    const told =
      where === "elsewhere"
        ? { NODE_COMPILE_CACHE: join(home, "elsewhere") }
        : { NODE_DISABLE_COMPILE_CACHE: "1" };
    expect(await run(["search", "--help"], { ...variables, ...told })).toMatchObject({ code: 0 });
    expect(await readdir(home)).toEqual(where === "elsewhere" ? ["elsewhere"] : []);
  },
);

test("where nothing can be kept the command runs all the same", async () => {
  const { home, variables } = await makeHome();
  await mkdir(join(home, "caches"));
  await writeFile(join(home, "caches", "call-media"), "no folder");
  expect(await run(["search", "--help"], variables)).toMatchObject({ code: 0, stderr: "" });
});

// Node.js would try for ever to make a folder there.
test.runIf(process.platform === "linux")("nothing is kept below a home in /proc", async () => {
  for (const home of ["/proc/self", "/proc/nothing"]) {
    const unset = { XDG_CACHE_HOME: undefined, NODE_COMPILE_CACHE: undefined };
    const { child, ended } = startProcess(["search", "--help"], { ...toSettings(home), ...unset });
    onTestFinished(() => void child.kill("SIGKILL"));
    expect(await ended).toMatchObject({ code: 0, stderr: "" });
  }
});
