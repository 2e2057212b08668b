// Crowds: the calls of an identifier that many calls have are kept for look-ups as calls come, change and go, and the doctor
// knows when they are not.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { CallStore, Visibility } from "../src/index.ts";
import { examine, purge, rebuildIndex } from "../src/keeping/index.ts";
import { createStore } from "../src/sqlite/sqlite-store.ts";
import { createFolder } from "./support/archives.ts";
import { call, type CallItem, fill } from "./support/records.ts";

const OF_ANN: Visibility = [{ field: "agent", allowed: ["ann"] }];

interface Archive extends AsyncDisposable {
  readonly directory: string;
  readonly store: CallStore;
}

async function createFilled(items: readonly CallItem[]): Promise<Archive> {
  const directory = await createFolder();
  const store = await createStore({ directory });
  await fill(store, items);
  return { directory, store, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

const toDatetime = (day: number, second = 0) =>
  new Date(Date.UTC(2025, 0, 1 + day, 0, 0, second)).toISOString();

/** So many calls of one call_id and one session, every hundredth Ann's. */
const toLegs = (count: number, fields: Parameters<typeof call>[0] = {}) =>
  Array.from({ length: count }, (_, leg) =>
    call(
      {
        call_id: "c",
        ref_id: String(leg),
        agent: leg % 100 === 0 ? "Ann" : `bob ${leg % 300}`,
        datetime: toDatetime(0, leg),
        ...fields,
      },
      { sessionId: "S" },
    ),
  );

const toReferences = (records: readonly { readonly ref_id: string | null }[]) =>
  records.map(({ ref_id }) => Number(ref_id)).toSorted((a, b) => a - b);

function listCrowds(directory: string): unknown[] {
  using database = new DatabaseSync(join(directory, "archive.db"));
  const crowds = database.prepare("SELECT kind, name FROM crowd ORDER BY kind").all();
  return crowds.map(({ kind, name }) => [kind, name]);
}

function countLarge(directory: string): unknown {
  using database = new DatabaseSync(join(directory, "archive.db"));
  return database.prepare("SELECT count(*) AS n FROM large_crowd").get()?.["n"];
}

test("a crowd of thousands, imported a few at a time and in no order, shows what may be seen", async () => {
  const legs = toLegs(2_500);
  const mixed = legs.toSorted(
    (a, b) => (Number(a.record.ref_id) % 7) - (Number(b.record.ref_id) % 7),
  );
  await using archive = await createFilled(mixed.slice(0, 10));
  for (const until of [16, 17, 40, 1_500, 2_500]) await fill(archive.store, mixed.slice(0, until));

  const { calls } = archive.store;
  const seen = Array.from({ length: 25 }, (_, index) => index * 100);
  expect(toReferences(await calls.byCallId("c", OF_ANN))).toEqual(seen);
  expect(toReferences(await calls.byReference("S", OF_ANN))).toEqual(seen);
  expect(await examine(archive.directory)).toEqual([]);
  expect(listCrowds(archive.directory)).toEqual([
    ["call_id", "c"],
    ["reference", "S"],
  ]);
});

test("of a crowd that is purged no name is left", async () => {
  await using archive = await createFilled(toLegs(300));
  const { directory } = archive;
  await purge({ directory, filter: { callId: "c" }, operator: "test" });

  expect(listCrowds(directory)).toEqual([]);
  expect(await examine(directory)).toEqual([]);
});

test("what the last of a crowd of thousands have is seen, also when it comes later or the crowd grows smaller", async () => {
  const legs = [...toLegs(1, { skill: "first" }), ...toLegs(2_500).slice(1)];
  await using archive = await createFilled(legs);
  const { calls } = archive.store;
  const ofEve: Visibility = [
    { field: "agent", allowed: ["ann", "eve"] },
    { field: "skill", allowed: ["late"] },
  ];
  expect(await calls.byCallId("c", ofEve)).toEqual([]);

  const late = toLegs(2_502, { skill: "late", agent: "eve" }).slice(2_500);
  await fill(archive.store, late);
  expect(toReferences(await calls.byCallId("c", ofEve))).toEqual([2_500, 2_501]);
  expect(toReferences(await calls.byReference("S", ofEve))).toEqual([2_500, 2_501]);
  expect(await examine(archive.directory)).toEqual([]);
  expect(countLarge(archive.directory)).toBe(2);

  await purge({ directory: archive.directory, filter: { before: "2025-01-02" }, operator: "test" });
  expect(countLarge(archive.directory)).toBe(0);
});

test("large crowds that there are not are no longer listed when the crowds are made anew", async () => {
  await using archive = await createFilled(toLegs(900));
  using database = new DatabaseSync(join(archive.directory, "archive.db"));
  database.exec("INSERT INTO large_crowd (term) VALUES (5)");
  expect(countLarge(archive.directory)).toBe(3);
  await rebuildIndex(archive);

  expect(countLarge(archive.directory)).toBe(2);
});

test("values that are new since the rights were looked up are looked up again", async () => {
  await using archive = await createFilled(toLegs(50));
  const { calls } = archive.store;
  const eyes: Visibility = [{ field: "agent", allowed: ["ann", "eve"] }];
  expect(await calls.byCallId("c", eyes)).toHaveLength(1);
  await fill(
    archive.store,
    toLegs(52)
      .slice(50)
      .map(({ record, ...item }) => ({ ...item, record: { ...record, agent: "eve" } })),
  );

  expect(toReferences(await calls.byCallId("c", eyes))).toEqual([0, 50, 51]);
});

test("numbers beyond 16 bits are kept whole", async () => {
  const legs = toLegs(20);
  await using archive = await createFilled(legs.slice(0, 19));
  using database = new DatabaseSync(join(archive.directory, "archive.db"));
  database.exec("UPDATE sqlite_sequence SET seq = 200000 WHERE name = 'restricted_value'");
  await fill(
    archive.store,
    legs.map(({ record, ...item }, leg) => ({
      ...item,
      record: { ...record, agent: leg === 19 ? "Zoe" : record.agent },
    })),
  );

  const ofZoe: Visibility = [{ field: "agent", allowed: ["zoe"] }];
  expect(toReferences(await archive.store.calls.byReference("S", ofZoe))).toEqual([19]);
  expect(toReferences(await archive.store.calls.byReference("S", OF_ANN))).toEqual([0]);
  expect(await examine(archive.directory)).toEqual([]);
});

const NAMES = ["a", "b"];
const group = fc.record({
  name: fc.constantFrom(...NAMES),
  count: fc.integer({ min: 1, max: 12 }),
  first: fc.integer({ min: 0, max: 30 }),
  agent: fc.constantFrom("ann", "bob", null),
  day: fc.constantFrom(0, 1, 300),
});
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("import" as const),
      groups: fc.array(group, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("purge" as const),
      before: fc.constantFrom("2025-01-02", "2025-06-01"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("erase" as const),
      callId: fc.constantFrom(...NAMES),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "rebuild" as const }) },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

test("whatever is imported, changed, purged and made anew, the crowds fit the calls", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), async (steps) => {
      await using archive = await createFilled([]);
      for (const one of steps) {
        await take(archive, one);
        expect(await examine(archive.directory)).toEqual([]);
      }
    }),
    { numRuns: 25 },
  );
});

