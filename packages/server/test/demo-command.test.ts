// `call-media-server demo` as somebody runs it who has never seen the service.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { DemoAccess } from "../src/commands/demo-archive.ts";
import { run, startCommand } from "./support/command.ts";

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
  const none = await startCommand(["serve"], { cwd }).ended;
  expect(none).toMatchObject({ code: 1, stderr: expect.stringMatching(/make one with .*"demo"/) });
  expect((await startCommand(["demo"], { cwd }).ended).code).toBe(0);
  const served = startCommand(["serve", "--port", "0"], { cwd });
  const [, baseUrl] = await served.says(/^Serving call-media-demo at (\S+),/m);
  expect((await fetch(`${baseUrl}/readyz`)).status).toBe(200);
  served.child.kill("SIGTERM");
  expect((await served.ended).code).toBe(0);
});

test.each([
  ["on the path", "", /^ {2}Serve it {7}call-media-server serve --port 9000$/m],
  ["run by npx", "npx", /^ {2}Serve it {7}npx @call-media\/server serve --port 9000$/m],
])("a program %s says how to serve what it made", async (_, event, told) => {
  const cwd = await mkdtemp(join(folder, "made-"));
  const env = { npm_lifecycle_event: event };
  const { stdout } = await startCommand(["demo", "--port", "9000"], { cwd, env }).ended;
  expect(stdout).toMatch(told);
});

test("leaves a folder alone that holds something else", async () => {
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

test("--serve prints three lines to paste, and they work", async () => {
  const served = startCommand(["demo", "--data", demo, "--serve", "--port", "0"]);
  const [welcome] = await served.says(/^TOKEN=[^]*recording\.wav$/m);
  const script = `set -e\n${welcome}\n`;
  const shell = spawn("sh", ["-c", script], { cwd: folder });
  let found = "";
  shell.stdout.on("data", (chunk: Buffer) => (found += chunk.toString()));
  expect(await new Promise((resolve) => shell.on("close", resolve))).toBe(0);
  expect(JSON.parse(found)).toMatchObject({
    isError: false,
    data: [{ call_id: access.examples.call_id }],
  });
  expect((await readFile(join(folder, "recording.wav"))).subarray(0, 4).toString()).toBe("RIFF");
  served.child.kill("SIGTERM");
  expect((await served.ended).code).toBe(0);
});
