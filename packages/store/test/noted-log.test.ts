// The note of the access log beside the recordings: it stays when all records are put back, or changed.
import { copyFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test, vi } from "vitest";
import { openNoted } from "../src/media/noted-store.ts";
import { createMedia } from "../src/memory/media.ts";
import { createMemoryStore } from "../src/memory/memory-store.ts";
import { type MediaNotes, StoreFault } from "../src/index.ts";
import { createStore, openMaintenance, openStore } from "../src/open.ts";
import { toEntry } from "../src/suite/access-log.ts";
import { createFolder } from "./support/archives.ts";

const DATABASES = ["archive.db", "access.db"];

async function addRows(records: string, rows: number): Promise<void> {
  await using store = await createStore({ records });
  for (let row = 1; row <= rows; row += 1) await store.accessLog.append(toEntry(), true);
}

const noteOf = async (records: string) => {
  const names = await readdir(join(records, "media"));
  const name = names.find((one) => one.startsWith(".call-media-log-"));
  return name === undefined ? undefined : await readFile(join(records, "media", name), "utf8");
};

test("an archive whose two databases were put back together is refused until that is accepted", async () => {
  const [records, kept] = [await createFolder(), await createFolder()];
  await addRows(records, 2);
  for (const name of DATABASES) await copyFile(join(records, name), join(kept, name));
  await addRows(records, 3);
  expect(await noteOf(records)).toMatch(/^5 [\da-f]{64} 1000\n$/);
  for (const name of DATABASES) {
    await rm(join(records, `${name}-wal`), { force: true });
    await copyFile(join(kept, name), join(records, name));
  }

  const loss = "rows 3 to 5 are missing: it ends with row 2, and row 5 of 1970-01-01T00:00:01.000Z";
  await expect(openStore({ records })).rejects.toThrow(loss);
  await expect(openStore({ records })).rejects.toThrow("audit accept-loss");
  const maintenance = await openMaintenance({ records });
  const what = expect.stringContaining(loss);
  expect(await maintenance.check()).toContainEqual(
    expect.objectContaining({ level: "error", what }),
  );
  {
    await using store = await openStore({ records }, { toInspect: true });
    const noted = expect.objectContaining({ seq: 5 });
    expect(await store.accessLog.verify()).toMatchObject({ rows: 2, fault: what, noted });
  }
  const act = { operation: "reindex", operator: "olive", asked: {}, outcome: "begun" } as const;
  await expect(maintenance.record(act)).rejects.toThrow(loss);
  expect(await noteOf(records)).toMatch(/^5 /);
  expect(await maintenance.lostLog?.acceptLoss("olive")).toContain(loss);
  await expect(maintenance.lostLog?.acceptLoss("olive")).rejects.toThrow("nothing was done");
  await addRows(records, 1);
  await using store = await openStore({ records });
  expect(await store.accessLog.verify()).toMatchObject({ rows: 4, fault: undefined });
  expect(await noteOf(records)).toMatch(/^7 /);
  await maintenance.record(act);
  expect(await noteOf(records)).toMatch(/^8 /);
});

test("a service that runs refuses rows when those before are cut off, and their numbers with them", async () => {
  const records = await createFolder();
  await using store = await createStore({ records });
  for (let row = 1; row <= 4; row += 1) await store.accessLog.append(toEntry(), true);
  using database = new DatabaseSync(join(records, "access.db"));
  database.exec(`DROP TRIGGER IF EXISTS access_kept; DELETE FROM access WHERE seq > 1;
    UPDATE sqlite_sequence SET seq = 1 WHERE name = 'access'`);
  for (let attempt = 1; attempt <= 2; attempt += 1)
    await expect(store.accessLog.append(toEntry(), true)).rejects.toThrow(
      "rows 2 to 4 are missing: it ends with row 1",
    );
  await expect(store.accessLog.check()).rejects.toThrow("rows 2 to 4 are missing");
});

