// A database that is cut short or holds other bytes than were written: it is named, and what cannot be read is not made up.
import { readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ArchiveError } from "@call-media/store";
import { openMaintenance } from "@call-media/store/open";
import { expect, test } from "vitest";
import { type DemoArchive, makeDemoArchive } from "./support/archive.ts";
import { readEverything } from "./support/everything.ts";
import { runProgram } from "./support/program.ts";
import { createRandom } from "./support/random.ts";
import { toNumber } from "./support/scale.ts";

const DAMAGES = toNumber("DAMAGES", { short: 6, long: 60 });
const SEED = toNumber("DAMAGE_SEED", { short: 1, long: 1 });

// As the store makes them.
const PAGE_BYTES = 8_192;

async function findErrors(directory: string): Promise<string[]> {
  const findings = await (await openMaintenance({ records: directory })).check();
  return findings.filter(({ level }) => level === "error").map(({ what }) => what);
}

test("cut short, it is named by the doctor, and by the start in one line", async () => {
  const { directory } = await makeDemoArchive();
  const file = join(directory, "archive.db");
  const { length } = await readFile(file);
  for (const bytes of [length - PAGE_BYTES, length / 2, PAGE_BYTES, 100, 1, 0]) {
    await truncate(file, bytes);
    expect(await findErrors(directory)).toHaveLength(1);
    const { stderr } = await runProgram(["serve", "--data", directory, "--port", "0"], [1]);
    expect(stderr).toMatch(/^call-media-server: .*archive\.db.*\n$/);
  }
});

type Damage = (database: Buffer, random: () => number) => void;

const toPage = (database: Buffer, random: () => number) =>
  Math.floor((random() * database.length) / PAGE_BYTES) * PAGE_BYTES;

const zeroPage: Damage = (database, random) => {
  const start = toPage(database, random);
  database.fill(0, start, start + PAGE_BYTES);
};

const flipBytes: Damage = (database, random) => {
  const start = toPage(database, random) + Math.floor(random() * (PAGE_BYTES - 64));
  for (let at = start; at < start + 64; at += 1) database[at] = ~(database[at] ?? 0);
};

// The one error that the start of the service may end with.
function toNothing(error: unknown): [] {
  if (error instanceof ArchiveError) return [];
  throw error;
}

/** Damages the database again and again; gives what was found each time. */
async function* damage(archive: DemoArchive, change: Damage) {
  const file = join(archive.directory, "archive.db");
  const whole = await readFile(file);
  const random = createRandom(SEED);
  const expected = await readEverything(archive);
  for (let round = 0; round < DAMAGES; round += 1) {
    const damaged = Buffer.from(whole);
    change(damaged, random);
    for (const end of ["-wal", "-shm"]) await rm(file + end, { force: true });
    await writeFile(file, damaged);
    const errors = await findErrors(archive.directory);
    const replies = await readEverything(archive).catch(toNothing);
    const others = replies.filter(
      (reply, at) => JSON.stringify(reply) !== JSON.stringify(expected[at]),
    );
    yield { errors, others, isRefused: replies.length === 0 };
  }
}

test("with a page of zeros it is named, and what is answered is right or 503", async () => {
  let refused = 0;
  for await (const { errors, others, isRefused } of damage(await makeDemoArchive(), zeroPage)) {
    expect(others.filter(({ status }) => status !== 503)).toEqual([]);
    const isNoticed = isRefused || others.length > 0;
    expect(errors).not.toEqual([]);
    refused += isNoticed ? 1 : 0;
  }
  // Otherwise no page that was read was among them.
  expect(refused).toBeGreaterThan(0);
});

// SQLite keeps no checksums: other bytes within a text are read as they are, and the doctor alone compares digests.
test("with other bytes, whatever is answered otherwise is named by the doctor", async () => {
  let named = 0;
  for await (const { errors, others, isRefused } of damage(await makeDemoArchive(), flipBytes)) {
    expect(others.filter(({ status }) => status !== 503 && status !== 200)).toEqual([]);
    expect([errors.length > 0, others]).toEqual([
      isRefused || others.length > 0 || errors.length > 0,
      others,
    ]);
    named += errors.length > 0 ? 1 : 0;
  }
  expect(named).toBeGreaterThan(0);
});
