// Runs the steps of a composite action as a GitHub runner does: conditions, expressions, environment and shell.
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { toEnvironment } from "../../src/run.ts";

interface Step {
  readonly name?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Action {
  readonly inputs: Readonly<
    Record<string, { readonly description: string; readonly default?: string }>
  >;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

export interface Ran {
  readonly name: string;
  readonly code: number | null;
  readonly output: string;
}

interface Runner {
  readonly cwd: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly variables: Readonly<Record<string, string>>;
}

export async function readAction(file: string): Promise<Action> {
  return parse(await readFile(file, "utf8"));
}

/** Runs every step that has a command, in order. After a failure, only steps that request it run. */
export async function runAction({ inputs, runs }: Action, runner: Runner): Promise<Ran[]> {
  const defaults = Object.entries(inputs).map(
    ([name, input]) => [name, input.default ?? ""] as const,
  );
  const given: Readonly<Record<string, string>> = {
    ...Object.fromEntries(defaults),
    ...runner.inputs,
  };
  const ran: Ran[] = [];
  for (const {
    name = "",
    if: condition = "success()",
    run = "",
    env = {},
    shell,
  } of runs.steps.filter((step) => step.run)) {
    const failed = ran.some(({ code }) => code !== 0);
    if (!holds(condition, given, failed)) continue;
    const values = Object.entries(env).map(([key, value]) => [key, fill(value, given)] as const);
    // Only bash: its command below is the one that GitHub runs.
    if (shell !== "bash") throw new Error(`${name} has another shell than bash`);
    const variables = { ...runner.variables, ...Object.fromEntries(values) };
    const ended = await runShell(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", run], {
      cwd: runner.cwd,
      variables,
    });
    ran.push({ name, ...ended });
  }
  return ran;
}

export interface Shell {
  readonly cwd: string;
  readonly variables: Readonly<Record<string, string>>;
  /** The complete standard input. */
  readonly input?: string;
}

export function runShell(
  command: readonly string[],
  { cwd, variables, input = "" }: Shell,
): Promise<{ code: number | null; output: string }> {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { cwd, env: toEnvironment({ cwd, variables }) });
  child.stdin.on("error", () => {}); // it may exit without reading
  child.stdin.end(input);
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, output })));
}

/** Evaluates only the expressions that our action uses. */
function holds(
  condition: string,
  inputs: Readonly<Record<string, string>>,
  failed: boolean,
): boolean {
  const text = condition.replace(/^\$\{\{ (.*) \}\}$/, "$1");
  const terms = text.split(" && ");
  if (failed && !terms.includes("!cancelled()")) return false;
  return terms.every((term) => {
    if (term === "!cancelled()" || term === "success()") return true;
    const name = /^inputs\.([a-z-]+) != ''$/.exec(term)?.[1];
    if (name === undefined || inputs[name] === undefined)
      throw new Error(`${term} is not understood`);
    return inputs[name] !== "";
  });
}

function fill(text: string, inputs: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => {
    const value = inputs[expression.replace(/^inputs\./, "")];
    if (value === undefined) throw new Error(`${expression} is not understood`);
    return value;
  });
}