async function take({ store, directory }: Archive, given: Step): Promise<void> {
  if (given.kind === "import") await fill(store, given.groups.flatMap(toGroup));
  else if (given.kind === "rebuild") await rebuildIndex({ directory });
  else {
    const filter = given.kind === "purge" ? { before: given.before } : { callId: given.callId };
    await purge({ directory, filter, operator: "test" });
  }
}

/** Calls that come again do so with another skill and session, and take the place of those before. */
const toGroup = ({
  name,
  count,
  first,
  agent,
  day,
}: typeof group extends fc.Arbitrary<infer T> ? T : never) =>
  Array.from({ length: count }, (_, index) =>
    call(
      {
        call_id: name,
        ref_id: String(first + index),
        agent: "x",
        skill: agent,
        datetime: toDatetime(day, first + index),
      },
      { sessionId: agent ?? name, masterId: name },
    ),
  );

test.each([
  ["is not in the list", "DELETE FROM crowd WHERE kind = 'call_id'"],
  ["nobody has", "UPDATE crowd SET name = 'x' WHERE kind = 'call_id'"],
  ["has a block less", "DELETE FROM crowd_block WHERE id = (SELECT max(id) FROM crowd_block)"],
  ["has no blocks", "DELETE FROM crowd_block"],
  ["has the rights of others", "UPDATE crowd_block SET numbers = zeroblob(length(numbers))"],
  ["has half of what was written", "UPDATE crowd_block SET numbers = substr(numbers, 20)"],
  ["lies in another order", "UPDATE crowd_block SET from_term = from_term + 1 WHERE from_term < 0"],
  [
    "has other ids",
    "UPDATE crowd_block SET keys = CAST(substr(keys, 1, 8) || keys AS BLOB), calls = calls",
  ],
  [
    "is large, and not listed",
    "DELETE FROM large_crowd WHERE term = (SELECT min(term) FROM large_crowd)",
  ],
])("the doctor finds a crowd that %s, and it can be made anew", async (_what, damage) => {
  await using archive = await createFilled(toLegs(900));
  const { directory, store } = archive;
  using database = new DatabaseSync(join(directory, "archive.db"));
  expect(countLarge(directory)).toBe(2);
  database.exec(damage);

  const what = expect.stringContaining("the crowds of identifiers do not fit the calls");
  const todo = expect.stringContaining('"reindex"');
  expect(await examine(directory)).toMatchObject([{ what, todo }]);
  await rebuildIndex({ directory });
  expect(await examine(directory)).toEqual([]);
  expect(toReferences(await store.calls.byCallId("c", OF_ANN))).toEqual([
    0, 100, 200, 300, 400, 500, 600, 700, 800,
  ]);
});

