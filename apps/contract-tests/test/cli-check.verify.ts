// call-media check and probe as their users run them, whole: against the service, and against one with a fault.
import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { routes } from "@call-media/api";
import { generate } from "selfsigned";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type CheckCommand,
  type Finding,
  OF_FLAGS,
  openCheckCommand,
  toEntry,
} from "../src/check-command.ts";
import { startService } from "../src/demo-service.ts";
import { startFaultyService } from "../src/faulty-service.ts";
import { repository } from "../src/workspace.ts";

const PROGRAM = join(repository, "packages/cli/src/main.ts");

interface Observation {
  readonly decision: string;
  readonly agrees: boolean;
  readonly value: unknown;
}

let command: CheckCommand;
beforeAll(async () => {
  command = await openCheckCommand();
});
afterAll(() => command[Symbol.asyncDispose]());

/** As a process, whose Node.js trusts the certificate of that file. */
async function runTrusting(trusted: string, args: readonly string[]) {
  const { FORCE_COLOR: _, NO_COLOR: __, ...inherited } = process.env;
  const env = { ...inherited, ...command.variables, NODE_EXTRA_CA_CERTS: trusted };
  const child = spawn(process.execPath, [PROGRAM, ...args], { env });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, stdout, stderr };
}

const isOfPublicFlags = ({ operation }: Finding) => operation === "listPublicFlags";

test("the service keeps the interface", async () => {
  const { code, stdout, stderr } = await command.run(["check", "--base-url", command.service]);
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
  const trusted = join(command.folder, "trusted.pem");
  await writeFile(trusted, cert);
  await using secure = await startService(command.store, {}, { key, cert });
  const args = ["check", "--base-url", secure.baseUrl, "--against", "decisions"];
  const { code, stdout, stderr } = await runTrusting(trusted, args);
  expect(secure.baseUrl).toMatch(/^https:/);
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("The service keeps the interface and the decisions.");
});

describe("a renamed field", () => {
  let findings: readonly Finding[];

  beforeAll(async () => {
    const whole = ["check", "--base-url", command.faulty.baseUrl, "--format", "json"];
    ({ findings } = JSON.parse((await command.run(whole)).stdout));
  });

  test("is found where it is, and nowhere else", () => {
    const operations = findings.map(({ operation = "none" }) => operation);
    const ofFlags = routes.filter(({ tag }) => tag === "Flags");
    expect(new Set(operations)).toEqual(new Set(ofFlags.map(({ operationId }) => operationId)));
    for (const { fault } of findings) expect(fault).toMatch(/DateCreated|dateCreated/);
  });

  test("is expected of one operation: the other one fails", async () => {
    const file = await command.write("one.json", findings.filter(isOfPublicFlags).map(toEntry));
    const { code, stdout } = await command.checkFaulty("--expect", file, "--format", "json");
    expect(code).toBe(1);
    const report: { findings: Finding[]; expected: Finding[] } = JSON.parse(stdout);
    const listOperations = (list: readonly Finding[]) => new Set(list.map((one) => one.operation));
    expect(listOperations(report.expected)).toEqual(new Set(["listPublicFlags"]));
    expect(listOperations(report.findings)).toEqual(new Set(["listPrivateFlags"]));
  });

  test("is expected: a new fault of the same requirement and operation fails", async () => {
    const file = await command.write("before.json", findings.map(toEntry));
    await using worse = await startFaultyService(command.faulty.baseUrl, {
      path: "/flags/",
      from: '"DateModified"',
      to: '"dateModified"',
    });
    const args = ["check", "--base-url", worse.baseUrl, ...OF_FLAGS, "--expect", file, "--json"];
    const { code, stdout } = await command.run(args);
    expect(code).toBe(1);
    const report: { findings: Finding[]; expected: Finding[] } = JSON.parse(stdout);
    expect(report.expected).toHaveLength(findings.length);
    expect(report.findings.length).toBeGreaterThan(0);
    for (const { fault } of report.findings) expect(fault).toMatch(/DateModified|dateModified/);
  });

  test("is expected of a service that has mended it: the entry is stale and fails", async () => {
    const file = await command.write(
      "stale.json",
      findings.filter(isOfPublicFlags).slice(0, 1).map(toEntry),
    );
    const mended = ["check", "--base-url", command.service, ...OF_FLAGS];
    const { code, stdout } = await command.run([...mended, "--expect", file]);
    expect(code).toBe(1);
    expect(stdout).toContain("1 expected difference not found any more.");
  });
});

describe("a run that cannot be whole", () => {
  test("because of too little coverage exits with 2 and says so", async () => {
    const { code, stderr } = await command.run([
      "check",
      "--base-url",
      command.service,
      "--floor",
      "100",
      "--only",
      "getRecordingByCallId",
    ]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^call-media: .+\n$/);
  });
});

describe("probe", () => {
  test("shows the observations next to the decisions, and writes a profile", async () => {
    // The file of the demo's credentials is a profile as well.
    const given = await command.write("demo.json", {
      ...command.access,
      baseUrl: command.service,
    });
    const file = join(command.folder, "profile.json");
    const { code, stdout } = await command.run(
      ["probe", "--profile", given, "--profile-out", file],
      {},
    );
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
});
