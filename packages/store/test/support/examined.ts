// Archives that are broken in one way each, and what the doctor says of them.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { examine, type Finding } from "./maintenance.ts";
import { createClosedArchive } from "./kept-archive.ts";

/** What is done to the archive, what the doctor is to say, word for word or by a matcher; `where` is below its folder. */
export type BrokenWay = readonly [
  what: string,
  damage: (directory: string) => unknown,
  finding: Finding,
];

export const CALLS = ["a", "b", "c"];

/** A test for each way: an archive of three calls that is broken in that way alone, and all that is said of it. */
export function testFindings(ways: readonly BrokenWay[]): void {
  test.each(ways)("%s", async (_what, damage, { where, ...finding }) => {
    const directory = await createClosedArchive(...CALLS);
    expect(await examine(directory)).toEqual([]);

    await damage(directory);

    expect(await examine(directory)).toEqual([{ ...finding, where: join(directory, where) }]);
  });
}

/** Changes a database of the archive, `archive.db` unless named, as no program of this project would. */
export function change(directory: string, sql: string, name = "archive.db"): void {
  using database = new DatabaseSync(join(directory, name));
  database.exec(sql);
}

export const RESTORE =
  'restore the last backup into another folder ("restore"), and look for what damaged this one: disk, memory, a copy made while it was in use';
