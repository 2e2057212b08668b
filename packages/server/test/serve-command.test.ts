// `call-media-server serve` as an operator runs it: its options, and what it says of those that do not go together.
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeTrust } from "../src/commands/console-options.ts";
import { addServeOptions, toRunOptions } from "../src/commands/serve-options.ts";
import { run, startCommand } from "./support/command.ts";
import { startServing } from "./support/program.ts";
import { ALLOWED_ALL, startTestService, type TestService } from "./support/service.ts";

let folder: string;
let archive: TestService;
let data: string;
let key: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "call-media-serve-"));
  archive = await startTestService();
  data = archive.directory;
  ({ key } = await archive.addUser(ALLOWED_ALL));
});
afterAll(async () => {
  await archive[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

test("responds until a signal stops it", async () => {
  const served = startCommand(["serve", "--data", data], { env: { PORT: "0" } });
  const [, baseUrl] = await served.says(/at (http:\S+),/);
  const response = await fetch(`${baseUrl}/flags/public`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  expect(response.status).toBe(200);
  served.child.kill("SIGINT");
  expect(await served.ended).toMatchObject({ code: 0 });
});

test.each<[string[], string[], string | null]>([
  [[], ["127.0.0.1"], null],
  [["--behind-proxy"], ["203.0.113.9", "203.0.113.8"], null],
  [["--behind-proxy", "10.0.0.1", "127.0.0.0/8"], ["203.0.113.9", "203.0.113.8"], null],
  [["--behind-proxy", "10.0.0.0/8"], ["127.0.0.1"], null],
  [["--cors-origin", "https://a.example", "https://b.example"], ["127.0.0.1"], "https://b.example"],
])("%j", async (options, addresses, origin) => {
  const { baseUrl, signal, ended, output } = await startServing(data, options);
  for (const forwarded of ["203.0.113.9", "203.0.113.8"]) {
    const headers = { "X-Forwarded-For": forwarded, Origin: "https://b.example" };
    const response = await fetch(`${baseUrl}/flags/public`, { headers });
    expect(response.headers.get("access-control-allow-origin")).toBe(origin);
  }
  signal("SIGINT");
  await ended;
  const seen = [...output().stderr.matchAll(/"address":"([^"]*)"/g)].map(([, address]) => address);
  expect([...new Set(seen)]).toEqual(addresses);
});

test("warns once of what keeps the caller behind a proxy unknown, but not for probes", async () => {
  const headers = { "X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https" };
  const none = { ...headers, "X-Forwarded-For": "" };
  const plain = { "X-Forwarded-For": "203.0.113.9" };
  expect(await warningsOf([], [{}, headers])).toEqual([]);
  expect(await warningsOf(["--behind-proxy"], [headers])).toEqual([]);
  expect(await warningsOf(["--behind-proxy"], [headers, none, none, plain, plain])).toEqual([
    expect.stringContaining("no X-Forwarded-For"),
    expect.stringContaining("no X-Forwarded-Proto"),
  ]);
  expect(await warningsOf(["--behind-proxy", "10.0.0.0/8"], [headers, {}])).toEqual([
    expect.stringContaining("did not come from a proxy"),
  ]);
  const naming = ["--behind-proxy", "127.0.0.1", "--console-user-header", "X-User"];
  const options = [...naming, "--console-user-secret-file", await writeSecret()];
  const named = { ...headers, "X-User": "ana" };
  expect(await warningsOf(options, [headers, named, named])).toEqual([
    expect.stringContaining("without X-Call-Media-Proxy-Secret"),
  ]);
});

/** What the log warns of after such requests, behind a probe without headers. */
async function warningsOf(options: string[], requests: readonly Record<string, string>[]) {
  const { baseUrl, stop, log } = await startServing(data, options);
  await fetch(`${baseUrl}/healthz`);
  for (const headers of requests) await fetch(`${baseUrl}/flags/public`, { headers });
  await stop();
  return log()
    .filter(({ level }) => level === "warn")
    .map(({ msg }) => msg);
}

test.each<[string[], string]>([
  [[], ""],
  [
    ["--behind-proxy"],
    "Trusted from 127.0.0.0/8, ::1 alone: X-Forwarded-For and X-Forwarded-Proto. ",
  ],
  [
    ["--behind-proxy", "10.1.2.3", "--console-user-header", "X-User"],
    "and with the secret in X-Call-Media-Proxy-Secret the user of the console in X-User (named by the proxy: no administrator). ",
  ],
  [
    ["--behind-proxy", "10.1.2.3", "--console-user-header", "X-User", "--console-user-admins"],
    "(named by the proxy: administrators too)",
  ],
])("%j: the start says what is trusted, and from where", async (given, expected) => {
  const isNaming = given.includes("--console-user-header");
  const args = isNaming ? [...given, "--console-user-secret-file", await writeSecret()] : given;
  const command = addServeOptions(new Command()).parse(args, { from: "user" });
  expect(describeTrust(await toRunOptions(command.opts())) ?? "").toContain(expected);
});

/** A file as `openssl rand -hex 32` makes it. */
async function writeSecret(content = `${"5e".repeat(32)}\n`, mode = 0o600): Promise<string> {
  const file = join(folder, "proxy-secret");
  await rm(file, { force: true });
  await writeFile(file, content);
  await chmod(file, mode);
  return file;
}

test.each<[what: string, make: () => Promise<string>, message: string]>([
  ["is not there", async () => join(folder, "none"), "cannot be read (ENOENT"],
  ["is empty", () => writeSecret("\n"), "must hold one line of 32 to 1024 visible ASCII"],
  ["is short", () => writeSecret("x".repeat(31)), "must hold one line of 32"],
  ["has two lines", () => writeSecret(`${"x".repeat(32)}\n${"y".repeat(32)}`), "one line"],
  ["may be read by all", () => writeSecret(undefined, 0o604), "by every user of this machine"],
])("a secret of the proxy that %s is refused, and not said", async (_what, make, message) => {
  const args = ["--behind-proxy", "10.1.2.3", "--console-user-header", "X-User"];
  const command = addServeOptions(new Command()).parse(
    [...args, "--console-user-secret-file", await make()],
    { from: "user" },
  );
  const refusal = await toRunOptions(command.opts()).catch(String);
  expect(refusal).toContain(message);
  expect(refusal).not.toMatch(/x{31}/);
});

test("--help names every limit", async () => {
  const { stdout } = await run("serve", "--help");
  for (const limit of [
    "64 KiB (413)",
    "16 KiB (414)",
    "32 KiB with the address, 100 in number (431)",
  ])
    expect(stdout).toContain(limit);
  for (const limit of [
    "within 10 s",
    "within 30 s",
    "65 s, then closed",
    "60 s without",
    "1200; a new one closes an idle one",
    "1000; a new one cuts one of who has most, or gets 503",
  ])
    expect(stdout).toContain(limit);
  // An example is one line, to be copied.
  expect(stdout.split("\n").filter((line) => line.length > 80 && !line.includes("$ "))).toEqual([]);
});

test.concurrent.each<[string[], string]>([
  [["--host", "0.0.0.0"], "0.0.0.0 can be reached from other machines"],
  [["--tls-cert", "x.pem"], "--tls-cert and --tls-key go together"],
  [["--tls-cert", "x.pem", "--tls-key", "y.pem"], "--tls-cert: x.pem does not exist"],
  [["--behind-proxy", "10.0.0.0/33"], "It must be an address or a subnet"],
  [["--behind-proxy", "10.0.0.1", "proxy"], "It must be an address or a subnet"],
  ...[[], ["--behind-proxy"], ["--behind-proxy", "10.0.0.1", "::/0"]].map(
    (proxies): [string[], string] => [
      [...proxies, "--console-user-header", "X-Forwarded-User"],
      "--console-user-header needs the addresses of your proxies, as in --behind-proxy 10.1.2.3",
    ],
  ),
  [
    ["--behind-proxy", "10.0.0.1", "--console-user-header", "X-Forwarded-User"],
    "--console-user-header needs --console-user-secret-file: every program that connects",
  ],
  ...[["--console-user-admins"], ["--console-user-secret-file", "x"]].map(
    (alone): [string[], string] => [
      ["--behind-proxy", "10.0.0.1", ...alone],
      "go with --console-user-header",
    ],
  ),
  [
    [
      "--behind-proxy",
      "10.0.0.1",
      "--console-user-secret-file",
      "x",
      "--console-user-header=x-call-media-proxy-secret",
    ],
    "is the header of the secret",
  ],
  ...["Cookie", "authorization", "X-Forwarded-For", "Host"].map((header): [string[], string] => [
    [
      "--behind-proxy",
      "10.0.0.1",
      "--console-user-secret-file",
      "x",
      `--console-user-header=${header}`,
    ],
    `${header} has a meaning of its own`,
  ]),
  [
    ["--behind-proxy", "--tls-cert", "x.pem", "--tls-key", "y.pem"],
    "--behind-proxy means that the proxy has the certificate",
  ],
  [["--cors-origin", "*"], "It must be an origin, like https://app.example.com."],
  [["--cors-origin", "https://a.example", "https://b.example/"], "It must be an origin"],
  [["--port", "99999"], "It must be a whole number from 0 to 65535."],
  [["--token-lifetime", "59"], "It must be a whole number from 60 to 86400."],
  [["--rate-limit", "none"], "It must be a whole number from 1 up."],
])("%j is one line and exit code 1", async (options, message) => {
  const { code, stderr } = await run("serve", "--data", data, ...options);
  expect(code).toBe(1);
  expect(stderr).toContain(message);
  expect(stderr).not.toMatch(/^ +at /m);
});

test("serve reports a folder without an archive, and a port that is taken", async () => {
  expect((await run("serve", "--data", join(folder, "nothing"))).stderr).toMatch(
    /there is no archive in .*nothing: make one with "import" or "demo"/,
  );
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo; // an IP socket
  const { code, stderr } = await run("serve", "--data", data, "--port", String(port));
  expect(code).toBe(1);
  expect(stderr).toBe(
    `call-media-server: port ${port} of 127.0.0.1 is taken by another program: stop it, or choose another port\n`,
  );
  await new Promise((resolve) => other.close(resolve));
});
