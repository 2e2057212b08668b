// What was asked for leaves the access log: its rows, their hashes and all else of them stay.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { migrateArchive } from "../src/index.ts";
import { createMemoryStore } from "../src/memory/memory-store.ts";
import { createStore, openMaintenance, openStore } from "../src/open.ts";
import { readAll, toEntry } from "../src/suite/access-log.ts";
import { forgetAsked, sealEntry, toCovered } from "../src/values/asked-seal.ts";
import { toRowHash } from "../src/values/access-chain.ts";
import { createFolder } from "./support/archives.ts";
import { change } from "./support/examined.ts";
import { contains } from "./support/purging.ts";
import { examine } from "./support/maintenance.ts";

const OLD = Date.parse("2025-04-30T23:59:59Z");
const NEW = Date.parse("2025-05-01T00:00:00Z");
const asked = { filter: { agent: ["Gespenst"] } };

async function createLogged() {
  const directory = await createFolder();
  await using store = await createStore({ records: directory });
  await store.accessLog.append(toEntry({ timeMs: OLD, asked, callIds: ["a"] }), true);
  await store.accessLog.append(toEntry({ timeMs: OLD, asked: {}, callIds: [] }), true);
  await store.accessLog.append(
    toEntry({ timeMs: NEW, asked: { words: "Rheingold" }, callIds: ["b"] }),
    true,
  );
  const { lastHash } = await store.accessLog.verify();
  return { directory, lastHash, archive: await openMaintenance({ records: directory }) };
}

const by = { operator: "olive" };

test("what was asked for before a day is in no file, and the chain is the one that was noted", async () => {
  const { directory, lastHash, archive } = await createLogged();
  expect(await archive.forgetAsked?.("2025-05-01", { ...by, isDryRun: true })).toEqual({
    forgotten: 1,
    whole: 0,
    isComplete: true,
  });
  expect(await contains(directory, "Gespenst")).not.toEqual([]);

  expect(await archive.forgetAsked?.("2025-05-01", by)).toMatchObject({ forgotten: 1 });

  expect(await contains(directory, "Gespenst")).toEqual([]);
  await using store = await openStore({ records: directory });
  expect(await store.accessLog.verify(lastHash)).toMatchObject({ rows: 4, fault: undefined });
  expect((await readAll(store, {})).map((row) => [row.asked, row.callIds])).toEqual([
    [{ forgotten: true }, ["a"]],
    [{}, []],
    [{ words: "Rheingold" }, ["b"]],
    [{ before: "2025-05-01" }, []],
  ]);
  expect(await examine(directory)).toEqual([]);
  await expect(
    store.accessLog.append(toEntry({ timeMs: NEW, asked }), true),
  ).resolves.not.toThrow();
  expect(await archive.forgetAsked?.("2025-05-01", by)).toMatchObject({ forgotten: 0 });

  await using to = createMemoryStore();
  expect(await migrateArchive({ from: archive, to })).toMatchObject({ differences: [] });
  expect((await to.accessLog.verify(lastHash)).fault).toBeUndefined();
});

test("a row whose hash covers all of it stays whole, and so does one that says where a copy went", async () => {
  const { directory, archive } = await createLogged();
  {
    using database = new DatabaseSync(join(directory, "access.db"));
    const last = database.prepare("SELECT seq, hash FROM access ORDER BY seq DESC LIMIT 1").get();
    const seq = Number(last?.["seq"]) + 1;
    const entry = JSON.stringify(toEntry({ timeMs: OLD, asked, callIds: ["old"] }));
    const hash = toRowHash(String(last?.["hash"]), seq, entry);
    database
      .prepare("INSERT INTO access (seq, entry, hash) VALUES (?, ?, ?)")
      .run(seq, entry, hash);
  }
  await archive.record({ operation: "export", operator: "olive", asked: { out: "./q3" } });
  const found = await archive.forgetAsked?.("2100-01-01", by);
  expect(found).toMatchObject({ forgotten: 2, whole: 3 });
  await using store = await openStore({ records: directory });
  expect((await store.accessLog.verify()).fault).toBeUndefined();
  const kept = (await readAll(store, {})).map((row) => row.asked);
  expect(kept).toContainEqual(asked);
  expect(kept).toContainEqual({ out: "./q3" });
});

