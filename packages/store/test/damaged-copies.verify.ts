// Bits of the file of an archive, flipped one after the other all over it: a copy is the same, or says what is damaged.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import type { ScannedRow } from "../src/index.ts";
import { createFull, readAll } from "./support/full-archive.ts";

/** Some of the bytes that are not 0, as those of empty places are. */
const listPlaces = (file: Buffer): number[] =>
  [...file.keys()]
    .filter((at) => at > 4096 && file[at] !== 0)
    .filter((_, place) => place % 23 === 0);

/**
 * Without what is in no digest: the state of a file, which is hashed again if it has another, and the type and time that a
 * recording was given.
 */
const withoutStates = (rows: readonly ScannedRow[]): unknown =>
  JSON.parse(
    JSON.stringify(rows, (name, value: unknown) =>
      ["version", "type", "modifiedMs"].includes(name) && value !== undefined ? 0 : value,
    ),
  );

test("one bit of an archive leaves a copy the same, or is named, wherever it is", async () => {
  const directory = await createFull();
  const file = await readFile(join(directory, "archive.db"));
  const whole = withoutStates(await readAll(directory));
  const counts = { same: 0, named: 0 };
  const lies: number[] = [];
  for (const at of listPlaces(file)) {
    const flipped = Buffer.from(file);
    flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << (at % 8)), at);
    await writeFile(join(directory, "archive.db"), flipped);
    const copied = await readAll(directory).catch(() => undefined);
    if (copied === undefined || copied.some(({ damaged = [] }) => damaged.length > 0))
      counts.named++;
    else if (isDeepStrictEqual(withoutStates(copied), whole)) counts.same++;
    else lies.push(at);
  }
  expect(lies).toEqual([]);
  expect(counts.same).toBeGreaterThan(0);
  expect(counts.named).toBeGreaterThan(0);
});
