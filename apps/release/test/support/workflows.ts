// Reads the workflows of this repository, and runs a step as a GitHub runner does.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { repository } from "../../src/run.ts";
import { runShell, type Shell } from "./steps.ts";

export interface Job {
  readonly needs?: string | readonly string[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly {
    readonly id?: string;
    readonly run?: string;
    readonly uses?: string;
    readonly env?: Readonly<Record<string, string>>;
  }[];
}

export interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

export const workflows = join(repository, ".github/workflows");

export const readWorkflow = (name: string): Workflow =>
  parse(readFileSync(join(workflows, name), "utf8"));

/** The steps of `.github/pnpm`, which add pnpm to the path of a job. */
export const readPnpmSteps = (): Pick<Job, "steps"> =>
  parse(readFileSync(join(repository, ".github/pnpm/action.yml"), "utf8")).runs;

/** Runs the step with this id. */
export function runStep(job: Pick<Job, "steps"> | undefined, id: string, shell: Shell) {
  const command = job?.steps.find((step) => step.id === id)?.run;
  if (command === undefined) throw new Error(`the job has no step ${id}`);
  return runShell(["bash", "-e", "-c", command], shell); // GitHub's default shell
}
