// A purge on a disk without a free byte: the operator can erase, and the message says what remains.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "./support/archive.ts";
import { expectWell, type Summary, summarize } from "./support/archive-check.ts";
import { readAccessLog } from "./support/audit.ts";
import { type Disk, findMountFault, mountDisk } from "./support/disk.ts";
import { importInto, toAccount } from "./support/importing.ts";
import { runProgram } from "./support/program.ts";
import { writeSource } from "./support/source.ts";

const fault = findMountFault();
if (fault !== undefined) console.warn(`SKIPPED, purges on full disks: ${fault}`);

const ROWS = 2_500;
const HEARD = "calls-7";
const NOTES = "note 7 xx";

interface FullDisk extends Disk {
  readonly directory: string;
  /** When it was filled. */
  readonly before: Summary;
  readonly purge: (codes: readonly number[], ...options: string[]) => ReturnType<typeof runProgram>;
}

async function fillDisk(spoil: (directory: string) => void = () => {}): Promise<FullDisk> {
  const source = await writeSource(await makeFolder(), "calls", ROWS);
  const disk = await mountDisk(96);
  const directory = join(disk.folder, "archive");
  toAccount(await importInto(directory, source).ended);
  // On a full disk SQLite has no room to read.
  const before = summarize(directory);
  spoil(directory);
  disk.fill(0);
  const purge: FullDisk["purge"] = (codes, ...options) =>
    runProgram(["purge", "--data", directory, "--yes", ...options], codes);
  return { ...disk, directory, before, purge };
}

const readDatabase = (directory: string) => readFileSync(join(directory, "archive.db"), "latin1");

const readPurges = async (directory: string) =>
  (await readAccessLog(directory)).filter(({ operation }) => operation === "purge").length;

test.skipIf(fault)(
  "one call goes from rows, index and files; how much room the rest needs is said, and with it the rest is done",
  async () => {
    const { directory, before, purge, makeRoom } = await fillDisk();
    expect(readDatabase(directory)).toContain(NOTES);

    const plan = await purge([0], "--call-id", HEARD, "--dry-run");
    expect(plan.stdout).toContain("1 record, 0 chat messages, 1 file");
    const { stdout, stderr } = await purge([2], "--call-id", HEARD);
    expect(stdout).toContain("Taken out: 1 record, 0 chat messages, 1 file");
    expect(stderr).toMatch(/make [\d,]+ bytes free on it, then run purge again\n$/);
    expect(summarize(directory).calls).toBe(before.calls - 1);
    expect(readDatabase(directory)).not.toContain(NOTES);
    // That it began, what is about to go, and what became of it.
    expect(await readPurges(directory)).toBe(3);
    expect((await purge([2], "--call-id", "calls-9")).stdout).toContain("Taken out: 1 record");

    makeRoom();
    expect(await expectWell(directory)).toEqual([]);
    expect((await purge([0], "--call-id", HEARD)).stderr).toBe("");
    expect(await expectWell(directory)).toEqual([]);
  },
);

test.skipIf(fault)(
  "the room of recordings and records is enough for the rest of a purge",
  async () => {
    const { directory, purge } = await fillDisk();
    const { stdout, stderr } = await purge([0], "--before", "2027-01-01");
    // How far it has come is said on a slow machine alone.
    const told = stderr.replaceAll(/^(?:records|recordings): \d+% of .*\n/gm, "");
    expect([stdout, told]).toEqual([expect.stringMatching(/^Taken out: 2,\d+ records/), ""]);
    expect(summarize(directory)).toMatchObject({ calls: 0, chats: 0 });
    expect(await expectWell(directory)).toEqual([]);
  },
);

test.skipIf(fault)(
  "without a reserve nothing goes, and the room that it needs is said",
  async () => {
    const { directory, before, purge, makeRoom } = await fillDisk((archive) =>
      rmSync(join(archive, "purge.reserve"), { force: true }),
    );
    const { stdout, stderr } = await purge([1], "--call-id", HEARD);
    expect(stdout).toBe("");
    expect(stderr).toMatch(
      /is full: a purge needs [\d,]+ free bytes there\. Make room, and run it again/,
    );
    makeRoom();
    expect(summarize(directory)).toEqual(before);
  },
);
