// Signing in once: what login keeps, where, for whom, and what goes before it.
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeService } from "@call-media/testing";
import { type ServedFake, serveFake } from "@call-media/testing/http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { run, toSettings } from "./support/program.ts";

const service = createFakeService();
const { secretID, secretKey } = service.credentials;
const PAIR = `${secretID}\n${secretKey}\n`;

let served: ServedFake;
let home: string;
beforeEach(async () => {
  served = await serveFake(service);
  home = await mkdtemp(join(tmpdir(), "call-media-cli-"));
});
afterEach(async () => {
  await served.close();
  await rm(home, { recursive: true });
});

const callMedia = (
  args: string | readonly string[],
  input = "",
  variables: NodeJS.ProcessEnv = {},
) =>
  run(
    typeof args === "string" ? args.split(" ") : args,
    { ...toSettings(home), ...variables },
    { input },
  );

const login = (input = PAIR, rest = "") =>
  callMedia(`login --base-url ${served.baseUrl}${rest}`, input);

async function findProfile(name = "default"): Promise<string> {
  const files = await readdir(home, { recursive: true });
  const file = files.find((one) => one.endsWith(`${name}.json`));
  return join(home, file ?? `there is no ${name}.json`);
}

test("an application's credentials are tried, stored for their owner only, and used from then on", async () => {
  const { code, stdout, stderr } = await login();
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  expect(stderr).toContain("Kept as profile default");
  expect(stderr).not.toContain(secretKey);
  const file = await findProfile();
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual({
    baseUrl: served.baseUrl,
    credentials: { secretID, secretKey },
  });
  const who = await callMedia("whoami");
  expect(who).toMatchObject({ code: 0, stderr: "" });
  expect(who.stdout).toContain(
    `Service  ${served.baseUrl}\nBy       application, from profile default\nUser     admin`,
  );
});

test("--json prints the profile without secrets, and nothing else", async () => {
  const kept = await login(PAIR, " --json");
  const file = await findProfile();
  const { baseUrl } = served;
  expect(kept).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(kept.stdout)).toEqual({ profile: "default", file, baseUrl, by: "application" });
  const forgotten = await callMedia("logout --json");
  expect(forgotten).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(forgotten.stdout)).toEqual({ profile: "default", file });
});

test("rejected credentials are not stored", async () => {
  const { code, stderr } = await login("not-a-key");
  expect(code).toBe(1);
  expect(stderr).toBe(
    `call-media: ${served.baseUrl} does not take these credentials (401): check them, or ask whoever runs the archive for others; nothing was kept\n`,
  );
  expect(stderr).not.toContain("not-a-key");
  expect(await readdir(home)).toEqual([]);
});

test.each([
  ["nothing", ""],
  ["three lines", "a\nb\nc\n"],
])("login rejects %s on standard input", async (_what, input) => {
  const { code, stderr } = await login(input);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      "call-media: standard input must be an API key, or secretID and secretKey on a line each\n",
  });
});

test("several profiles, listed without secrets and forgotten one by one", async () => {
  await login(service.apiKey, " --profile staging");
  await login(PAIR, " --profile production");
  expect((await callMedia("profiles")).stdout).toBe(
    `  production  ${served.baseUrl}\n  staging     ${served.baseUrl}\n`,
  );
  expect((await callMedia("whoami --profile staging")).stdout).toContain("By       API key");
  for (const command of ["whoami", "logout"])
    expect(await callMedia(`${command} --profile stagin`)).toMatchObject({
      code: 2,
      stderr: "call-media: unknown profile stagin: did you mean staging?\n",
    });
  expect(await callMedia("logout --profile staging")).toMatchObject({ code: 0 });
  expect(await callMedia("logout --profile staging")).toMatchObject({
    code: 2,
    stderr:
      "call-media: unknown profile staging: call-media profiles lists them, call-media login saves one\n",
  });
  expect(JSON.parse((await callMedia("profiles --json")).stdout)).toEqual([
    { name: "production", baseUrl: served.baseUrl, isUsed: false },
  ]);
});

test("a profile without an address is listed as one", async () => {
  await login(service.apiKey);
  await writeFile(await findProfile(), JSON.stringify({ service: { order: "newest-first" } }));
  expect((await callMedia("profiles")).stdout).toBe(
    "* default  (no address: --base-url names the service)\n",
  );
});

test.skipIf(["darwin", "win32"].includes(process.platform))(
  "secrets are not kept in the folder at hand, whatever the environment says",
  async () => {
    const args = ["login", "--base-url", served.baseUrl];
    const surroundings = { cwd: home, input: service.apiKey };
    const { stderr } = await run(args, { HOME: home, XDG_CONFIG_HOME: "here" }, surroundings);
    expect(stderr).toContain(join(home, ".config", "call-media", "profiles", "default.json"));
    expect(await readdir(home)).toEqual([".config"]);
  },
);

test("a name cannot lead out of the folder", async () => {
  const { code, stderr } = await login(PAIR, " --profile ../../elsewhere");
  expect(code).toBe(2);
  expect(stderr).toContain("../../elsewhere is not a name for a profile");
  expect(await readdir(home)).toEqual([]);
});

test("login rejects an address below that of a service", async () => {
  const { code, stderr } = await login(PAIR, "/docs");
  expect(code).toBe(1);
  expect(stderr).toContain("/docs answers, but not as a Call Media Retrieval Service (404)");
});

