// Compiles a user's program against the installed packages, as strictly as a user may.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "./run.ts";

// The `module` option for each resolution.
const MODULES = { nodenext: "nodenext", bundler: "esnext" } as const;

/** The supported ways to resolve modules. */
export const resolutions = ["nodenext", "bundler"] as const;

export interface Program {
  /** The project with the packages. */
  readonly cwd: string;
  /** Path of tsc. */
  readonly compiler: string;
  readonly resolution: (typeof resolutions)[number];
  /** Names of files in `cwd`. */
  readonly files: readonly string[];
  /** True if the program runs in a browser: with browser types and without those of Node.js. */
  readonly isForBrowser?: boolean;
}

/** Returns tsc's errors in the program and every declaration it reaches, including those of the packages; "" if none. */
export async function findTypeErrors(program: Program): Promise<string> {
  const { cwd, compiler, resolution, files, isForBrowser = false } = program;
  const compilerOptions = {
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    target: "es2022",
    lib: isForBrowser ? ["es2022", "dom"] : ["es2022"],
    types: isForBrowser ? [] : ["node"],
    module: MODULES[resolution],
    moduleResolution: resolution,
  };
  const project = join(cwd, `tsconfig.${resolution}${isForBrowser ? ".browser" : ""}.json`);
  await writeFile(project, JSON.stringify({ compilerOptions, files }));
  const check = run([process.execPath, compiler, "--project", project], { cwd });
  return check.catch((error: unknown) => String(error));
}
