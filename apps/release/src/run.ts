// Runs other programs: returns their output, or fails with all of it.
import { execFile, type ExecFileException } from "node:child_process";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository, with a trailing slash. */
export const repository = fileURLToPath(new URL("../../..", import.meta.url));

export interface Surroundings {
  readonly cwd: string;
  /** The Node.js that is first on the path of the program and its children; default: the current one. */
  readonly node?: string;
  readonly variables?: Readonly<Record<string, string>>;
}

// Far more than the output of `npm install` or a licence report.
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Returns the standard output of the program. Throws an Error with all its output if the exit code is not 0. */
export async function run(command: readonly string[], surroundings: Surroundings): Promise<string> {
  const [program = "", ...args] = command;
  const options = {
    cwd: surroundings.cwd,
    env: toEnvironment(surroundings),
    maxBuffer: MAX_OUTPUT_BYTES,
  };
  return new Promise((resolve, reject) => {
    const end = (error: ExecFileException | null, stdout: string, stderr: string) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${command.join(" ")}: ${error.code}\n${stdout}${stderr}`.trim()));
    };
    execFile(program, args, options, end);
  });
}

/**
 * The environment of a terminal, without the variables that a package manager adds for its scripts. Variables of a person or a
 * workflow, such as NPM_CONFIG_REGISTRY, are in capitals and stay.
 */
export function toEnvironment({ node = process.execPath, variables = {} }: Surroundings) {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(?:p?npm_|NODE_(?:ENV|OPTIONS|PATH)$|VITEST)/.test(name),
  );
  const path = [dirname(node), process.env["PATH"]].join(delimiter);
  return { ...Object.fromEntries(own), PATH: path, ...variables };
}

/** The pnpm of the workspace at `root`: the same version everywhere. */
export const pnpmOf = (root: string): string => join(root, "node_modules/.bin/pnpm");
