// call-media check and probe as their users run them: against the service, and against one with a fault. Whole checks are in
// cli-check.verify.ts.
import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import type { Ended } from "@call-media/test-setup/call-media";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  type CheckCommand,
  type Finding,
  openCheckCommand,
  toEntry,
} from "../src/check-command.ts";
import { repository } from "../src/workspace.ts";

const hasCurl = spawnSync("curl", ["--version"]).status === 0;
if (!hasCurl) console.warn("SKIPPED: the command that a report tells; curl is not installed");

let command: CheckCommand;
beforeAll(async () => {
  command = await openCheckCommand();
});
afterAll(() => command[Symbol.asyncDispose]());

describe("a renamed field", () => {
  let har: string;
  /** One check: as text, and in all other formats in the files. */
  let rendered: Ended;
  let reports: readonly string[];

  beforeAll(async () => {
    const { folder, checkFaulty } = command;
    har = join(folder, "exchanges.har");
    reports = ["json", "junit", "sarif", "markdown"].map((format) => join(folder, format));
    const document = ["--document", join(repository, "spec/openapi.yaml")];
    const files = reports.flatMap((file) => ["--report", `${basename(file)}=${file}`]);
    // SARIF names files of the repository; outside of git that is the working directory.
    vi.spyOn(process, "cwd").mockReturnValue(repository);
    rendered = await checkFaulty(...document, ...files, "--har", har);
  });

  test("is reported as text that fits 80 columns, except for the command that repeats the request", async () => {
    const { code, stdout } = rendered;
    expect(code).toBe(1);
    expect(stdout).not.toContain("\u001b");
    const lines = stdout.split("\n").filter((line) => !line.startsWith("    again "));
    expect(lines.filter(({ length }) => length > 80)).toEqual([]);
  });

  test.skipIf(!hasCurl)("is shown again by the command in the report", async () => {
    const told = rendered.stdout.split("\n").find((line) => line.startsWith("    again "));
    const env = { ...process.env, TOKEN: command.access.apiKey };
    const again = told?.replace("    again ", "") ?? "";
    const { stdout } = await promisify(execFile)("sh", ["-c", again], { env });
    expect(stdout).toContain('"dateCreated"');
  });

  test("is expected: the check passes, and says so", async () => {
    const { findings }: { findings: readonly Finding[] } = JSON.parse(
      readFileSync(reports[0] ?? "", "utf8"),
    );
    const file = await command.write("known.json", findings.map(toEntry));
    const { code, stdout } = await command.checkFaulty("--expect", file);
    expect(code, stdout).toBe(0);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("not documented (mended in version 4)");
  });

  test("gives away no secret, key or token in any format", async () => {
    const outputs = [har, ...reports].map((file) => readFileSync(file, "utf8"));
    expect(outputs).not.toContain("");
    outputs.push(rendered.stdout, rendered.stderr);
    const { access, faulty } = command;
    const { credentials, restricted, apiKey } = access;
    expect(faulty.tokens.size).toBeGreaterThan(1);
    for (const secret of [credentials.secretKey, restricted.secretKey, apiKey, ...faulty.tokens])
      expect(outputs.filter((text) => text.includes(secret))).toEqual([]);
    expect((await stat(har)).mode & 0o077).toBe(0);
    const { log } = JSON.parse(outputs[0] ?? "");
    expect(log.entries.length).toBeGreaterThan(50);
    expect(outputs[0]).toContain("Bearer $TOKEN");
  });
});

describe("a run that cannot be whole", () => {
  test("because of too few requests exits with 2 and says so", async () => {
    const args = ["check", "--base-url", command.service, "--max-requests", "10"];
    const { code, stderr } = await command.run(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^call-media: .*10 requests.*\n$/);
  });
});

describe("probe", () => {
  test("exits with 2 if the service rejects the key", async () => {
    const refused = { CALL_MEDIA_API_KEY: "not-a-key-of-this-service" };
    const { code, stderr } = await command.run(["probe", "--base-url", command.service], refused);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^call-media: .+\n$/);
  });
});
