// What is hidden takes the same steps as what does not exist, so that a clock cannot tell them apart: the same statements, and as
// many calls that are judged, few by the index and 256 of crowds, in as many blocks. Searches are in hidden-search.test.ts.
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, StatementSync } from "node:sqlite";
import { expect, onTestFinished, test, vi } from "vitest";
import { recordRights } from "@call-media/api";
import type { CallStore, Visibility } from "../src/index.ts";
import * as block from "../src/sqlite/crowds/block.ts";
import { LEAST_CALLS } from "../src/sqlite/crowds/large-crowds.ts";
import { openDatabase } from "../src/sqlite/files/database.ts";
import { openStore } from "../src/sqlite/sqlite-store.ts";
import { createArchive } from "./support/archives.ts";
import { call, fill, message } from "./support/records.ts";

vi.mock(import("../src/sqlite/crowds/block.ts"), { spy: true });

type LookUp = (store: CallStore, name: string, visibility: Visibility) => Promise<unknown[]>;

const LOOK_UPS: Readonly<Record<string, LookUp>> = {
  "records by call_id": ({ calls }, name, eyes) => calls.byCallId(name, eyes),
  "records by reference": ({ calls }, name, eyes) => calls.byReference(name, eyes),
  "recordings by call_id": ({ calls }, name, eyes) => calls.recordings({ callId: name }, eyes),
  "recordings by reference": ({ calls }, name, eyes) => calls.recordings({ reference: name }, eyes),
  "a chat": ({ calls }, name, eyes) => calls.chat(name, eyes),
};

// Of each so many legs, a day apart.
const HIDDEN_LEGS = [1, 10, 16, 17, 64, 200, 1_000, 2_500];
const HIDDEN = HIDDEN_LEGS.map((legs) => `${legs} legs`);
// So many beside one that is seen.
const BESIDE_LEGS = [0, 1, 10, 14, 16, 17, 200, 1_000];
const OF_ANN: Visibility = recordRights.map(({ field }) => ({ field, allowed: ["ann"] }));
const ANN = Object.fromEntries(recordRights.map(({ field }) => [field, "Ann"]));

/** An archive with hidden calls of so many legs, each with a value that no other has, and one call that is seen. */
async function fillArchive(): Promise<string> {
  const store = await createArchive();
  const media = await store.media.add({ name: "a.wav", content: Buffer.from("sound") });
  const toLeg = (name: string, leg: number, fields: object) =>
    call(
      {
        call_id: name,
        // A name is that of a session or a master in the further legs.
        ref_id: leg < 30 ? name : null,
        ...fields,
        datetime: new Date(Date.UTC(2021, 4, 1 + leg, 10)).toISOString(),
      },
      {
        recordings: [{ filename: "a.wav", media }],
        ...(leg % 3 === 0 ? { sessionId: name } : { masterId: name }),
      },
    );
  const hidden = HIDDEN_LEGS.flatMap((legs) =>
    Array.from({ length: legs }, (_, leg) =>
      toLeg(`${legs} legs`, leg, { ...ANN, security_field_05: `${legs} ${leg}` }),
    ),
  );
  const beside = BESIDE_LEGS.flatMap((legs) => [
    toLeg(`${legs} beside`, 0, ANN),
    ...Array.from({ length: legs }, (_, leg) => toLeg(`${legs} beside`, leg + 1, { ref_id: null })),
  ]);
  const chats = ["seen", ...HIDDEN, ...BESIDE_LEGS.map((legs) => `${legs} beside`)].map((name) => ({
    kind: "chat" as const,
    record: message(name, "Yes.", "2025-05-01T10:00:00Z"),
  }));
  await fill(store, [toLeg("seen", 0, ANN), ...beside, ...hidden, ...chats]);
  return store.directory;
}

// Each has two bytes of 0.
function countCalls(list: SQLOutputValue): number {
  return list instanceof Uint8Array ? list.filter((byte) => byte === 0).length / 2 : Number.NaN;
}

/**
 * Counts the statements that run, the calls that they have judged, those that were judged as of a crowd, and the blocks that those
 * were looked for in; `take` gives those since it or `forget` was called.
 */
