// Running other programs: what they print, and their failure with all that they printed.
import { execFile, type ExecFileException } from "node:child_process";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The top of the repository, with a slash at its end. */
export const repository = fileURLToPath(new URL("../../..", import.meta.url));

export interface Surroundings {
  readonly cwd: string;
  /** The Node.js that the program, and whatever it starts, finds first; default the one that runs this. */
  readonly node?: string;
  readonly variables?: Readonly<Record<string, string>>;
}

// An answer of `npm install` or a report of licences; far more than any of them prints.
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Gives what the program wrote to standard output. Throws an Error with all its output when it does not end with 0. */
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
 * The environment of a terminal: without what a package manager adds for the scripts that it runs. What a person or a
 * workflow set, such as NPM_CONFIG_REGISTRY, is written in capitals and stays.
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
