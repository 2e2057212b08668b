// What the doctor says of the files of recordings: missing, of another length, of no record, never finished.
import { hash } from "node:crypto";
import { chown, copyFile, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { examine, type Finding } from "./support/maintenance.ts";
import { type BrokenWay, CALLS, testFindings } from "./support/examined.ts";
import { createClosedArchive, createLinkedArchive } from "./support/kept-archive.ts";

/** The file of the recording of that content, below the archive's folder. */
function toFile(content: string): string {
  const sha256 = hash("sha256", content);
  return join("media", sha256.slice(0, 2), sha256);
}

const GET_BACK =
  'put the file back from a backup, or import the recording again; "verify" names all that are damaged';
const OF_NO_RECORD =
  'they come from rejected rows, replaced calls, or an import that is under way or was cut off: run that again. Every "purge" removes what is left, as one does that finds no call: purge --before 1900-01-01';

const toWay = (
  what: string,
  damage: (directory: string) => unknown,
  [level, said, where, todo]: readonly [Finding["level"], string, string, string],
): BrokenWay => [what, damage, { level, what: said, where, todo }];

const writeUnfinished = async (directory: string, writtenMs: number) => {
  const file = join(directory, "media", ".x.part");
  await writeFile(file, "x");
  await utimes(file, writtenMs / 1_000, writtenMs / 1_000);
};

describe("the doctor finds", () => {
  testFindings([
    toWay("a missing recording", (directory) => rm(join(directory, toFile("b"))), [
      "error",
      "recordings are missing: 1 file",
      toFile("b"),
      GET_BACK,
    ]),
    toWay(
      "a recording of another length",
      (directory) => writeFile(join(directory, toFile("b")), "BB"),
      ["error", "recordings have another length than was imported: 1 file", toFile("b"), GET_BACK],
    ),
    toWay(
      "a file that no record names",
      (directory) => copyFile(join(directory, toFile("b")), join(directory, "media", "stray")),
      ["warning", "no record names what lies here: 1 file", join("media", "stray"), OF_NO_RECORD],
    ),
    toWay("a file that was never finished", (directory) => writeUnfinished(directory, 1_000), [
      "warning",
      "an import or a backup was cut off and left behind: 1 file",
      join("media", ".x.part"),
      'remove them with "verify --remove-leftovers"',
    ]),
  ]);

  test("a linked recording that is not where it was", async () => {
    const { directory, path: linked } = await createLinkedArchive("a");
    expect(await examine(directory)).toEqual([]);

    await rm(linked);

    expect(await examine(directory)).toEqual([
      {
        level: "error",
        what: "linked recordings are not where they were: 1 file",
        where: linked,
        todo: "put the file back, or import the recording again from where it lies now",
      },
    ]);
  });
});

test("of many files that are missing the first is named, and how many more", async () => {
  const directory = await createClosedArchive(...CALLS);
  for (const content of CALLS) await rm(join(directory, toFile(content)));
  const [finding] = await examine(directory);
  expect(finding).toMatchObject({ what: "recordings are missing: 3 files", todo: GET_BACK });
  expect(finding?.where).toMatch(/[0-9a-f]{64} and 2 more$/);
});

test("a file that is being written is nothing to speak of", async () => {
  const directory = await createClosedArchive(...CALLS);
  await writeUnfinished(directory, Date.now() - 3_500_000);
  expect(await examine(directory)).toEqual([]);
});

// Nobody else can give files away.
test.runIf(process.getuid?.() === 0)(
  "the doctor finds recordings that root imported into the archive of another user",
  async () => {
    const directory = await createClosedArchive(...CALLS);
    for (const file of ["archive.db", toFile("a"), toFile("c")])
      await chown(join(directory, file), 65_534, 65_534);

    expect(await examine(directory)).toEqual([
      {
        level: "error",
        what: "recordings belong to another user than archive.db, who may not read them: 1 file",
        where: join(directory, toFile("b")),
        todo: "give them to the user that runs the service (chown -R), and import as that user",
      },
    ]);
  },
);
