// The number that redocly gives the contract for how easily programs and people find their way in it.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const redocly = fileURLToPath(import.meta.resolve("@redocly/cli/bin/cli.js"));
const specFolder = fileURLToPath(new URL("../../../spec/", import.meta.url));

// By its formula an operation with one parameter, a list of records in an envelope and the one form of errors gets 93.6
// at most. What is below that is text without a bound: the service promises none, so the contract states none.
const LEAST = 88;

test(`redocly scores the contract with ${LEAST} or more`, async () => {
  const options = [redocly, "score", "openapi.yaml", "--format", "json"];
  const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: specFolder });
  expect(JSON.parse(stdout).agentReadiness).toBeGreaterThanOrEqual(LEAST);
});
