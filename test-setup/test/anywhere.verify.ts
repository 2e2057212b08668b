// The tests pass anywhere: those that depend most on where they run, in places unlike a developer's machine.
import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

/** Some that start programs, other users, shells, servers and git, that fill and mount disks, and that go by the clock. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  "apps/contract-tests": ["layers", "links"],
  "packages/cli": [
    "completion",
    "diff",
    "login",
    "login-terminal",
    "search-folder",
    "verify",
    "watch",
  ],
  "packages/client": ["session"],
  "packages/import": ["import-run", "read-only-disk"],
  "packages/server": ["demo-command", "places"],
  "packages/store": ["doctor-folder", "network-disk", "postgres"],
  "test-setup": ["tree"],
};

/** The year ends, a day that most years have not, and an hour that a day has not, in the zones of the places. */
const DATES = [
  "2027-12-31 23:59:45",
  "2028-02-29 12:00:00",
  "2028-03-12 01:59:45",
  "2028-09-24 02:44:45",
];

type Place = "root" | "user" | "here";

const SCRIPT = join(ROOT, "test-setup/src/place.sh");

/** The arguments of the script before a command. */
const enter = (place: Place, date: string): readonly string[] => [
  place,
  mkdtempSync(join(tmpdir(), "place-")),
  date,
];

const canMake = (place: Place): boolean =>
  spawnSync(SCRIPT, [...enter(place, "2028-02-29 12:00:00"), "true"]).status === 0;

/** @throws Error with all its output if it does not end with 0 */
async function run(args: readonly string[]): Promise<void> {
  await promisify(execFile)(SCRIPT, args, { maxBuffer: 64 * 1024 ** 2 }).catch((error) => {
    throw new Error(`${error.message}\n${error.stdout}${error.stderr}`);
  });
}

const made = (["root", "user"] as const).filter(canMake);
if (made.length < 2)
  console.warn(
    "SKIPPED: places in which the tests run as root and as another user; root can make them",
  );
const places: readonly Place[] = made.length > 0 ? made : canMake("here") ? ["here"] : [];

describe.each(places)("in the place %s", (place) => {
  const cases = Object.entries(FILES).map(
    ([folder, names], index) => [folder, names, DATES[index % DATES.length] ?? ""] as const,
  );
  test.each(cases)("of %s pass %j on %s", async (folder, names, date) => {
    const files = names.map((name) => `test/${name}.test.ts`);
    expect(files.filter((file) => !existsSync(join(ROOT, folder, file)))).toEqual([]);
    const vitest = [process.execPath, "node_modules/vitest/vitest.mjs", "run", ...files];
    const inFolder = ["sh", "-c", 'cd "$1" && shift && exec "$@"', "sh", folder];
    await run([...enter(place, date), ...inFolder, ...vitest]);
  });
});
