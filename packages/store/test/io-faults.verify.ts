// Every call that an archive makes to its disk, to SQLite and to its bucket fails, is torn, gets another bit or is the last one before
// a kill, one at a time. Four sentences must hold: nothing acknowledged is lost, nothing hidden is told, nothing damaged is
// called well, no answer without its row.
import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { tryFault } from "./support/fault-oracle.ts";
import {
  createWorld,
  listCalls,
  listFaults,
  listRots,
  type Place,
  type World,
} from "./support/fault-world.ts";
import type { Fault, FaultKind } from "./support/faults.ts";
import type { Work } from "./support/spoiled-work.ts";

const WORKS: readonly (readonly [Work, Place])[] = [
  ["import", "folder"],
  ["purge", "folder"],
  ["backup", "folder"],
  ["restore", "folder"],
  ["migrate", "folder"],
  ["serve", "folder"],
  ["import", "bucket"],
  ["purge", "bucket"],
  ["migrate", "bucket"],
  ["serve", "bucket"],
];

const isLong = process.env["CALL_MEDIA_TIER"] === "prove";
const SEED = Number(process.env["SOAK_FAULT_SEED"] ?? 1);
/** Of each work: archives, and of each archive faults of calls and of files at rest. */
const WORLDS = isLong ? 2 : 1;
const FAULTS = Number(process.env["SOAK_FAULTS"] ?? (isLong ? 200 : 5));
const ROTS = isLong ? 40 : 3;

// A case waits for its program most of the time.
const AT_ONCE = 2;

// Each has failed once, and is tried first. A line: seed, work, place, kind, nth, call.
const KEPT = join(import.meta.dirname, "io-faults.kept");

async function makeWorld(given: Pick<World, "seed" | "work" | "place">): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), "world-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return await createWorld(folder, given);
}

const toLine = ({ seed, work, place }: World, { kind, nth, call }: Fault) =>
  [seed, work, place, kind.replaceAll(" ", "-"), nth, call].join(" ");

function parseLine(line: string) {
  const [seed, work, place, kind = "", nth, ...call] = line.split(" ");
  const fault: Fault = {
    kind: kind.replaceAll("-", " ") as FaultKind, // as toLine has written them
    nth: Number(nth),
    call: call.join(" "),
  };
  return { fault, of: { seed: Number(seed), work: work as Work, place: place as Place } };
}

const readKept = async () =>
  (await readFile(KEPT, "utf8")).split("\n").filter((line) => line !== "" && !line.startsWith("#"));

async function keep(line: string): Promise<void> {
  if (!(await readKept()).includes(line)) await appendFile(KEPT, `${line}\n`);
}

test("what failed once holds", async () => {
  for (const line of await readKept()) {
    const { of, fault } = parseLine(line);
    const { problems, isMet } = await tryFault(await makeWorld(of), fault);
    expect([line, isMet, ...problems]).toEqual([line, true]);
  }
});

test.each(WORKS)("%s, of an archive whose recordings lie in a %s", async (work, place) => {
  for (let seed = SEED; seed < SEED + WORLDS; seed += 1) {
    const world = await makeWorld({ seed, work, place });
    const faults = [
      ...pick(listFaults(world, await listCalls(world)), FAULTS, seed),
      ...pick(await listRots(world), ROTS, seed),
    ];
    const failed: string[] = [];
    const tryNext = async () => {
      for (let fault; (fault = faults.shift()) !== undefined;) {
        const { problems } = await tryFault(world, fault);
        if (problems.length === 0) continue;
        failed.push([toLine(world, fault), ...problems].join("\n  "));
        await keep(toLine(world, fault));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, tryNext));
    expect(failed).toEqual([]);
  }
});

function pick(faults: readonly Fault[], count: number, seed: number): Fault[] {
  const among = fc.shuffledSubarray([...faults], { minLength: Math.min(count, faults.length) });
  return fc.sample(among, { seed, numRuns: 1 })[0]?.slice(0, count) ?? [];
}