test("a kept profile that others may read is refused", async () => {
  await login();
  const file = await findProfile();
  await chmod(file, 0o644);
  expect(await callMedia("whoami")).toEqual({
    code: 2,
    stdout: "",
    stderr: `call-media: ${file} holds secrets and others may read it: chmod 600 ${file}\n`,
  });
});

test("a half of a pair in the environment is left aside where a profile is named", async () => {
  await login();
  const half = { CALL_MEDIA_SECRET_ID: "an-id" };
  const { code, stdout } = await callMedia("whoami --profile default", "", half);
  expect({ code, stdout }).toMatchObject({ code: 0 });
});

test("credentials of the environment are not sent to the address of the kept default", async () => {
  await login();
  const { code, stderr } = await callMedia("whoami", "", { CALL_MEDIA_API_KEY: "another" });
  expect(code).toBe(2);
  expect(stderr).toContain("no service address for these credentials");
});

test("the environment goes before the kept default", async () => {
  await login();
  const variables = { CALL_MEDIA_BASE_URL: served.baseUrl, CALL_MEDIA_API_KEY: "revoked" };
  expect(await callMedia("whoami", "", variables)).toMatchObject({ code: 1 });
  expect((await callMedia("whoami --profile default", "", variables)).stdout).toContain(
    "By       application",
  );
});

test("a named profile brings its own user, whatever the environment has", async () => {
  await login(`${service.apiKey}\n`);
  const pair = PAIR.split("\n");
  const variables = { CALL_MEDIA_SECRET_ID: pair[0], CALL_MEDIA_SECRET_KEY: pair[1] };
  const { stdout } = await callMedia("whoami --profile default", "", variables);
  expect(stdout).toContain("By       API key, from profile default\nUser");
  const given = { ...variables, CALL_MEDIA_BASE_URL: served.baseUrl };
  expect((await callMedia("whoami", "", given)).stdout).toContain(
    "application, from the environment",
  );
});

test("whoami names the rejected credentials", async () => {
  const variables = { CALL_MEDIA_BASE_URL: served.baseUrl, CALL_MEDIA_API_KEY: "revoked" };
  expect(await callMedia("whoami", "", variables)).toMatchObject({
    code: 1,
    stdout: `Service  ${served.baseUrl}\nBy       API key, from the environment\n`,
    stderr: expect.stringContaining("401"),
  });
});

test("kept secrets are not sent to another address", async () => {
  await login();
  await using other = await serveFake(createFakeService());
  const { code, stderr } = await callMedia(`whoami --base-url ${other.baseUrl}`);
  expect(code).toBe(2);
  expect(stderr).toContain("no credentials");
});

test("login --service stores the result of probe, if it is of the same service", async () => {
  const file = join(home, "service.json");
  const write = (profile: object) => writeFile(file, JSON.stringify(profile));
  const loginWith = ["login", "--base-url", served.baseUrl, "--service", file];
  await write({ baseUrl: served.baseUrl, firstPage: 0, observations: [{ decision: "D07" }] });
  expect(await callMedia(loginWith, PAIR)).toMatchObject({ code: 0 });
  const kept: unknown = JSON.parse(await readFile(await findProfile(), "utf8"));
  expect(kept).toMatchObject({ service: { baseUrl: served.baseUrl, firstPage: 0 } });
  expect(kept).not.toHaveProperty("service.observations");
  await write({ baseUrl: "https://archive.example.com" });
  const { code, stderr } = await callMedia(loginWith, PAIR);
  expect(code).toBe(2);
  expect(stderr).toContain("profile.baseUrl must be");
});

test("one of several profiles is used: the one in use, or the one that the variable names", async () => {
  await using other = await serveFake(service);
  await login(PAIR);
  const second = await callMedia(`login --base-url ${other.baseUrl} --profile test`, PAIR);
  expect(second.stderr).toContain("; call-media profiles use test makes it the one that");
  const whoami = async (variables: NodeJS.ProcessEnv = {}, rest = "") =>
    (await callMedia(`whoami${rest}`, "", variables)).stdout;
  const ofTest = `Service  ${other.baseUrl}\nBy       application, from profile test\n`;
  expect(await whoami()).toContain("from profile default");
  expect(await whoami({ CALL_MEDIA_PROFILE: "test" })).toContain(ofTest);
  expect(await whoami({ CALL_MEDIA_PROFILE: "test" }, " --profile default")).toContain("default");
  expect(await callMedia("profiles use test")).toMatchObject({ code: 0, stdout: "" });
  expect(await whoami()).toContain(ofTest);
  const { stdout } = await callMedia("profiles");
  expect(stdout).toBe(`  default  ${served.baseUrl}\n* test     ${other.baseUrl}\n`);
  expect(await callMedia("profiles use tset")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("unknown profile tset: did you mean test?"),
  });
  await callMedia("logout --profile test");
  expect(await whoami()).toContain("from profile default");
});

test("the secrets of the profile that the variable names are not sent to another address", async () => {
  await login();
  await using other = await serveFake(createFakeService());
  const variables = { CALL_MEDIA_PROFILE: "default" };
  expect(await callMedia(`whoami --base-url ${other.baseUrl}`, "", variables)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`its secrets are not sent to ${other.baseUrl}: pass --profile`),
  });
});
