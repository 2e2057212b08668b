// The walk that reads an archive back while it is served: it finds what is damaged, within its time, and goes on after a restart.
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { CallStore } from "../src/index.ts";
import type { Media } from "../src/port/media.ts";
import { openArchive } from "../src/sqlite/archive.ts";
import { call, fill } from "../src/suite/records.ts";
import { createReadBack, READ_BACK_MS } from "../src/values/read-back.ts";
import { change } from "./support/examined.ts";
import { createFull } from "./support/full-archive.ts";
import { findFile } from "./support/kept-archive.ts";

const BEGUN_MS = Date.UTC(2026, 0, 1);

/** An archive whose clock stands until the walk is waited for. */
function openAt(directory: string, clock: { ms: number }) {
  return openArchive({ directory, now: () => clock.ms });
}

/** Steps when they are due; gives what they found. A walk takes five, for persons, calls, chats, recordings and the access log, if these are few. */
async function walk({ readBack }: CallStore, clock: { ms: number }, steps = 5) {
  const damaged: string[] = [];
  for (let step = 0; step < steps; step += 1) {
    const made = await readBack?.step();
    damaged.push(...(made?.damaged ?? []));
    clock.ms = made?.nextMs ?? 0;
  }
  return damaged;
}

test("finds what a disk has changed, of every kind, and what is missing", async () => {
  const directory = await createFull();
  const clock = { ms: BEGUN_MS };
  await using store = openAt(directory, clock);
  expect(await store.readBack?.status()).toEqual({ oldestMs: undefined, damaged: 0 });
  expect(await walk(store, clock)).toEqual([]);
  expect(await store.readBack?.status()).toEqual({ oldestMs: BEGUN_MS, damaged: 0 });

  change(directory, "UPDATE user SET record = replace(record, 'false', 'true')");
  change(directory, "UPDATE flag SET record = replace(record, 'vip', 'vap')");
  change(directory, "UPDATE call SET record = replace(record, '2025', '2024') WHERE call_id = 'b'");
  change(directory, "UPDATE chat SET record = replace(record, 'Bye', 'Buy')");
  const [gone, other] = [
    await findFile(store, directory, "a"),
    await findFile(store, directory, "c"),
  ];
  await rm(gone);
  await writeFile(other, "d");
  const begunMs = clock.ms;
  const found = await walk(store, clock);
  expect(found).toEqual([
    "user 1",
    "flag 7",
    "call_id b",
    "a chat message of call_id a",
    expect.stringContaining("recording"),
    expect.stringContaining("recording"),
  ]);
  expect(await store.readBack?.status()).toEqual({ oldestMs: begunMs, damaged: 6 });
});

test("finds rows of the access log that were altered or taken out, and goes on with the rows after them", async () => {
  const directory = await createFull();
  const clock = { ms: BEGUN_MS };
  await using store = openAt(directory, clock);
  const act = { operation: "key create", operator: "ann", asked: {} } as const;
  for (let row = 0; row < 250; row += 1) await store.accessLog.record(act);
  expect(await walk(store, clock, 8)).toEqual([]);
  change(
    directory,
    `DROP TRIGGER access_unchanged; DROP TRIGGER access_kept;
     UPDATE access SET entry = replace(entry, 'ann', 'bob') WHERE seq = 7;
     DELETE FROM access WHERE seq = 120`,
    "access.db",
  );
  expect(await walk(store, clock, 7)).toEqual([
    "row 7 of the access log",
    "row 121 of the access log",
  ]);
  expect(await store.readBack?.status()).toMatchObject({ damaged: 2 });
  await expect(store.accessLog.record(act)).resolves.toBeUndefined();
});

test("ends within its time, begins again, and goes on after a restart from where it was", async () => {
  const directory = await createFull();
  const clock = { ms: BEGUN_MS };
  {
    await using store = openAt(directory, clock);
    // The calls take three steps.
    const calls = Array.from({ length: 250 }, (_, n) =>
      call({ call_id: `n${n}`, datetime: new Date(BEGUN_MS + n * 60_000).toISOString() }),
    );
    await fill(store, calls);
    await walk(store, clock, 2);
  }
  const between = clock.ms;
  expect(between).toBeGreaterThan(BEGUN_MS);
  change(directory, "UPDATE call SET record = replace(record, '2025', '2024') WHERE call_id = 'b'");
  await using store = openAt(directory, clock);
  // What was read before the restart is not read again in this walk, and is in the next.
  expect(await walk(store, clock)).toEqual([]);
  expect(clock.ms - BEGUN_MS).toBeLessThan(READ_BACK_MS / 2 + 60_000);
  expect(await walk(store, clock, 7)).toEqual(["call_id b"]);
  expect(await store.readBack?.status()).toMatchObject({ damaged: 1 });
});

test("ends within its time although each step takes long", async () => {
  const clock = { ms: BEGUN_MS };
  let kept: string | undefined;
  const [steps, hourMs] = [100, 60 * 60_000];
  const read = async (after = "0") => {
    clock.ms += hourMs;
    const done = Number(after) + 1;
    return { after: done < steps ? String(done) : undefined, position: done / steps, damaged: [] };
  };
  const source = {
    persons: async () => ({ damaged: [] }),
    calls: read,
    chats: read,
    media: { verify: async (media: Media) => media },
    listMedia: async () => [],
    listLog: async () => ({ rows: [], last: 0 }),
    load: async () => kept,
    swap: async (_: unknown, next: string) => ((kept = next), true),
  };
  const readBack = createReadBack(source, () => clock.ms);
  for (let step = 0; step < 2 * steps + 3; step += 1) clock.ms = (await readBack.step()).nextMs;
  expect(clock.ms - BEGUN_MS).toBe(READ_BACK_MS / 2);
});

test("begins anew when the clock was set ahead, and forgets no damage", async () => {
  const directory = await createFull();
  const clock = { ms: BEGUN_MS + 12 * READ_BACK_MS };
  await using store = openAt(directory, clock);
  change(directory, "UPDATE user SET record = replace(record, 'false', 'true')");
  expect(await walk(store, clock)).toEqual(["user 1"]);
  clock.ms = BEGUN_MS;
  expect((await store.readBack?.step())?.damaged).toEqual(["user 1"]);
  expect(await store.readBack?.status()).toEqual({ oldestMs: BEGUN_MS, damaged: 1 });
});

test("reads nothing before it is due, and waits for no import", async () => {
  const directory = await createFull();
  const clock = { ms: BEGUN_MS };
  await using store = openAt(directory, clock);
  const first = await store.readBack?.step();
  change(directory, "UPDATE call SET record = '['");
  expect(await store.readBack?.step()).toEqual({ damaged: [], nextMs: first?.nextMs });
  clock.ms = first?.nextMs ?? 0;
  {
    using importing = new DatabaseSync(join(directory, "archive.db"));
    importing.exec("BEGIN IMMEDIATE");
    expect(await store.readBack?.step()).toEqual({ damaged: [], nextMs: clock.ms + 1_000 });
  }
  expect((await store.readBack?.step())?.damaged).toHaveLength(5);
});

test("is given up when the service stops, and read again then", async () => {
  const directory = await createFull();
  const clock = { ms: BEGUN_MS };
  await using store = openAt(directory, clock);
  await walk(store, clock, 3);
  const step = () => store.readBack?.step(AbortSignal.abort(new Error("stopped")));
  await expect(step()).rejects.toThrow("stopped");
  await rm(await findFile(store, directory, "a"));
  clock.ms += 10 * 60_000;
  expect((await store.readBack?.step())?.damaged).toHaveLength(1);
});
