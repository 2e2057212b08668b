// `call-media-server demo` as somebody runs it who has never seen the service.
import { existsSync } from "node:fs";
import { cp, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import type { DemoAccess } from "../src/commands/demo-archive.ts";
import { run, runIn } from "./support/command.ts";
import { startServing } from "./support/program.ts";

let folder: string;
let demo: string;
let access: DemoAccess;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "call-media-demo-"));
  demo = join(folder, "demo");
  access = JSON.parse((await run("demo", "--data", demo, "--json")).stdout);
});
afterAll(() => rm(folder, { recursive: true }));

test("prints what one needs to try it, and the same again the next time", async () => {
  expect(Object.keys(access)).toEqual(["credentials", "restricted", "apiKey", "examples"]);
  expect(Object.keys(access.examples)).toEqual(["call_id", "ref_id", "chat_call_id"]);
  const again = await run("demo", "--data", demo, "--json");
  expect(JSON.parse(again.stdout)).toEqual(access);
  expect((await stat(join(demo, "demo-credentials.json"))).mode & 0o077).toBe(0);
});

test("needs no folder named, and neither does serve, which serves it", async () => {
  const cwd = await mkdtemp(join(folder, "nothing-named-"));
  const none = await runIn(cwd, "serve");
  expect(none).toMatchObject({ code: 1, stderr: expect.stringMatching(/make one with .*"demo"/) });
  expect((await runIn(cwd, "demo")).code).toBe(0);
  const before = process.cwd();
  process.chdir(cwd);
  onTestFinished(() => process.chdir(before));
  const { baseUrl, output, stop } = await startServing([]);
  expect(output().stdout).toMatch(/^Serving call-media-demo at /);
  expect((await fetch(`${baseUrl}/readyz`)).status).toBe(200);
  expect(await stop()).toBe(0);
});

test.each([
  ["on the path", "", /^ {2}Serve it {7}call-media-server serve --port 9000$/m],
  ["run by npx", "npx", /^ {2}Serve it {7}npx @call-media\/server serve --port 9000$/m],
])("a program %s says how to serve what it made", async (_, event, told) => {
  const cwd = await mkdtemp(join(folder, "made-"));
  await cp(demo, join(cwd, "call-media-demo"), { recursive: true });
  vi.stubEnv("npm_lifecycle_event", event);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect((await runIn(cwd, "demo", "--port", "9000")).stdout).toMatch(told);
});

test("leaves a folder with other files untouched", async () => {
  const other = await mkdtemp(join(folder, "other-"));
  await writeFile(join(other, "thesis.txt"), "x");
  const { code, stderr } = await run("demo", "--data", other);
  expect(code).toBe(1);
  expect(stderr).toBe(
    `call-media-server: ${other} holds something else: give the demo an empty folder\n`,
  );
  expect(await readdir(other)).toEqual(["thesis.txt"]);
});

// Nobody, not even root, makes a folder there.
test.runIf(existsSync("/sys/kernel"))(
  "says where it cannot write, and where it could",
  async () => {
    const [near, deep] = ["/sys/demo", "/sys/demo/below/deep"].map((data) =>
      run("demo", "--data", data),
    );
    expect(await near).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^call-media-server: nothing can be written in \/sys, .* such as \/sys\/demo\/demo\n$/,
      ),
    });
    expect(await deep).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^call-media-server: nothing can be written in \/sys, .* such as \/sys\/demo\/below\/deep\/demo\n$/,
      ),
    });
  },
);
