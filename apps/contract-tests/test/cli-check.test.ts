// call-media check and probe as their users run them: against the service, and against one with a fault.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { routes } from "@call-media/api";
import type { CallStore } from "@call-media/store";
import { openStore } from "@call-media/store/sqlite";
import { generate } from "selfsigned";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DemoAccess, makeDemoArchive, startService } from "../src/demo-service.ts";
import { type FaultyService, startFaultyService } from "../src/faulty-service.ts";
import { repository } from "../src/workspace.ts";

const PROGRAM = join(repository, "packages/cli/src/main.ts");

// Only the flags of users are changed, so that one requirement fails, for both operations that list flags.
const FAULT = { path: "/flags/", from: '"DateCreated"', to: '"dateCreated"' };

/** What programs read of a finding in the JSON report. */
interface Finding {
  readonly requirement: string;
  readonly operation?: string;
  readonly fingerprint: string;
  readonly fault: string;
}

interface Observation {
  readonly decision: string;
  readonly agrees: boolean;
  readonly value: unknown;
}

const stack = new AsyncDisposableStack();
let folder: string;
let access: DemoAccess;
let store: CallStore;
let service: string;
let faulty: FaultyService;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "call-media-cli-check-"));
  stack.defer(() => rm(folder, { recursive: true }));
  const archive = stack.use(await makeDemoArchive());
  access = archive.access;
  store = stack.use(await openStore({ directory: archive.directory }));
  service = stack.use(await startService(store)).baseUrl;
  faulty = stack.use(await startFaultyService(service, FAULT));
});
afterAll(() => stack.disposeAsync());

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function toVariables(): NodeJS.ProcessEnv {
  return {
    CALL_MEDIA_SECRET_ID: access.credentials.secretID,
    CALL_MEDIA_SECRET_KEY: access.credentials.secretKey,
    CALL_MEDIA_API_KEY: access.apiKey,
    CALL_MEDIA_RESTRICTED_SECRET_ID: access.restricted.secretID,
    CALL_MEDIA_RESTRICTED_SECRET_KEY: access.restricted.secretKey,
  };
}

function run(args: readonly string[], variables = toVariables()): Promise<Ended> {
  const { FORCE_COLOR: _, NO_COLOR: __, ...inherited } = process.env;
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { ...inherited, ...variables },
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })));
}

const isOfPublicFlags = ({ operation }: Finding) => operation === "listPublicFlags";

const toEntry = ({ requirement, operation, fingerprint }: Finding) => ({
  requirement,
  operation,
  fingerprint,
  reason: "mended in version 4",
});

// Fewer requests than for all fifteen operations.
const OF_FLAGS = ["--only", "listPublicFlags,listPrivateFlags"];

const checkFaulty = (...args: string[]) =>
  run(["check", "--base-url", faulty.baseUrl, ...OF_FLAGS, ...args]);

async function write(name: string, content: unknown): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, JSON.stringify(content), { mode: 0o600 });
  return file;
}

test("the service keeps the interface", async () => {
  const { code, stdout, stderr } = await run(["check", "--base-url", service]);
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("The service keeps the interface.");
  const [, seen, of] =
    /\d+ requests in \d+\.\d s\. Seen of the contract: (\d+) of (\d+) operations/.exec(stdout) ??
    [];
  expect([seen, of].map(Number)).toEqual([routes.length, routes.length]);
});

test("the service keeps the decisions too, over TLS", async () => {
  const { private: key, cert } = await generate([{ name: "commonName", value: "127.0.0.1" }], {
    keyType: "ec",
    extensions: [
      { name: "basicConstraints", cA: true },
      { name: "subjectAltName", altNames: [{ type: 7, ip: "127.0.0.1" }] },
    ],
  });
  const trusted = join(folder, "trusted.pem");
  await writeFile(trusted, cert);
  await using secure = await startService(store, {}, { key, cert });
  const variables = { ...toVariables(), NODE_EXTRA_CA_CERTS: trusted };
  const args = ["check", "--base-url", secure.baseUrl, "--against", "decisions"];
  const { code, stdout, stderr } = await run(args, variables);
  expect(secure.baseUrl).toMatch(/^https:/);
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("The service keeps the interface and the decisions.");
});

