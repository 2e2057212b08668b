// Builds what tests read of a package's `dist`, so that none of them judges an old build.
import { execFileSync } from "node:child_process";
import { delimiter, join } from "node:path";

const REPOSITORY = join(import.meta.dirname, "../..");
const PROGRAMS = join(REPOSITORY, "node_modules/.bin");

/** Builds a package and those that it is built from, unless turbo runs the tests: it has done so before them. */
export function build(name: string): void {
  if (process.env["TURBO_HASH"] !== undefined) return;
  const asked = ["run", "build", `--filter=${name}`, "--output-logs=errors-only", "--ui=stream"];
  execFileSync(join(PROGRAMS, "turbo"), asked, {
    cwd: REPOSITORY,
    env: { ...process.env, PATH: `${PROGRAMS}${delimiter}${process.env["PATH"]}` },
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
}
