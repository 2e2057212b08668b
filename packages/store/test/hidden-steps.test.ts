// What is hidden takes the same steps as what does not exist, so that a clock cannot tell them apart: the same statements, and
// as many calls that are judged.
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, StatementSync } from "node:sqlite";
import { expect, onTestFinished, test, vi } from "vitest";
import { recordRights } from "@call-media/api";
import type { CallStore, Visibility } from "../src/index.ts";
import { openStore } from "../src/sqlite/sqlite-store.ts";
import { createArchive } from "./support/archives.ts";
import { call, fill, message } from "./support/records.ts";

type LookUp = (store: CallStore, name: string, visibility: Visibility) => Promise<unknown[]>;

const LOOK_UPS: Readonly<Record<string, LookUp>> = {
  "records by call_id": ({ calls }, name, eyes) => calls.byCallId(name, eyes),
  "records by reference": ({ calls }, name, eyes) => calls.byReference(name, eyes),
  "recordings by call_id": ({ calls }, name, eyes) => calls.recordings({ callId: name }, eyes),
  "recordings by reference": ({ calls }, name, eyes) => calls.recordings({ reference: name }, eyes),
  "a chat": ({ calls }, name, eyes) => calls.chat(name, eyes),
};

const HIDDEN_LEGS = { "one leg": 1, "ten legs": 10, "sixty-four legs": 64 };
const OF_ANN: Visibility = recordRights.map(({ field }) => ({ field, allowed: ["ann"] }));
const ANN = Object.fromEntries(recordRights.map(({ field }) => [field, "Ann"]));

/** An archive with hidden calls of so many legs, each with a value that no other has, and one call that is seen. */
async function fillArchive(): Promise<string> {
  const store = await createArchive();
  const media = await store.media.add({ name: "a.wav", content: Buffer.from("sound") });
  const toLeg = (name: string, leg: number, fields: object) =>
    call(
      {
        ...fields,
        call_id: name,
        ref_id: name,
        datetime: new Date(Date.UTC(2025, 4, 1, 10, 0, leg)).toISOString(),
      },
      { recordings: [{ filename: "a.wav", media }] },
    );
  const hidden = Object.entries(HIDDEN_LEGS).flatMap(([name, legs]) =>
    Array.from({ length: legs }, (_, leg) =>
      toLeg(name, leg, { ...ANN, security_field_05: `${name} ${leg}` }),
    ),
  );
  const chats = ["seen", ...Object.keys(HIDDEN_LEGS)].map((name) => ({
    kind: "chat" as const,
    record: message(name, "Yes.", "2025-05-01T10:00:00Z"),
  }));
  await fill(store, [toLeg("seen", 0, ANN), ...hidden, ...chats]);
  return store.directory;
}

// Each begins with a byte of 0.
function countCalls(list: SQLOutputValue): number {
  return list instanceof Uint8Array ? list.filter((byte) => byte === 0).length : Number.NaN;
}

/** Counts the statements that run and the calls that they have judged; `take` gives those since it or `forget` was called. */
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
  const forget = () => {
    for (const statement of statements) statement.mockClear();
    judged = 0;
  };
  const take = () => {
    const ran = statements.flatMap(({ mock }) =>
      mock.contexts.map((statement) => (statement as StatementSync).sourceSQL),
    );
    const taken = { statements: ran, judged };
    forget();
    return taken;
  };
  return { take, forget };
}

test.each(Object.entries(LOOK_UPS))("%s: the steps are the same", async (_what, lookUp) => {
  const directory = await fillArchive();
  const { take } = countSteps();
  await using store = await openStore({ directory });
  expect(await lookUp(store, "seen", OF_ANN)).toHaveLength(1);
  take();

  expect(await lookUp(store, "none", OF_ANN)).toEqual([]);
  const ofNone = take();
  expect(ofNone).toMatchObject({ judged: 65 });
  for (const name of Object.keys(HIDDEN_LEGS)) {
    expect(await lookUp(store, name, OF_ANN)).toEqual([]);
    expect(take(), name).toEqual(ofNone);
  }
});

test("who is shown something, or may see everything, waits for no decoys", async () => {
  const directory = await fillArchive();
  const { take } = countSteps();
  await using store = await openStore({ directory });
  await store.calls.byCallId("none", OF_ANN);
  take();

  await store.calls.byCallId("seen", OF_ANN);
  expect(take()).toMatchObject({ judged: 1 });
  await store.calls.byCallId("none", []);
  expect(take()).toMatchObject({ judged: 0 });
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