function countSteps() {
  onTestFinished(() => void vi.restoreAllMocks());
  let judged = 0;
  const define = DatabaseSync.prototype["function"].call.bind(DatabaseSync.prototype["function"]);
  vi.spyOn(DatabaseSync.prototype, "function").mockImplementation(function (
    this: DatabaseSync,
    name: string,
    ...given: readonly unknown[]
  ) {
    const judge = given.at(-1) as (value: SQLOutputValue) => SQLInputValue; // the store gives it no options
    define(this, name, (value: SQLOutputValue) => {
      judged += countCalls(value);
      return judge(value);
    });
  });
  const statements = (["all", "get", "run", "iterate"] as const).map((way) =>
    vi.spyOn(StatementSync.prototype, way),
  );
  const crowds = vi.mocked(block.judgeCalls);
  const forget = () => {
    for (const spy of [...statements, crowds]) spy.mockClear();
    judged = 0;
  };
  const take = () => {
    const ran = statements.flatMap(({ mock }) =>
      mock.contexts.map((statement) => (statement as StatementSync).sourceSQL),
    );
    const ofCrowds = crowds.mock.calls.reduce((sum, [, { from, until }]) => sum + until - from, 0);
    const taken = { statements: ran, judged, ofCrowds, blocks: crowds.mock.calls.length };
    forget();
    return taken;
  };
  return { take, forget };
}

/** Those that the index has a look-up judge: of 16 calls, or of 4 a half year and kind of reference; and one more. */
function countJudged(directory: string, what: string): number {
  using database = new DatabaseSync(join(directory, "archive.db"));
  const spans = Number(database.prepare("SELECT count(*) AS n FROM call_span").get()?.["n"]);
  expect(spans).toBeGreaterThan(4);
  return what.includes("reference") ? 1 + 4 * 3 * spans : 17;
}

test.each(Object.entries(LOOK_UPS))("%s: the steps are the same", async (what, lookUp) => {
  const directory = await fillArchive();
  const judged = countJudged(directory, what);
  const { take } = countSteps();
  await using store = await openStore({ directory });
  expect(await lookUp(store, "seen", OF_ANN)).toHaveLength(1);
  // Blocks that were read are kept.
  for (const name of ["none", ...HIDDEN]) await lookUp(store, name, OF_ANN);
  take();

  expect(await lookUp(store, "none", OF_ANN)).toEqual([]);
  const ofNone = take();
  expect(ofNone).toMatchObject({ judged, ofCrowds: LEAST_CALLS });
  for (const name of HIDDEN) {
    expect(await lookUp(store, name, OF_ANN)).toEqual([]);
    expect(take(), name).toEqual(ofNone);
  }
});

test.each(Object.entries(LOOK_UPS))(
  "%s: the steps are the same beside one that is seen",
  async (what, lookUp) => {
    const directory = await fillArchive();
    const judged = countJudged(directory, what);
    const { take } = countSteps();
    await using store = await openStore({ directory });
    for (const legs of BESIDE_LEGS) await lookUp(store, `${legs} beside`, OF_ANN);
    take();

    const steps: ReturnType<typeof take>[] = [];
    for (const legs of BESIDE_LEGS) {
      expect(await lookUp(store, `${legs} beside`, OF_ANN)).toHaveLength(1);
      steps.push(take());
    }
    // The one that is seen is judged again when it is read.
    expect(steps[0]).toMatchObject({ judged: judged + 1, ofCrowds: LEAST_CALLS });
    expect(steps).toEqual(steps.map(() => steps[0]));
  },
);