test("a damaged crowd is said to be, not taken for one that shows nothing", async () => {
  await using archive = await createFilled(toLegs(40));
  using database = new DatabaseSync(join(archive.directory, "archive.db"));
  database.exec("UPDATE crowd_block SET numbers = substr(numbers, 20)");

  await expect(archive.store.calls.byCallId("c", OF_ANN)).rejects.toMatchObject({
    name: "RecordDamaged",
  });
});

test("what is damaged in a large crowd is no fault of what else is looked up", async () => {
  await using archive = await createFilled(toLegs(2_000));
  using database = new DatabaseSync(join(archive.directory, "archive.db"));
  const middle = `SELECT id FROM crowd_block WHERE from_term = (SELECT min(term) FROM large_crowd)
                  ORDER BY from_id LIMIT 1 OFFSET 7`;
  database.exec(`UPDATE crowd_block SET numbers = substr(numbers, 20) WHERE id = (${middle})`);
  const { calls } = archive.store;

  const found = await Promise.allSettled([
    calls.byCallId("c", OF_ANN),
    calls.byReference("S", OF_ANN),
    calls.byCallId("none", OF_ANN),
  ]);
  expect(found.map(({ status }) => status).toSorted()).toEqual([
    "fulfilled",
    "fulfilled",
    "rejected",
  ]);
});

// From one below to some above 256.
test("a crowd is large once it has more calls than every look-up judges", async () => {
  const legs = toLegs(300);
  await using archive = await createFilled(legs.slice(0, 255));
  const { directory, store } = archive;
  const listed: unknown[] = [];
  for (const until of [255, 256, 257, 300]) {
    await fill(store, legs.slice(0, until));
    listed.push(countLarge(directory));
    const seen = [0, 100, 200].filter((leg) => leg < until);
    expect(toReferences(await store.calls.byCallId("c", OF_ANN))).toEqual(seen);
    expect(await examine(directory)).toEqual([]);
  }
  // Those of the session come to less than two blocks in one, and more in the other.
  expect(listed).toEqual([0, 0, 2, 2]);
});

// Those of a term that is greater than all others end with the last block, from where others are looked into from the first on.
test("crowds of many identifiers are told apart, whichever lie beside each other", async () => {
  const names = Array.from({ length: 60 }, (_, index) => `name ${index}`);
  await using archive = await createFilled(
    names.flatMap((name, index) =>
      toLegs(17 + index).map(({ record, ...item }) => ({
        ...item,
        record: { ...record, call_id: name },
        sessionId: name,
      })),
    ),
  );
  const { calls } = archive.store;
  const ofBob: Visibility = [{ field: "agent", allowed: ["bob 3", "bob 16", "bob 17"] }];
  for (const [index, name] of names.entries()) {
    const seen = [3, 16, 17].filter((leg) => leg < 17 + index);
    expect(toReferences(await calls.byCallId(name, ofBob))).toEqual(seen);
    expect(toReferences(await calls.byReference(name, ofBob))).toEqual(seen);
  }
});
