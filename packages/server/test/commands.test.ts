// The operator's program as an operator runs it: a process, its output, its exit code.
import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DemoAccess } from "../src/commands/demo.ts";

const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));

let folder: string;
let demo: string;
let access: DemoAccess;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "call-media-commands-"));
  demo = join(folder, "demo");
  access = JSON.parse((await run("demo", "--data", demo, "--json")).stdout);
});
afterAll(() => rm(folder, { recursive: true }));

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<Ended>((resolve) =>
    child.on("close", (code) => resolve({ code, stdout, stderr })),
  );
  const says = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(stdout);
        if (match !== null) resolve(match);
      };
      child.stdout.on("data", look);
      void ended.then(() =>
        reject(new Error(`ended without saying ${String(pattern)}: ${stderr}`)),
      );
      look();
    });
  return { child, ended, says };
}

const run = (...args: string[]) => start(args).ended;

describe("demo", () => {
  test("prints what one needs to try it, and the same again the next time", async () => {
    expect(Object.keys(access)).toEqual(["credentials", "restricted", "apiKey", "examples"]);
    expect(Object.keys(access.examples)).toEqual(["call_id", "ref_id", "chat_call_id"]);
    const again = await run("demo", "--data", demo, "--json");
    expect(JSON.parse(again.stdout)).toEqual(access);
    expect((await stat(join(demo, "demo-credentials.json"))).mode & 0o077).toBe(0);
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

  test("--serve prints three lines to paste, and they work", async () => {
    const served = start(["demo", "--data", demo, "--serve", "--port", "0"]);
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
});

describe("serve", () => {
  test("answers until it is told to stop", async () => {
    const served = start(["serve", "--data", demo], { PORT: "0" });
    const [, baseUrl] = await served.says(/at (http:\S+),/);
    const response = await fetch(`${baseUrl}/flags/public`, {
      headers: { Authorization: `Bearer ${access.apiKey}` },
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
    [
      ["--cors-origin", "https://a.example", "https://b.example"],
      ["127.0.0.1"],
      "https://b.example",
    ],
  ])("%j", async (options, addresses, origin) => {
    const served = start(["serve", "--data", demo, "--port", "0", ...options]);
    const [, baseUrl] = await served.says(/at (http:\S+),/);
    for (const forwarded of ["203.0.113.9", "203.0.113.8"]) {
      const headers = { "X-Forwarded-For": forwarded, Origin: "https://b.example" };
      const response = await fetch(`${baseUrl}/flags/public`, { headers });
      expect(response.headers.get("access-control-allow-origin")).toBe(origin);
    }
    served.child.kill("SIGINT");
    const { stderr } = await served.ended;
    const seen = [...stderr.matchAll(/"address":"([^"]*)"/g)].map(([, address]) => address);
    expect([...new Set(seen)]).toEqual(addresses);
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
      "1000 (503); beyond 100 more",
    ])
      expect(stdout).toContain(limit);
  });

  test.concurrent.each<[string[], string]>([
    [["--host", "0.0.0.0"], "0.0.0.0 can be reached from other machines"],
    [["--tls-cert", "x.pem"], "--tls-cert and --tls-key go together"],
    [["--tls-cert", "x.pem", "--tls-key", "y.pem"], "x.pem cannot be read"],
    [["--behind-proxy", "10.0.0.0/33"], "It must be an address or a subnet"],
    [["--behind-proxy", "10.0.0.1", "proxy"], "It must be an address or a subnet"],
    [
      ["--behind-proxy", "--tls-cert", "x.pem", "--tls-key", "y.pem"],
      "--behind-proxy means that the proxy has the certificate",
    ],
    [["--cors-origin", "*"], "It must be an origin, like https://app.example.com."],
    [["--cors-origin", "https://a.example", "https://b.example/"], "It must be an origin"],
    [["--port", "99999"], "It must be a number from 0 to 65535."],
    [["--token-lifetime", "59"], "It must be a number from 60 to 86400."],
    [["--rate-limit", "none"], "It must be a number from 1 to 999999999."],
  ])("%j is one line and exit code 1", async (options, message) => {
    const { code, stderr } = await run("serve", "--data", demo, ...options);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/^ +at /m);
  });

  test("of a folder without an archive, or on a taken port, says so", async () => {
    expect((await run("serve", "--data", join(folder, "nothing"))).stderr).toMatch(
      /there is no archive in .*nothing: make one with "import" or "demo"/,
    );
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo; // an IP socket
    const { code, stderr } = await run("serve", "--data", demo, "--port", String(port));
    expect(code).toBe(1);
    expect(stderr).toBe(
      `call-media-server: port ${port} of 127.0.0.1 is taken by another program: stop it, or choose another port\n`,
    );
    await new Promise((resolve) => other.close(resolve));
  });
});

test("an archive that is damaged is one line, not a crash", async () => {
  const damaged = await mkdtemp(join(folder, "damaged-"));
  await writeFile(
    join(damaged, "archive.db"),
    "this is no database, however long it may be".repeat(100),
  );
  const { code, stderr } = await run("user", "list", "--data", damaged);
  expect(code).toBe(1);
  expect(stderr).toBe(
    `call-media-server: ${damaged}/archive.db cannot be used: file is not a database\n`,
  );
});

describe("users and their credentials", () => {
  const archive = () => join(folder, "archive");

  test("from the first user to a revoked token", async () => {
    expect(
      (
        await run(
          "user",
          "add",
          "--data",
          archive(),
          "mia",
          "email_id=mia@example.com",
          "allow_all_flags=true",
          "allowed_campaigns=Billing, Move of house",
        )
      ).stdout,
    ).toBe("Added mia as user 1.\n");
    expect(
      (await run("user", "set", "--data", archive(), "mia", "is_admin=true", "title=")).code,
    ).toBe(0);
    const [user] = (await run("user", "list", "--data", archive(), "--json")).stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    expect(user).toMatchObject({
      id: 1,
      username: "mia",
      status: 1,
      is_admin: true,
      title: null,
      allowed_campaigns: ["Billing", "Move of house"],
      allow_download: false,
    });
    expect((await run("user", "list", "--data", archive())).stdout).toContain(
      "1   mia       active  administrator  mia@example.com",
    );

    const application = JSON.parse(
      (await run("app", "create", "--data", archive(), "--user", "mia", "--json")).stdout,
    );
    const dated = JSON.parse(
      (
        await run(
          "key",
          "create",
          "--data",
          archive(),
          "--user",
          "mia",
          "--expires",
          "2199-01-01",
          "--json",
        )
      ).stdout,
    );

    const served = start(["serve", "--data", archive(), "--port", "0"]);
    const [, baseUrl] = await served.says(/at (http:\S+),/);
    const statusWith = async (bearer: string) =>
      (
        await fetch(`${baseUrl}/users/basic-info?status=all`, {
          headers: { Authorization: `Bearer ${bearer}` },
        })
      ).status;
    const signIn = () =>
      fetch(`${baseUrl}/Token`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(application),
      });
    const { access_token: token } = (await (await signIn()).json()) as { access_token: string };
    expect([await statusWith(token), await statusWith(dated.apiKey)]).toEqual([200, 200]);
    expect((await run("key", "revoke", "--data", archive(), dated.id)).stdout).toBe(
      `Revoked ${dated.id}.\n`,
    );
    expect((await run("token", "revoke", "--data", archive(), token)).stdout).toBe(
      "Revoked 1 token.\n",
    );
    expect([await statusWith(token), await statusWith(dated.apiKey)]).toEqual([401, 401]);
    expect((await run("app", "revoke", "--data", archive(), application.secretID)).stdout).toBe(
      `Revoked ${application.secretID} and 0 of its tokens.\n`,
    );
    expect((await signIn()).status).toBe(401);
    served.child.kill("SIGTERM");
    await served.ended;
  });

  test.concurrent.each<[string[], string]>([
    [["user", "add", "avery.admin"], "there is a user avery.admin already"],
    [["user", "add", "x", "colour=red"], 'a user has no field "colour" to set'],
    [["user", "add", "x", "is_admin=yes"], 'is_admin must be true or false, not "yes"'],
    [["user", "add", "x", "status=one"], 'status must be an integer from 0 to 2, not "one"'],
    [["user", "add", "x", "status=3"], 'status must be an integer from 0 to 2, not "3"'],
    [
      ["user", "add", "x", "created_date=yesterday"],
      'created_date must be a date and time with an offset, not "yesterday"',
    ],
    [["user", "add", "x", "title"], '"title" is not written name=value'],
    [["user", "set", "nobody", "title=x"], "there is no user nobody"],
    [["app", "create", "--user", "nobody"], "there is no user nobody"],
    [["app", "revoke", "app_x"], "there is no application app_x that is still good"],
    [
      ["key", "create", "--user", "avery.admin", "--expires", "soon"],
      '--expires: "soon" is not an ISO 8601 date and time',
    ],
    [
      ["key", "create", "--user", "avery.admin", "--expires", "2020-01-01"],
      "--expires: 2020-01-01 has passed already",
    ],
    [["key", "revoke", "key_x"], "there is no key key_x that is still good"],
    [["token", "revoke"], "give one of: a token, --user, --app"],
    [["token", "revoke", "x"], "there is no such token that is still good"],
    [["import", "--format", "xml", "x"], "Allowed choices are auto, jsonl, vcon,"],
    [["import", "--format", "jsonl", "missing.jsonl"], "missing.jsonl"],
    [["import", "--format", "csv", "demo/archive.db"], "mapping"],
    [
      ["import", "--format", "jsonl", "--timezone", "Mars/Olympus", "demo/archive.db"],
      "Mars/Olympus",
    ],
    [["nonsense"], "unknown command"],
  ])("%j is one line and exit code 1", async (args, message) => {
    const { code, stderr } = await run(
      ...args,
      ...(args[0] === "nonsense" ? [] : ["--data", demo]),
    );
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/^ +at /m);
    expect(code).toBe(1);
  });
});

describe("import", () => {
  test("of a path that is not there leaves no empty archive behind", async () => {
    const { code, stderr } = await run(
      "import",
      "--data",
      join(folder, "never"),
      "--format",
      "jsonl",
      "misspelt.jsonl",
    );
    expect([code, stderr]).toEqual([1, "call-media-server: misspelt.jsonl is not there\n"]);
    expect(await readdir(folder)).not.toContain("never");
  });

  test("accounts for every row, keeps the rejected ones, and can be run again", async () => {
    const archive = join(folder, "imported");
    await writeFile(
      join(folder, "calls.jsonl"),
      '{"kind":"call","call_id":"a","datetime":"2026-01-01T10:00:00"}\n{"kind":"call","colour":"red"}\nnot json\n',
    );
    const args = [
      "import",
      "--data",
      archive,
      "--format",
      "jsonl",
      "--timezone",
      "Europe/London",
      "calls.jsonl",
    ];
    const dry = await run(...args, "--dry-run");
    expect(dry.stdout).toMatch(
      /^Dry run, nothing was kept: read 3 = imported 1 \+ unchanged 0 \+ rejected 2\n/,
    );
    expect((await run("user", "list", "--data", archive)).code).toBe(1);
    const first = await run(...args);
    expect(first.stdout).toMatch(
      /^read 3 = imported 1 \+ unchanged 0 \+ rejected 2\n {2}calls\.jsonl:2: .*colour/,
    );
    expect(first.code).toBe(2);
    const rejected = (await readFile(join(folder, "rejected-rows.jsonl"), "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rejected.map(({ line, raw }) => [line, raw])).toEqual([
      [2, '{"kind":"call","colour":"red"}'],
      [3, "not json"],
    ]);
    expect((await run(...args)).stdout).toMatch(
      /^read 3 = imported 0 \+ unchanged 1 \+ rejected 2\n/,
    );
  });
});

test("a disk that is full ends an import in one line, and the next run completes it", async () => {
  const archive = join(folder, "full");
  const rows = Array.from({ length: 6_000 }, (_, index) => ({
    kind: "call",
    call_id: `c${index}`,
    notes: "x".repeat(1_000),
  }));
  await writeFile(join(folder, "many.jsonl"), rows.map((row) => JSON.stringify(row)).join("\n"));
  const args = ["import", "--data", archive, "--format", "jsonl", "many.jsonl"];
  await run("user", "add", "--data", archive, "first");
  // No file may grow past 4 MiB: 8,192 blocks of 512 bytes.
  const shell = spawn(
    "sh",
    ["-c", 'ulimit -f 8192; exec "$0" "$@"', process.execPath, MAIN, ...args],
    { cwd: folder },
  );
  let stderr = "";
  shell.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  expect(await new Promise((resolve) => shell.on("close", resolve))).toBe(1);
  expect(stderr).toMatch(/^call-media-server: [^\n]+\n$/);
  const [, imported, unchanged] =
    /imported ([\d,]+) \+ unchanged ([\d,]+) \+ rejected 0/.exec((await run(...args)).stdout) ?? [];
  expect(Number(imported?.replace(",", "")) + Number(unchanged?.replace(",", ""))).toBe(
    rows.length,
  );
});

test.concurrent.each([
  "",
  "serve",
  "demo",
  "import",
  "user",
  "user add",
  "user set",
  "user list",
  "app create",
  "app revoke",
  "key create",
  "key revoke",
  "token revoke",
  "verify",
  "backup",
  "restore",
  "doctor",
  "reindex",
  "audit begin-anew",
])("%s --help explains itself", async (command) => {
  const { code, stdout } = await run(...command.split(" ").filter(Boolean), "--help");
  expect(code).toBe(0);
  expect(stdout).toContain(`Usage: ${["call-media-server", command].filter(Boolean).join(" ")} `);
});
