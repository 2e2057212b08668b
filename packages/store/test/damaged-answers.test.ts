// Answers of an archive of which the disk has changed a record: what holds it fails as damaged and names it, everything else is
// answered.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { parseQuery } from "@call-media/words";
import { expect, test } from "vitest";
import type { CallStore, Visibility } from "../src/index.ts";
import { openStore } from "../src/sqlite/sqlite-store.ts";
import { call, fill, query, toUser } from "../src/suite/records.ts";
import { change } from "./support/examined.ts";
import { AT, createFull } from "./support/full-archive.ts";

const OF_B = "(SELECT id FROM call WHERE call_id = 'b')";

/** What is done to the call b, of which no answer shows anything any more. */
const WAYS = [
  "UPDATE call SET record = replace(record, '2025', '2024') WHERE call_id = 'b'",
  "UPDATE call SET record = '[\"agent' WHERE call_id = 'b'",
  "UPDATE call SET session_id = 'S' WHERE call_id = 'b'",
  "UPDATE call SET digest = zeroblob(16) WHERE call_id = 'b'",
  `UPDATE recording SET filename = 'c.ulaw' WHERE call = ${OF_B}`,
  `UPDATE recording SET start_ms = 7 WHERE call = ${OF_B}`,
  `DELETE FROM recording WHERE call = ${OF_B}`,
];

const damaged = (name: string) => ({
  name: "StoreFault",
  reason: "damaged",
  message: expect.stringContaining(name),
});

const ofCall = (call_id: string) => query({ filter: { call_id } });

test.each(WAYS)("%s: look-ups and pages that hold it fail, others do not", async (sql) => {
  const directory = await createFull();
  change(directory, sql);
  await using store = await openStore({ directory });
  const { calls } = store;
  for (const ask of [
    () => calls.byCallId("b", "everything"),
    () => calls.byReference("r-b", "everything"),
    () => calls.recordings({ callId: "b" }, "everything"),
    () => calls.search(query({})),
    () => calls.search(ofCall("b")),
  ])
    await expect(ask()).rejects.toMatchObject(damaged("call_id b is not what was imported"));
  expect(await calls.byCallId("a", "everything")).toMatchObject([{ call_id: "a" }]);
  expect(await calls.recordings({ callId: "a" }, "everything")).toHaveLength(1);
  expect(await calls.search(ofCall("a"))).toMatchObject({ recordCount: 1 });
});

test("of the pages of a search only the one that holds it fails, and the count stays", async () => {
  const directory = await createFull();
  await using store = await openStore({ directory });
  // Behind the 50 of a page.
  const newer = Array.from({ length: 50 }, (_, n) =>
    call({ call_id: `n${n}`, datetime: "2025-06-01T10:00:00Z" }),
  );
  await fill(store, newer);
  change(directory, WAYS[0] ?? "");
  const first = await store.calls.search(query({}));
  expect(first).toMatchObject({ recordCount: 55, hasNext: true });
  const second = store.calls.search(query({ pageIndex: 1 }));
  await expect(second).rejects.toMatchObject(damaged("call_id b"));
});

test.each(["type = 'audio/wbv'", "modified_ms = modified_ms + 4096"])(
  "a recording with another %s is in no answer, nor one without a digest",
  async (set) => {
    const directory = await createFull();
    change(directory, `UPDATE recording SET ${set} WHERE call = ${OF_B}`);
    {
      await using store = await openStore({ directory });
      const recordings = store.calls.recordings({ callId: "b" }, "everything");
      await expect(recordings).rejects.toMatchObject(damaged("the row of the recording"));
      expect(await store.calls.recordings({ callId: "a" }, "everything")).toHaveLength(1);
    }
    change(directory, "UPDATE recording SET digest = NULL");
    await using store = await openStore({ directory });
    const recordings = store.calls.recordings({ callId: "b" }, "everything");
    await expect(recordings).rejects.toMatchObject(damaged("the row of the recording"));
  },
);

