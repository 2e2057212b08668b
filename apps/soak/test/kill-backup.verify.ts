// A backup while an import runs, and kill -9 of a backup: what can be restored is whole, at least as new as the last good one.
import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { makeFolder } from "./support/archive.ts";
import { expectWell, summarize } from "./support/archive-check.ts";
import { importInto, SOME_REJECTED } from "./support/importing.ts";
import type { Program } from "./support/process.ts";
import { runProgram, startProgram } from "./support/program.ts";
import { createRandom } from "./support/random.ts";
import { toNumber } from "./support/scale.ts";
import { writeSource } from "./support/source.ts";

const ROUNDS = toNumber("KILLED_BACKUPS", { short: 2, long: 15 });
const ROWS = toNumber("BACKUP_ROWS", { short: 3_000, long: 6_000 });
const SEED = toNumber("KILL_SEED", { short: 1, long: 1 });

test("the backup that a kill -9 was to replace, or the new one, can be restored", async () => {
  const folder = await makeFolder();
  const [directory, backup] = [join(folder, "archive"), join(folder, "backup")];
  const toBackUp = ["backup", "--data", directory, "--to", backup];
  const first = await writeSource(join(folder, "source"), "first", ROWS);
  expect((await importInto(directory, first).ended).code).toBe(SOME_REJECTED);
  const startedMs = performance.now();
  await runProgram(toBackUp);
  const lastsMs = performance.now() - startedMs;

  const random = createRandom(SEED);
  let older = summarize(directory).calls;
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = await writeSource(join(folder, "source"), `next-${round}`, ROWS);
    const importing = importInto(directory, next);
    const killed = startProgram(toBackUp);
    // Every second one amid the change from the old backup to the new one.
    if (round % 2 === 0) await setTimeout(random() * lastsMs);
    else await untilReplaced(join(backup, "archive.db"), killed);
    await killed.kill();
    const calls = await restore(backup, join(folder, `killed-${round}`));
    expect(calls).toBeGreaterThanOrEqual(older);

    // Another while the import may still run.
    await runProgram(toBackUp);
    older = await restore(backup, join(folder, `whole-${round}`));
    expect(older).toBeGreaterThanOrEqual(calls);
    expect((await importing.ended).code).toBe(SOME_REJECTED);
  }
  await expectWell(directory);
});

async function untilReplaced(file: string, { child }: Program): Promise<void> {
  const { ino } = statSync(file);
  while (statSync(file).ino === ino && child.exitCode === null) await setTimeout(1);
}

/** Restores it into the folder, and gives the number of its calls; all that they name has to be there. */
async function restore(backup: string, directory: string): Promise<number> {
  await runProgram(["restore", "--from", backup, "--data", directory]);
  expect(await expectWell(directory)).toEqual([]);
  return summarize(directory).calls;
}
