// Runs the contract's workflows against a service.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { repository } from "./workspace.ts";

export interface WorkflowRun {
  readonly baseUrl: string;
  /** Values by their names in the workflows. */
  readonly inputs: Readonly<Record<string, string>>;
}

export interface WorkflowReport {
  readonly isKept: boolean;
  /** Every step, and the checks of its response, as `redocly respect` prints them. */
  readonly text: string;
}

const WORKFLOWS = "workflows/call-media.arazzo.yaml";

/** Runs every workflow. Each response is compared with the workflow and with the contract. */
export async function playWorkflows({ baseUrl, inputs }: WorkflowRun): Promise<WorkflowReport> {
  const program = fileURLToPath(import.meta.resolve("@redocly/cli/bin/cli.js"));
  const options = [program, "respect", WORKFLOWS, "--server", `call-media=${baseUrl}`];
  // Inputs are secrets: other users of the machine can see arguments, but not the environment.
  const env = {
    ...process.env,
    REDOCLY_CLI_RESPECT_INPUT: JSON.stringify(inputs),
    REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  };
  const cwd = join(repository, "spec");
  return promisify(execFile)(process.execPath, options, { cwd, env }).then(
    ({ stdout }) => ({ isKept: true, text: stdout }),
    ({ stdout, stderr }: { stdout: string; stderr: string }) => ({
      isKept: false,
      text: stdout + stderr,
    }),
  );
}