test("a search is forgotten, of an operator as well; what another command did, and why, stays", async () => {
  const { directory, archive } = await createLogged();
  const acts = [
    { operation: "hold add", asked: { hold: "storm", reason: "litigation" } },
    { operation: "hold release", asked: { hold: "storm", reason: "settled" } },
    { operation: "import", asked: { file: "a.csv", restore_erased: true } },
    { operation: "user set", asked: { user: 7 } },
  ] as const;
  for (const act of acts) await archive.record({ ...act, ...by });
  await archive.record({ operation: "history", asked: { reference: "Gespenst" }, ...by });
  const whole = acts.length;
  expect(await archive.forgetAsked?.("2100-01-01", by)).toMatchObject({ forgotten: 3, whole: 5 });
  await using store = await openStore({ records: directory });
  const [, , , ...rows] = await readAll(store, {});
  const kept = rows.slice(0, whole).map((row) => ({ operation: row.operation, asked: row.asked }));
  expect(kept).toEqual(acts);
  expect(rows[whole]?.asked).toEqual({ forgotten: true });
});

test("of an operator's row that has a seal, as earlier versions wrote it, nothing is forgotten", () => {
  const search = sealEntry(JSON.stringify({ operation: "search", asked }));
  const sealed = search.replace('"search"', '"hold add","operator":"olive"');
  expect(forgetAsked(search)).toBeDefined();
  expect(forgetAsked(sealed)).toBeUndefined();
});

test("a day that is none changes nothing", async () => {
  const { archive, lastHash, directory } = await createLogged();
  await expect(archive.forgetAsked?.("2025-02-30", by)).rejects.toThrow("2025-02-30");
  await using store = await openStore({ records: directory });
  expect(await store.accessLog.verify()).toMatchObject({ rows: 3, lastHash });
});

test("of a row with a seal neither what was asked nor the rest can be altered unseen", async () => {
  for (const [from, to] of [
    ["Gespenst", "Somebody"],
    ['"salt":"', '"salt":"0'],
    ['"seal":"', '"seal":"0'],
    ['"callIds":["a"]', '"callIds":["z"]'],
    ['"callIds"', '"forged":1,"callIds"'],
  ] as const) {
    const { directory } = await createLogged();
    change(
      directory,
      `DROP TRIGGER access_unchanged; UPDATE access SET entry = replace(entry, '${from}', '${to}') WHERE seq = 1`,
      "access.db",
    );
    await using store = await openStore({ records: directory });
    expect((await store.accessLog.verify()).fault, from).toBe("row 1 was altered");
  }
});

test("a seal has a salt of its own each time, and nothing is sealed that asked for nothing", () => {
  const entry = JSON.stringify({ operation: "search", asked });
  const [one, other] = [sealEntry(entry), sealEntry(entry)];
  expect(toCovered(one)).not.toBe(toCovered(other));
  expect(toCovered(one)).not.toContain("Gespenst");
  expect(forgetAsked(one)).toBe(toCovered(one));
  for (const text of [
    '{"asked":{}}',
    "[]",
    "nonsense",
    '{"operation":"export","operator":"olive","asked":{"out":"x"}}',
  ])
    expect(sealEntry(text)).toBe(text);
  expect(forgetAsked(entry)).toBeUndefined();
});

test("of many long rows nothing is left in freed pages, and a reader of an old state is told of", async () => {
  const { directory, archive } = await createLogged();
  {
    await using store = await openStore({ records: directory });
    for (let count = 0; count < 150; count += 1) {
      const filter = { agent: [`Gespenst ${"lang".repeat(count * 12)}`] };
      await store.accessLog.append(toEntry({ timeMs: OLD, asked: { filter } }), count % 50 === 49);
    }
    await store.accessLog.append(toEntry({ timeMs: OLD, asked }), true);
  }
  {
    using reader = new DatabaseSync(join(directory, "access.db"), { readOnly: true });
    reader.exec("BEGIN; SELECT count(*) FROM access");
    const found = await archive.forgetAsked?.("2025-05-01", by);
    expect(found).toMatchObject({ forgotten: 152, isComplete: false });
  }
  expect(await archive.forgetAsked?.("2025-05-01", by)).toMatchObject({
    forgotten: 0,
    isComplete: true,
  });
  expect(await contains(directory, "Gespenst")).toEqual([]);
  await using store = await openStore({ records: directory });
  expect((await store.accessLog.verify()).fault).toBeUndefined();
});