test("a type that comes later gives no damaged recording a digest that calls it well", async () => {
  const directory = await createFull();
  await using store = await openStore({ directory });
  const read = async () => {
    await setImmediate(); // what was written since is read
    return await store.calls.recordings({ callId: "b" }, "everything");
  };
  const [known] = await read();
  if (known === undefined) throw new Error("the call has a recording");
  const { owner: _owner, ...recording } = known;
  expect(recording.media.type).toBe("application/octet-stream");
  const typed = { ...recording, media: { ...recording.media, type: "audio/basic" } };
  const again = call({ call_id: "b", ref_id: "r-b", datetime: AT }, { recordings: [typed] });
  change(directory, `UPDATE recording SET modified_ms = 7 WHERE call = ${OF_B}`);
  expect(await fill(store, [again])).toEqual(["unchanged"]);
  await expect(read()).rejects.toMatchObject(damaged("the row of the recording"));
  const { modifiedMs } = recording.media;
  change(directory, `UPDATE recording SET modified_ms = ${modifiedMs} WHERE call = ${OF_B}`);
  expect(await fill(store, [again])).toEqual(["unchanged"]);
  const [now] = await read();
  expect(now?.media.type).toBe("audio/basic");
});

test("who may see it is told, whatever it says now; for who may not it does not exist", async () => {
  const directory = await createFull();
  const find = (store: CallStore, agent: string) => {
    const visibility: Visibility = [{ field: "agent", allowed: [agent] }];
    return store.calls.byCallId("mine", visibility);
  };
  await using store = await openStore({ directory });
  await fill(store, [call({ call_id: "mine", agent: "ann", datetime: AT })]);
  change(directory, "UPDATE call SET record = replace(record, '\"ann\"', '\"bob\"')");
  await expect(find(store, "ann")).rejects.toMatchObject(damaged("call_id mine"));
  expect(await find(store, "bob")).toEqual([]);
});

test("a page is never shorter than what the index has found", async () => {
  const directory = await createFull();
  change(directory, `DELETE FROM call WHERE id = ${OF_B}`);
  await using store = await openStore({ directory });
  const page = store.calls.search(query({}));
  await expect(page).rejects.toMatchObject({ reason: "damaged" });
  expect(await store.calls.search(ofCall("a"))).toMatchObject({ recordCount: 1 });
});

test("a phrase is looked for in all calls that may have it, or not at all", async () => {
  const directory = await createFull();
  await using store = await openStore({ directory });
  await fill(store, [call({ call_id: "p", notes: "call me back", datetime: AT })]);
  const find = (words: string) => store.calls.search(query({ words: parseQuery(words) }));
  expect(await find('"me back"')).toMatchObject({ recordCount: 1 });
  change(directory, "DELETE FROM call WHERE call_id = 'p'");
  for (const words of ['"me back"', "me bac*", "back"])
    await expect(find(words), words).rejects.toMatchObject(damaged("the search index"));
});

test("a row of the index that leads to a call of others shows them nothing", async () => {
  const directory = await createFull();
  await using store = await openStore({ directory });
  const mine = ["ann", "bob"].map((agent) =>
    call({ call_id: agent, agent, notes: agent, datetime: AT }),
  );
  await fill(store, mine);
  const of = (name: string) => `(SELECT id FROM call WHERE call_id = '${name}')`;
  const visibility: Visibility = [{ field: "agent", allowed: ["ann"] }];
  const find = (words?: string) =>
    store.calls.search(query({ visibility, ...(words && { words: parseQuery(words) }) }));
  expect(await find()).toMatchObject({ records: [{ call_id: "ann" }] });
  change(
    directory,
    `CREATE TEMP TABLE two AS SELECT ${of("ann")} AS ann, ${of("bob")} AS bob;
     UPDATE call SET id = 1 WHERE call_id = 'ann';
     UPDATE call SET id = (SELECT ann FROM two) WHERE call_id = 'bob';
     UPDATE call SET id = (SELECT bob FROM two) WHERE call_id = 'ann'`,
  );
  for (const words of [undefined, "ann"])
    await expect(find(words)).rejects.toMatchObject(damaged("the search index"));
});

