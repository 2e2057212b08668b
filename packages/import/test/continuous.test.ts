// A continuous import: each file once, when it is complete, whatever happened to the runs before.
import { appendFile, mkdir, readFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { importFiles, importNewFiles, type LogMark } from "../src/index.ts";
import { createArchive, createFolder } from "./support/archives.ts";

const toCall = (id: number) =>
  `${JSON.stringify({ kind: "call", call_id: String(id), datetime: "2026-08-21T09:00:00Z" })}\n`;

const hasRow = async () => true;

interface Run {
  readonly settleMs?: number;
  readonly by?: string;
  /** Ends the run as a kill does, before the state is written. */
  readonly isKilled?: boolean;
}

async function createWatched() {
  const root = await createFolder();
  const folder = join(root, "in");
  await mkdir(folder);
  const store = createArchive();
  const stateFile = join(root, "state.jsonl");
  const order: string[] = [];
  // Those that the archive has.
  const log = [{ id: "a", seq: 1, hash: "h" }];
  const isLogged = async ({ id, hash }: LogMark) =>
    log.some((row) => row.id === id && row.hash === hash);
  const run = async ({ settleMs = 0, by = "1", isKilled = false }: Run = {}) => {
    const importFile = async (path: string) => {
      order.push(basename(path));
      const { rejected, imported, unchanged } = await importFiles({ store, paths: [path] });
      if (isKilled) throw new Error("killed");
      return {
        state: rejected > 0 ? ("rejected" as const) : ("imported" as const),
        rows: { imported, unchanged },
        log: log.at(-1),
      };
    };
    const options = { paths: [folder], stateFile, settleMs, by, importFile, hasRow: isLogged };
    const report = await importNewFiles(options);
    const toPairs = (records: typeof report.taken) =>
      records.map(({ file, state, rows }) => [basename(file), state, rows?.["imported"]]);
    return {
      taken: toPairs(report.taken),
      present: toPairs(report.present),
      waiting: report.waiting.map(({ file }) => basename(file)),
    };
  };
  const put = async (name: string, ...ids: readonly number[]) =>
    await writeFile(join(folder, name), ids.map(toCall).join(""));
  return { root, folder, stateFile, store, order, log, run, put };
}

test("a file is imported once, again when it changes, and its copy not at all", async () => {
  const { folder, run, put } = await createWatched();
  expect(await run()).toEqual({ taken: [], present: [], waiting: [] });
  await put("a.jsonl", 1, 2);
  expect((await run()).taken).toEqual([["a.jsonl", "imported", 2]]);
  expect((await run()).taken).toEqual([]);
  await put("copy.jsonl", 1, 2);
  expect(await run()).toMatchObject({
    taken: [],
    present: [
      ["a.jsonl", "imported", 2],
      ["copy.jsonl", "repeated", undefined],
    ],
  });
  await utimes(join(folder, "a.jsonl"), new Date(), new Date(Date.now() - 60_000));
  expect((await run()).taken).toEqual([]);
  await put("a.jsonl", 1, 2, 3);
  expect((await run()).taken).toEqual([["a.jsonl", "imported", 1]]);
});

test("what an archive does not have, as one that was restored, is imported again, with its copies", async () => {
  const { log, run, put } = await createWatched();
  await put("a.jsonl", 1);
  await run();
  await put("b.jsonl", 2);
  await put("c.jsonl", 2);
  log.push({ id: "a", seq: 2, hash: "i" });
  expect((await run()).taken).toEqual([["b.jsonl", "imported", 1]]);
  expect((await run()).taken).toEqual([]);
  // As it was after the first run, and has gone on since.
  log.splice(1, 1, { id: "a", seq: 2, hash: "j" });
  expect(await run()).toMatchObject({
    taken: [["b.jsonl", "imported", 0]],
    present: [
      ["a.jsonl", "imported", 1],
      ["b.jsonl", "imported", 0],
      ["c.jsonl", "repeated", undefined],
    ],
  });
  expect((await run()).taken).toEqual([]);
  log.splice(0, 2, { id: "b", seq: 2, hash: "j" });
  expect((await run()).taken.map(([name]) => name)).toEqual(["a.jsonl", "b.jsonl"]);
});

test("a file with the time of another clock does not wait for it", async () => {
  const { folder, run, put } = await createWatched();
  await put("a.jsonl", 1);
  await utimes(join(folder, "a.jsonl"), new Date(), new Date(Date.now() + 10_000_000));
  expect(await run()).toMatchObject({ taken: [["a.jsonl", "imported", 1]], waiting: [] });
});

test("a file that is moved away meanwhile is skipped, and the others are imported", async () => {
  const { folder, stateFile, put } = await createWatched();
  for (const [id, name] of ["a", "b", "c", "d"].entries()) await put(`${name}.jsonl`, id % 3);
  const toPath = (name: string) => join(folder, `${name}.jsonl`);
  const importFile = async (path: string) => {
    if (path === toPath("a")) await rm(toPath("b"));
    if (path === toPath("c")) await rm(path);
    return { state: "imported" as const };
  };
  const options = { paths: [folder], stateFile, settleMs: 0, by: "", importFile };
  const report = await importNewFiles({ ...options, hasRow: async () => false });
  expect(report.gone).toEqual([toPath("b"), toPath("c")]);
  expect(report.present.map(({ file, state }) => [file, state])).toEqual([
    [toPath("a"), "imported"],
    [toPath("d"), "repeated"],
  ]);
});

test("what still grows waits, also if its time is that of its source, and unfinished names are left alone", async () => {
  const { folder, run, put } = await createWatched();
  await put("a.jsonl", 1);
  await put("b.jsonl.part", 2);
  await put(".c.jsonl", 3);
  await utimes(join(folder, "a.jsonl"), new Date(0), new Date(0));
  expect(await run({ settleMs: 600_000 })).toEqual({
    taken: [],
    present: [],
    waiting: ["a.jsonl"],
  });
  await rename(join(folder, "b.jsonl.part"), join(folder, "b.jsonl"));
  expect((await run()).taken.map(([name]) => name)).toEqual(["a.jsonl", "b.jsonl"]);
});

test("a file that is written to while it is read is read again", async () => {
  const { folder, store, stateFile, put } = await createWatched();
  await put("a.jsonl", 1);
  const path = join(folder, "a.jsonl");
  let reads = 0;
  const importFile = async () => {
    await importFiles({ store, paths: [path] });
    if (++reads === 1) await appendFile(path, toCall(2));
    return { state: "imported" as const };
  };
  const options = { paths: [folder], stateFile, settleMs: 0, by: "", importFile };
  const run = () => importNewFiles({ ...options, hasRow });
  expect(await run()).toMatchObject({ taken: [], waiting: [{ file: path }] });
  expect(await run()).toMatchObject({ taken: [{ file: path }], waiting: [] });
  expect(await store.calls.byCallId("2", "everything")).toHaveLength(1);
});

test("a run that was killed is completed by the next one, and half a line of the state is none", async () => {
  const { stateFile, run, put } = await createWatched();
  await put("a.jsonl", 1);
  await run();
  await put("b.jsonl", 2);
  await expect(run({ isKilled: true })).rejects.toThrow("killed");
  await appendFile(stateFile, '{"file":"b.jso');
  expect((await run()).taken).toEqual([["b.jsonl", "imported", 0]]);
  const lines = (await readFile(stateFile, "utf8")).trimEnd().split("\n");
  expect(lines.map((line) => basename(JSON.parse(line).file))).toEqual(["a.jsonl", "b.jsonl"]);
});

test("a file with rejected rows is read again when the mapping changes, and one that failed each time", async () => {
  const { folder, stateFile, run, put } = await createWatched();
  await writeFile(join(folder, "a.jsonl"), `${toCall(1)}{"kind":"call","talk_time":-1}\n`);
  expect((await run()).taken).toEqual([["a.jsonl", "rejected", 1]]);
  expect((await run()).taken).toEqual([]);
  expect((await run({ by: "2" })).taken).toEqual([["a.jsonl", "rejected", 0]]);

  await put("b.jsonl", 1);
  const importFile = async () => ({ state: "failed" as const, reason: "unreadable" });
  const options = { paths: [folder], stateFile, settleMs: 0, by: "2", importFile, hasRow };
  for (let time = 1; time <= 2; time += 1)
    expect((await importNewFiles(options)).taken).toMatchObject([{ reason: "unreadable" }]);
  await rm(join(folder, "b.jsonl"));
  expect((await importNewFiles(options)).present.map(({ state }) => state)).toEqual(["rejected"]);
});

test("files are imported by the date in their names, else of their last change", async () => {
  const { folder, order, run, put } = await createWatched();
  await put("z-2026-08-20.jsonl", 1);
  await put("a_20260821T0900.jsonl", 2);
  await put("b_20260821T0800.jsonl", 3);
  await put("undated.jsonl", 4);
  await utimes(join(folder, "undated.jsonl"), new Date(), new Date("2026-08-19"));
  await run();
  expect(order).toEqual([
    "undated.jsonl",
    "z-2026-08-20.jsonl",
    "b_20260821T0800.jsonl",
    "a_20260821T0900.jsonl",
  ]);
});

test("a second run meanwhile does nothing", async () => {
  const { folder, stateFile, put } = await createWatched();
  await put("a.jsonl", 1);
  const options = { paths: [folder], stateFile, settleMs: 0, by: "", hasRow };
  const importFile = async () => {
    const second = await importNewFiles({ ...options, importFile: () => expect.unreachable() });
    expect(second).toMatchObject({ isAlone: false, taken: [] });
    return { state: "imported" as const };
  };
  expect(await importNewFiles({ ...options, importFile })).toMatchObject({
    isAlone: true,
    taken: [{ state: "imported" }],
  });
});

test("a state file that is none, or that would be imported itself, is refused", async () => {
  const { root, folder, stateFile } = await createWatched();
  const importFile = () => expect.unreachable();
  const options = { paths: [folder], settleMs: 0, by: "", importFile, hasRow };
  await writeFile(stateFile, '{"a":1}\n');
  await expect(importNewFiles({ ...options, stateFile })).rejects.toThrow("line 1 is not one");
  for (const file of [join(folder, "state.jsonl"), join(dirname(folder), "in", "x", "s.jsonl")])
    await expect(importNewFiles({ ...options, stateFile: file })).rejects.toThrow(
      "keep it elsewhere",
    );
  const paths = [join(root, "none")];
  await expect(
    importNewFiles({ ...options, paths, stateFile: join(root, "other.jsonl") }),
  ).rejects.toThrow("does not exist");
});
