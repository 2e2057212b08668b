// A disk that suddenly becomes read-only: no response lacks its row in the access log, and clients and operators get the reason.
import { expect, test } from "vitest";
import { makeDemoArchive } from "./support/archive.ts";
import { expectWell } from "./support/archive-check.ts";
import { readAccessLog } from "./support/audit.ts";
import { findMountFault, mountDisk } from "./support/disk.ts";
import { runProgram } from "./support/program.ts";
import { createQuestions } from "./support/questions.ts";
import { expectRefused, startServing, untilStatus } from "./support/serving.ts";

const fault = findMountFault();
if (fault !== undefined) console.warn(`SKIPPED, disks that can only be read: ${fault}`);

test.skipIf(fault)("reads are refused, and go on when the disk is repaired", async () => {
  const disk = await mountDisk(64);
  const archive = await makeDemoArchive(disk.folder);
  const { directory } = archive;
  const serving = await startServing(directory);
  const { recording, metadata, signIn, ready, alive } = createQuestions(serving.baseUrl, archive);
  const heard = await recording();
  expect(heard.status).toBe(200);

  disk.failWrites();
  expectRefused(await recording(), 503);
  expectRefused(await signIn(), 503);
  // The first may have been answered before it is known that its row cannot be written.
  await untilStatus(metadata, 503);
  for (let round = 0; round < 20; round += 1) {
    expectRefused(await recording(), 503);
    expectRefused(await metadata(), 503);
    expectRefused(await signIn(), 503);
  }
  await untilStatus(ready, 503);
  expect((await alive()).status).toBe(200);
  // No row is lost: those that could not be written are of reads that were refused.
  expect((await serving.stop()).code).toBe(0);

  await expectNamed(directory);
  disk.repair();
  await expectWell(directory);
  const again = await startServing(directory);
  const later = createQuestions(again.baseUrl, archive);
  for (const question of Object.values(later)) expect((await question()).status).toBe(200);
  expect(await again.stop()).toMatchObject({ code: 0 });
  const logged = (await readAccessLog(directory)).map(({ requestId }) => requestId);
  expect(logged).toContain(heard.requestId);
});

/** The messages of `doctor` and `serve` for the operator. */
async function expectNamed(directory: string): Promise<void> {
  const { stdout } = await runProgram(["doctor", "--data", directory], [1]);
  expect(stdout).toMatch(/^error: the disk can only be read$/m);
  const { stderr } = await runProgram(["serve", "--data", directory, "--port", "0"], [1]);
  expect(stderr).toMatch(/^call-media-server: .*read-only.*\n$/);
}