test("an index that leads to another call shows nobody that call", async () => {
  const directory = await createFull();
  const path = join(directory, "archive.db");
  const file = await readFile(path);
  const found: string[] = [];
  for (let at = file.indexOf("r-c"); at !== -1; at = file.indexOf("r-c", at + 1)) {
    const flipped = Buffer.from(file);
    flipped.write("r-s", at);
    await writeFile(path, flipped);
    await using store = await openStore({ directory });
    const calls = store.calls.byReference("r-s", "everything");
    found.push(await calls.then(String, (error: unknown) => String(error)));
  }
  expect(found).toContain("StoreFault: an index of archive.db is not what was imported");
  expect(new Set(found)).not.toContain("[object Object]");
});

test.each([
  ["UPDATE chat SET record = replace(record, 'Bye', 'Buy')", "a"],
  ["UPDATE chat SET instant_ms = instant_ms + 1 WHERE record LIKE '%Bye%'", "a"],
  ["UPDATE chat SET call_id = 'b' WHERE record LIKE '%Bye%'", "b"],
])("%s: the chat with that message fails", async (sql, callId) => {
  const directory = await createFull();
  change(directory, sql);
  await using store = await openStore({ directory });
  const chat = store.calls.chat(callId, "everything");
  await expect(chat).rejects.toMatchObject(damaged(`a chat message of call_id ${callId}`));
  expect(await store.calls.chat("of nobody", "everything")).toHaveLength(1);
  // The call itself is well, and a leg that comes later is imported.
  expect(await store.calls.byCallId("a", "everything")).toHaveLength(1);
  const leg = call({ call_id: callId, datetime: "2025-05-01T11:00:00Z", notes: "later" });
  expect(await fill(store, [leg])).toEqual(["imported"]);
});

test("a user whose status the disk has changed is missing from no list, and fails in no other", async () => {
  const directory = await createFull();
  {
    await using store = await openStore({ directory });
    await fill(store, [{ kind: "user", record: toUser(2) }]);
  }
  change(directory, "UPDATE user SET status = 7 WHERE id = 1");
  await using store = await openStore({ directory });
  for (const status of [undefined, 1, 7])
    await expect(store.users.list(status)).rejects.toMatchObject(damaged("user 1"));
  expect(await store.users.list(0)).toEqual([]);
  const named: string[] = [];
  const rest = await store.users.list(undefined, (name) => named.push(name));
  expect([rest.map(({ id }) => id), named]).toEqual([[2], ["user 1"]]);
});

test("a user whose record cannot be read fails the lists of its status alone", async () => {
  const directory = await createFull();
  {
    await using store = await openStore({ directory });
    await fill(store, [{ kind: "user", record: toUser(2, { status: 0 }) }]);
  }
  change(directory, "UPDATE user SET record = '{' WHERE id = 2");
  await using store = await openStore({ directory });
  expect(await store.users.list(1)).toMatchObject([{ id: 1 }]);
  for (const status of [undefined, 0])
    await expect(store.users.list(status)).rejects.toMatchObject(damaged("user 2"));
});

test("a user whose rights the disk has changed is nobody's, and no list shows it", async () => {
  const directory = await createFull();
  change(directory, "UPDATE user SET record = replace(record, 'false', 'true')");
  change(directory, "UPDATE flag SET record = replace(record, 'vip', 'vap')");
  await using store = await openStore({ directory });
  const { users } = store;
  for (const ask of [() => users.byId(1), () => users.byName("user1"), () => users.list(1)])
    await expect(ask()).rejects.toMatchObject(damaged("user 1"));
  for (const ask of [() => users.publicFlags(), () => users.publicFlags(["vip"])])
    await expect(ask()).rejects.toMatchObject(damaged("flag 7"));
  expect(await users.privateFlags(1)).toEqual([]);
});
