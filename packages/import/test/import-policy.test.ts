// An import leaves out what the policy of retention would make due at once (D43), in whatever order the rows of a call come.
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { CallStore } from "@call-media/store";
import { importFiles } from "../src/index.ts";
import { createArchive, writeLines } from "./support/archives.ts";
import { message } from "./support/records.ts";

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
const OLD = daysAgo(40);

const toCall = (call_id: string, days: number, fields: object = {}) => ({
  kind: "call",
  call_id,
  datetime: daysAgo(days),
  ...fields,
});

const toChat = (call_id: string, text: string) => ({
  kind: "chat",
  ...message(call_id, text, OLD),
});

async function createObeying(policy: object = { otherwise: { keep: "30 days" } }) {
  const store = createArchive();
  const value = JSON.stringify({ retention: 1, rules: [], ...policy });
  await store.maintenance.internals.write([{ kind: "setting", name: "policy", value }]);
  return store;
}

async function importLines(store: CallStore, lines: readonly object[]) {
  const path = await writeLines("calls.jsonl", lines);
  await writeFile(join(dirname(path), "a.wav"), "sound of ann");
  return await importFiles({ store, paths: [path] });
}

const listOrders = <One>(all: readonly One[]): readonly (readonly One[])[] =>
  all.length < 2
    ? [all]
    : all.flatMap((one, index) =>
        listOrders(all.toSpliced(index, 1)).map((others) => [one, ...others]),
      );

const listLegs = (store: CallStore, callId: string) => store.calls.byCallId(callId, "everything");

test("an old leg of a young call is taken with its recording, and its chat, in any order", async () => {
  const media = [{ file: "a.wav" }];
  const kept = [toCall("L", 2), toCall("L", 40, { media }), toChat("L", "Yes.")];
  const due = [toCall("other", 40, { media }), toChat("other", "No.")];
  const orders = listOrders(kept).flatMap((one) =>
    listOrders(due).map((other) => [...other, ...one]),
  );
  for (const order of orders) {
    const store = await createObeying();
    expect(await importLines(store, order)).toMatchObject({ read: 5, imported: 3, due: 2 });
    expect(await listLegs(store, "L")).toHaveLength(2);
    expect(await store.calls.recordings({ callId: "L" }, "everything")).toHaveLength(1);
    expect(await store.calls.chat("L", "everything")).toHaveLength(1);
    expect(await listLegs(store, "other")).toEqual([]);
    expect(await store.calls.chat("other", "everything")).toEqual([]);
    // The same again finds nothing to do.
    expect(await importLines(store, order)).toMatchObject({ imported: 0, unchanged: 3, due: 2 });
  }
});

test("a call is kept by one leg's rule and another leg's time, in any order", async () => {
  const policy = {
    otherwise: { keep: "30 days" },
    rules: [{ name: "complaints", where: { campaign: ["Complaints"] }, keep: "1 year" }],
  };
  const lines = [toCall("L", 400, { campaign: "Complaints" }), toCall("L", 40)];
  for (const order of listOrders(lines)) {
    const store = await createObeying(policy);
    expect(await importLines(store, order)).toMatchObject({ imported: 2 });
    expect(await listLegs(store, "L")).toHaveLength(2);
  }
});

test("a later state of a due record replaces it, and not the other way round", async () => {
  const policy = {
    otherwise: { keep: "30 days" },
    rules: [{ name: "complaints", where: { campaign: ["Complaints"] }, keep: "1 year" }],
  };
  const store = await createObeying(policy);
  const datetime = OLD;
  const media = [{ file: "a.wav" }];
  const lines = [
    toCall("L", 40, { datetime }),
    toCall("L", 40, { datetime, campaign: "Complaints", media }),
    toCall("M", 40, { datetime }),
  ];
  expect(await importLines(store, lines)).toMatchObject({ imported: 1, replaced: 1, due: 1 });
  expect(await listLegs(store, "L")).toMatchObject([{ campaign: "Complaints" }]);
  expect(await store.calls.recordings({ callId: "L" }, "everything")).toHaveLength(1);
});

test("a hold by words keeps a due call whose words are another row, in any order", async () => {
  for (const order of listOrders([
    toChat("A", "the storm came"),
    toCall("A", 40),
    toCall("B", 40),
  ])) {
    const store = await createObeying();
    await store.maintenance.holds.add(
      { name: "storm", reason: "a claim", holds: { words: "storm" } },
      { operation: "hold add", operator: "olive", run: "r" },
    );
    expect(await importLines(store, order)).toMatchObject({ imported: 2, due: 1 });
    expect(await listLegs(store, "A")).toHaveLength(1);
    expect(await store.calls.chat("A", "everything")).toHaveLength(1);
  }
});

test("the sound of an old leg is taken with a young leg, in any order", async () => {
  const policy = { otherwise: { keep: "1 year", sound: "30 days" } };
  const lines = [
    toCall("L", 2),
    toCall("L", 40, { media: [{ file: "a.wav" }] }),
    toCall("other", 40, { media: [{ file: "a.wav" }] }),
  ];
  for (const order of listOrders(lines)) {
    const store = await createObeying(policy);
    for (const report of [{ imported: 3 }, { imported: 0, unchanged: 3 }])
      expect(await importLines(store, order)).toMatchObject(report);
    expect(await store.calls.recordings({ callId: "L" }, "everything")).toHaveLength(1);
    expect(await store.calls.recordings({ callId: "other" }, "everything")).toEqual([]);
  }
});