test("of thousands, the first look-up that finds out what is seen takes the same steps, whatever it asks for", async () => {
  const directory = await fillArchive();
  // Of each right half of the hidden ones lack it.
  const toHalf = (name: string, leg: number) =>
    call({
      call_id: name,
      ref_id: null,
      ...ANN,
      [leg % 2 === 0 ? "agent" : "skill"]: "other",
      datetime: new Date(Date.UTC(2021, 4, 1, 0, leg)).toISOString(),
    });
  const { take, forget } = countSteps();
  const halves = (name: string) => Array.from({ length: 2_500 }, (_, leg) => toHalf(name, leg));
  {
    await using store = await openStore({ directory });
    const beside = call({ call_id: "beside", ref_id: "1", ...ANN });
    await fill(store, [...halves("hidden"), ...halves("beside"), beside]);
  }
  const NAMES = { none: 0, hidden: 0, seen: 1, beside: 1 };
  const look = async (store: CallStore, name: keyof typeof NAMES) => {
    forget();
    expect(await store.calls.byCallId(name, OF_ANN), name).toHaveLength(NAMES[name]);
    const { ofCrowds, blocks } = take();
    return { ofCrowds, blocks };
  };
  const first: Awaited<ReturnType<typeof look>>[] = [];
  for (const name of ["none", "hidden", "seen", "beside"] as const) {
    await using store = await openStore({ directory });
    first.push(await look(store, name));
    expect(await look(store, name)).toMatchObject({ ofCrowds: LEAST_CALLS });
  }
  expect(first[0]?.ofCrowds).toBeGreaterThan(5_000);
  expect(first).toEqual(first.map(() => first[0]));

  await using store = await openStore({ directory });
  await look(store, "none");
  // An import of what is of no crowd changes nothing, one of a call amid those of a large crowd a block of it.
  await fill(store, [call({ call_id: "other", ...ANN })]);
  expect(await look(store, "none")).toMatchObject({ ofCrowds: LEAST_CALLS });
  await fill(store, [toHalf("hidden", 2_000.5)]);
  const { ofCrowds } = await look(store, "none");
  expect(ofCrowds).toBeGreaterThan(LEAST_CALLS);
  expect(ofCrowds).toBeLessThan(2 * LEAST_CALLS);
  expect(await look(store, "hidden")).toMatchObject({ ofCrowds: LEAST_CALLS });
});

test("who may see everything judges nothing", async () => {
  const directory = await fillArchive();
  const { take } = countSteps();
  await using store = await openStore({ directory });
  await store.calls.byCallId("none", OF_ANN);
  take();

  await store.calls.byCallId("seen", []);
  await store.calls.byCallId("none", []);
  expect(take()).toMatchObject({ judged: 0, ofCrowds: 0 });
});

test("what a crowd says is seen is judged again: an import may have changed it", async () => {
  const directory = await fillArchive();
  using database = openDatabase(directory);
  const number = database.prepare(
    "SELECT id FROM restricted_value WHERE field = ? AND key = 'ann'",
  );
  const numbers = recordRights.map(({ field }) => Number(number.get(field)?.["id"]));
  const update = database.prepare("UPDATE crowd_block SET numbers = ? WHERE id = ?");
  for (const { id, calls } of database.prepare("SELECT id, calls FROM crowd_block").all()) {
    const members = Array.from({ length: Number(calls) }, () => ({ term: 0, id: 0n, numbers }));
    update.run(block.toBlock(members).numbers, Number(id));
  }
  await using store = await openStore({ directory });

  expect(await store.calls.byCallId("200 legs", OF_ANN)).toEqual([]);
  expect(await store.calls.byReference("200 legs", OF_ANN)).toEqual([]);
  expect(await store.calls.byReference("200 beside", OF_ANN)).toHaveLength(1);
});

test("rights that are made anew are looked up again only when an import has brought values", async () => {
  const directory = await fillArchive();
  const { take, forget } = countSteps();
  await using store = await openStore({ directory });
  const countLookedUp = async () => {
    forget();
    expect(await store.calls.byCallId("seen", structuredClone(OF_ANN))).toHaveLength(1);
    return take().statements.filter((sql) => /FROM restricted_value WHERE field/.test(sql)).length;
  };

  expect(await countLookedUp()).toBe(OF_ANN.length);
  expect(await countLookedUp()).toBe(0);
  await fill(store, [call({ call_id: "other", agent: "eve" })]);
  expect(await countLookedUp()).toBe(OF_ANN.length);
});

test("rights with more restrictions than can be told apart are refused", async () => {
  const store = await createArchive();
  const restriction = { field: "agent" as const, allowed: ["ann"] };
  const eyes = Array.from({ length: 32 }, () => restriction);

  expect(await store.calls.byCallId("none", eyes.slice(1))).toEqual([]);
  await expect(store.calls.byCallId("none", eyes)).rejects.toThrow("more than 31 fields");
});