describe("a renamed field", () => {
  let findings: readonly Finding[];
  let har: string;
  /** One check: as text, and in all other formats in the files. */
  let rendered: Ended;
  let reports: readonly string[];

  beforeAll(async () => {
    har = join(folder, "exchanges.har");
    const whole = ["check", "--base-url", faulty.baseUrl, "--format", "json", "--har", har];
    const { stdout } = await run(whole);
    ({ findings } = JSON.parse(stdout));
    reports = ["json", "junit", "sarif", "markdown"].map((format) => join(folder, format));
    const document = ["--document", join(repository, "spec/openapi.yaml")];
    const files = reports.flatMap((file) => ["--report", `${basename(file)}=${file}`]);
    rendered = await checkFaulty(...document, ...files);
  });

  test("is found where it is, and nowhere else", () => {
    const operations = findings.map(({ operation = "none" }) => operation);
    const ofFlags = routes.filter(({ tag }) => tag === "Flags");
    expect(new Set(operations)).toEqual(new Set(ofFlags.map(({ operationId }) => operationId)));
    for (const { fault } of findings) expect(fault).toMatch(/DateCreated|dateCreated/);
  });

  test("is told as text that fits 80 columns, with a command that shows it again", async () => {
    const { code, stdout } = rendered;
    expect(code).toBe(1);
    expect(stdout).not.toContain("\u001b");
    const lines = stdout.split("\n");
    const commands = lines.filter((line) => line.startsWith("    again "));
    expect(lines.filter((line) => line.length > 80 && !commands.includes(line))).toEqual([]);
    const command = commands[0]?.replace("    again ", "") ?? "";
    const again = spawn("sh", ["-c", command], { env: { ...process.env, TOKEN: access.apiKey } });
    let answer = "";
    again.stdout.on("data", (chunk: Buffer) => (answer += chunk.toString()));
    await new Promise((resolve) => again.on("close", resolve));
    expect(answer).toContain('"dateCreated"');
  });

  test("is expected: the check passes, and says so", async () => {
    const file = await write("known.json", findings.map(toEntry));
    const { code, stdout } = await checkFaulty("--expect", file);
    expect(code, stdout).toBe(0);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("not documented (mended in version 4)");
  });

  test("is expected of one operation: the other one fails", async () => {
    const file = await write("one.json", findings.filter(isOfPublicFlags).map(toEntry));
    const { code, stdout } = await checkFaulty("--expect", file, "--format", "json");
    expect(code).toBe(1);
    const report: { findings: Finding[]; expected: Finding[] } = JSON.parse(stdout);
    const listOperations = (list: readonly Finding[]) => new Set(list.map((one) => one.operation));
    expect(listOperations(report.expected)).toEqual(new Set(["listPublicFlags"]));
    expect(listOperations(report.findings)).toEqual(new Set(["listPrivateFlags"]));
  });

  test("is expected: a new fault of the same requirement and operation fails", async () => {
    const file = await write("before.json", findings.map(toEntry));
    await using worse = await startFaultyService(faulty.baseUrl, {
      path: "/flags/",
      from: '"DateModified"',
      to: '"dateModified"',
    });
    const args = ["check", "--base-url", worse.baseUrl, ...OF_FLAGS, "--expect", file, "--json"];
    const { code, stdout } = await run(args);
    expect(code).toBe(1);
    const report: { findings: Finding[]; expected: Finding[] } = JSON.parse(stdout);
    expect(report.expected).toHaveLength(findings.length);
    expect(report.findings.length).toBeGreaterThan(0);
    for (const { fault } of report.findings) expect(fault).toMatch(/DateModified|dateModified/);
  });

  test("is expected of a service that has mended it: the entry is stale and fails", async () => {
    const file = await write(
      "stale.json",
      findings.filter(isOfPublicFlags).slice(0, 1).map(toEntry),
    );
    const mended = ["check", "--base-url", service, ...OF_FLAGS];
    const { code, stdout } = await run([...mended, "--expect", file]);
    expect(code).toBe(1);
    expect(stdout).toContain("1 expected difference not found any more.");
  });

  test("gives away no secret, key or token in any format", async () => {
    const outputs = [har, ...reports].map((file) => readFileSync(file, "utf8"));
    expect(outputs).not.toContain("");
    outputs.push(rendered.stdout, rendered.stderr);
    const { credentials, restricted, apiKey } = access;
    expect(faulty.tokens.size).toBeGreaterThan(5);
    for (const secret of [credentials.secretKey, restricted.secretKey, apiKey, ...faulty.tokens])
      expect(outputs.filter((text) => text.includes(secret))).toEqual([]);
    expect((await stat(har)).mode & 0o077).toBe(0);
    const { log } = JSON.parse(outputs[0] ?? "");
    expect(log.entries.length).toBeGreaterThan(50);
    expect(outputs[0]).toContain("Bearer $TOKEN");
  });
});

describe("a run that cannot be whole", () => {
  test("for want of requests ends with 2 and says so", async () => {
    const { code, stderr } = await run(["check", "--base-url", service, "--max-requests", "10"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^call-media: .*10 requests.*\n$/);
  });

  test("for want of coverage ends with 2 and says so", async () => {
    const { code, stderr } = await run([
      "check",
      "--base-url",
      service,
      "--floor",
      "100",
      ...OF_FLAGS,
    ]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^call-media: .+\n$/);
  });
});

describe("probe", () => {
  test("shows what the service answers beside the decisions, and writes a profile", async () => {
    // The file of the demo's credentials is a profile as well.
    const given = await write("demo.json", { ...access, baseUrl: service });
    const file = join(folder, "profile.json");
    const { code, stdout } = await run(["probe", "--profile", given, "--profile-out", file], {});
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Decision {2}Question {2,}Observed {2,}Ours {2,}Same$/m);
    const { observations }: { observations: Observation[] } = JSON.parse(
      await readFile(file, "utf8"),
    );
    const others = observations.filter(({ agrees }) => !agrees);
    expect(others).toEqual([]);
    const decisions = observations.map(({ decision }) => decision);
    for (const decision of decisions) expect(stdout).toMatch(new RegExp(`^${decision} `, "m"));
    // D21 and D23 are seen with a second caller and with credentials alone.
    expect(decisions).toEqual(expect.arrayContaining(["D07", "D21", "D23"]));
    expect(observations).toContainEqual(expect.objectContaining({ decision: "D07", value: 0 }));
  });

  test("of a service that refuses the key ends with 2", async () => {
    const refused = { CALL_MEDIA_API_KEY: "not-a-key-of-this-service" };
    const { code, stderr } = await run(["probe", "--base-url", service], refused);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^call-media: .+\n$/);
  });
});