test("what was answered before a cut was known has its rows, and nothing is answered after it", async () => {
  const records = await createFolder();
  const store = await createStore({ records });
  for (let row = 1; row <= 4; row += 1) await store.accessLog.append(toEntry(), true);
  using database = new DatabaseSync(join(records, "access.db"));
  database.exec(`DROP TRIGGER IF EXISTS access_kept; DELETE FROM access WHERE seq > 1`);
  const answered: string[] = [];
  for (let request = 1; request <= 5; request += 1) {
    const requestId = `after the cut ${request}`;
    const isAnswered = await store.accessLog.append(toEntry({ requestId }), false).then(
      () => true,
      () => false,
    );
    if (isAnswered) answered.push(requestId);
  }
  expect(answered.length).toBeGreaterThan(0);
  await expect(store.accessLog.append(toEntry(), true)).rejects.toMatchObject({ reason: "lost" });
  await expect(store.accessLog.append(toEntry(), false)).rejects.toMatchObject({ reason: "lost" });
  const rows = database.prepare("SELECT entry ->> '$.requestId' AS id FROM access WHERE seq > 1");
  expect(rows.all().map(({ id }) => id)).toEqual(answered);
  expect((await store.accessLog.verify()).fault).toContain("rows 2 to 4 are missing");
  await store[Symbol.asyncDispose]();
});

/** A log in memory, whose place takes notes as `notes` says. */
async function openWith(notes: MediaNotes) {
  const inner = createMemoryStore();
  const store = await openNoted(async () => ({ ...inner, media: { ...createMedia(), notes } }));
  onTestFinished(() => store[Symbol.asyncDispose]());
  return store;
}

function createNotes() {
  const texts = new Map<string, string>();
  let isAway = false;
  const check = () => {
    if (isAway) throw new StoreFault("unavailable", "the place is away");
  };
  return {
    texts,
    setAway: (away: boolean) => void (isAway = away),
    read: async (name: string) => (check(), texts.get(name)),
    write: async (name: string, text: string) => (check(), void texts.set(name, text)),
  };
}

test("the row of a recording is noted at once, that of a search with the next note", async () => {
  const notes = createNotes();
  const { accessLog } = await openWith(notes);
  const noted = () => [...notes.texts.values()].map((text) => text.split(" ")[0]);
  await accessLog.append(toEntry(), false);
  expect(noted()).toEqual([]);
  await accessLog.append(toEntry(), true);
  await vi.waitFor(() => expect(noted()).toEqual(["2"]));
  await accessLog.append(toEntry(), false);
  expect(noted()).toEqual(["2"]);
  await accessLog.witness();
  expect(noted()).toEqual(["3"]);
});

test("a place that is away holds up nobody, and what was lost meanwhile shows when it is back", async () => {
  const notes = createNotes();
  notes.setAway(true);
  const { accessLog } = await openWith(notes);
  await accessLog.append(toEntry(), true);
  expect(await accessLog.witness()).toMatchObject({ seq: 1, unnoted: "the place is away" });
  notes.setAway(false);
  notes.texts.set(`log-${await accessLog.id()}`, `9 ${"ab".repeat(32)} 1000\n`);
  await expect(accessLog.witness()).rejects.toThrow("rows 2 to 9 are missing");
  await expect(accessLog.append(toEntry(), false)).rejects.toThrow("rows 2 to 9 are missing");
  await expect(accessLog.check()).rejects.toThrow("rows 2 to 9 are missing");
});

test("a note that another server has written of a later row stays", async () => {
  const notes = createNotes();
  const { accessLog } = await openWith(notes);
  const [first, second] = [toEntry(), toEntry({ timeMs: 2_000 })];
  await accessLog.append(first, false);
  await accessLog.witness();
  await accessLog.append(second, false);
  const { lastHash = "" } = await accessLog.verify();
  const name = `log-${await accessLog.id()}`;
  notes.texts.set(name, `2 ${lastHash} 2000\n`);
  await accessLog.append(toEntry(), false);
  await accessLog.witness();
  expect(notes.texts.get(name)).toMatch(/^3 /);
});

test("a note that is not one counts as none, and is written anew", async () => {
  const records = await createFolder();
  await addRows(records, 1);
  const names = await readdir(join(records, "media"));
  const name = names.find((one) => one.startsWith(".call-media-log-")) ?? "";
  await writeFile(join(records, "media", name), "garbage");
  await addRows(records, 1);
  expect(await noteOf(records)).toMatch(/^2 /);
});
