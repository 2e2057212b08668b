// Bits of the file of an archive, flipped one after the other all over it: a copy and each answer is the same, or says what is damaged.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import type { CallStore, ScannedRow } from "../src/index.ts";
import { openStore } from "../src/sqlite/sqlite-store.ts";
import { query } from "../src/suite/records.ts";
import { createFull, readAll } from "./support/full-archive.ts";

/** One of so many of the bytes that are not 0, as those of empty places are. */
const listPlaces = (file: Buffer, oneOf: number): number[] =>
  [...file.keys()]
    .filter((at) => at > 4096 && file[at] !== 0)
    .filter((_, place) => place % oneOf === 0);

/** Without the state of a file, which is hashed again if it has another. */
const withoutStates = (found: unknown): unknown =>
  JSON.parse(
    JSON.stringify(found, (name, value: unknown) =>
      name === "version" && value !== undefined ? 0 : value,
    ),
  );

/** What is read of the archive, by a way to read it, with each of these bits another; and of how many it is as it was, or named. */
async function readFlipped<Found>(
  directory: string,
  oneOf: number,
  read: () => Promise<Found | "named">,
) {
  const path = join(directory, "archive.db");
  const file = await readFile(path);
  const whole = withoutStates(await read());
  const counts = { same: 0, named: 0 };
  const others: { readonly at: number; readonly found: unknown }[] = [];
  for (const at of listPlaces(file, oneOf)) {
    const flipped = Buffer.from(file);
    flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << (at % 8)), at);
    await writeFile(path, flipped);
    const found = await read().catch(() => "named");
    if (found === "named") counts.named++;
    else if (isDeepStrictEqual(withoutStates(found), whole)) counts.same++;
    else others.push({ at, found });
  }
  return { ...counts, others };
}

test("one bit of an archive leaves a copy the same, or is named, wherever it is", async () => {
  const directory = await createFull();
  const read = async (): Promise<readonly ScannedRow[] | "named"> => {
    const rows = await readAll(directory);
    return rows.some(({ damaged = [] }) => damaged.length > 0) ? "named" : rows;
  };
  const { same, named, others } = await readFlipped(directory, 23, read);
  expect(others).toEqual([]);
  expect(same).toBeGreaterThan(0);
  expect(named).toBeGreaterThan(0);
});

/** An answer, or that it is damaged. */
const answer = (asked: Promise<unknown>) => asked.catch(() => "damaged");

const listAnswers = ({ calls, users }: CallStore) =>
  Promise.all(
    [
      calls.search(query({})),
      calls.search(query({ filter: { agent: "nobody" } })),
      users.list(),
      users.publicFlags(),
      ...["a", "b", "c", "declared"].flatMap((callId) => [
        calls.byCallId(callId, "everything"),
        calls.recordings({ callId }, "everything"),
        calls.chat(callId, "everything"),
        calls.byReference(`r-${callId}`, "everything"),
      ]),
    ].map(answer),
  );

test("one bit of an archive leaves each answer the same, or damaged", async () => {
  const directory = await createFull();
  const read = async () => {
    await using store = await openStore({ directory });
    return await listAnswers(store);
  };
  const whole = await read();
  const { same, others } = await readFlipped(directory, 199, read);
  expect(same).toBeGreaterThan(0);
  // An index of SQLite that lost a key may find nothing, which doctor and copies notice; it never finds anything else.
  const isTold = (found: unknown, index: number) =>
    found === "damaged" ||
    (index > 1 && isDeepStrictEqual(found, [])) ||
    isDeepStrictEqual(withoutStates(found), withoutStates(whole[index]));
  const lies = others.filter(({ found }) => !(found as readonly unknown[]).every(isTold));
  expect(lies).toEqual([]);
});
