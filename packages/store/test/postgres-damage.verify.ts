// Answers of an archive in PostgreSQL of which somebody, or a disk, has changed a row: what holds it fails as damaged and names it,
// everything else is answered.
import { parseQuery } from "@call-media/words";
import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import type { CallStore, Visibility } from "../src/index.ts";
import { createStore } from "../src/open.ts";
import { addRecording, call, fill, flag, message, query, toUser } from "../src/suite/records.ts";
import { usePostgres } from "./support/postgres.ts";

const { createPlaces } = usePostgres();

const AT = "2025-05-01T10:00:00Z";

async function openFull() {
  const places = await createPlaces();
  const sql = postgres(places.records, { max: 1, onnotice: () => {} });
  const store = await createStore(places);
  onTestFinished(async () => {
    await store[Symbol.asyncDispose]();
    await sql.end();
  });
  const recordings = [await addRecording(store, { filename: "b.ulaw", content: "b" })];
  await fill(store, [
    call({ call_id: "a", ref_id: "r-a", agent: "ann", datetime: AT }),
    call({ call_id: "b", ref_id: "r-b", agent: "bob", datetime: AT }, { recordings }),
    { kind: "chat", record: message("a", "Hello", AT) },
    { kind: "chat", record: message("b", "Bye", AT) },
  ]);
  return { sql, store };
}

const damaged = (name: string) => ({
  name: "StoreFault",
  reason: "damaged",
  message: expect.stringContaining(name),
});

const as = (agent: string): Visibility => [{ field: "agent", allowed: [agent] }];

const ofCall = (call_id: string) => query({ filter: { call_id } });

const lookUpB = ({ calls }: CallStore) => [
  () => calls.byCallId("b", "everything"),
  () => calls.byReference("r-b", "everything"),
  () => calls.recordings({ callId: "b" }, "everything"),
];

test("a call that was changed is in no answer, whatever was changed of it", async () => {
  const { sql, store } = await openFull();
  const { calls } = store;
  for (const [change, back] of [
    [
      `UPDATE call SET record = replace(record, '"bob"', '"eve"')`,
      `UPDATE call SET record = replace(record, '"eve"', '"bob"')`,
    ],
    [`UPDATE recording SET filename = '"c.ulaw"'`, `UPDATE recording SET filename = '"b.ulaw"'`],
    [`UPDATE recording SET start_ms = 7`, `UPDATE recording SET start_ms = NULL`],
    [
      `UPDATE call SET linked = '["s",null]' WHERE record LIKE '%"b"%'`,
      `UPDATE call SET linked = NULL`,
    ],
  ] as const) {
    await sql.unsafe(change);
    const searches = [() => calls.search(query({})), () => calls.search(ofCall("b"))];
    for (const ask of [...lookUpB(store), ...searches])
      await expect(ask(), change).rejects.toMatchObject(damaged("call_id b is not what was"));
    expect(await calls.byCallId("a", "everything")).toHaveLength(1);
    expect(await calls.search(ofCall("a"))).toMatchObject({ recordCount: 1 });
    await sql.unsafe(back);
    for (const ask of lookUpB(store)) expect(await ask(), back).toHaveLength(1);
  }
});

test("how a database writes bytes damages nothing", async () => {
  const places = await createPlaces();
  const sql = postgres(places.records, { max: 1, onnotice: () => {} });
  onTestFinished(() => sql.end());
  const gone = call({ call_id: "gone", datetime: AT });
  {
    await using store = await createStore(places);
    const recordings = [await addRecording(store, { filename: "b.ulaw", content: "b" })];
    await fill(store, [gone, call({ call_id: "b", datetime: AT }, { recordings })]);
    await store.maintenance.erase({ callId: "gone" }, { operator: "olive" });
  }
  const [{ name } = {}] = await sql`SELECT quote_ident(current_database()) AS name`;
  await sql.unsafe(`ALTER DATABASE ${name} SET bytea_output = 'escape'`);
  await using store = await createStore(places);
  expect(await store.calls.recordings({ callId: "b" }, "everything")).toHaveLength(1);
  expect(await fill(store, [gone])).toEqual(["erased"]);
  expect((await store.maintenance.check()).filter(({ level }) => level === "error")).toEqual([]);
});

test("the type and the time of a recording are what was imported, or are not answered", async () => {
  const { sql, store } = await openFull();
  for (const set of ["type = 'audio/wbv'", "modified_ms = modified_ms + 4096"]) {
    await sql.unsafe(`UPDATE recording SET ${set}`);
    const recordings = store.calls.recordings({ callId: "b" }, "everything");
    await expect(recordings).rejects.toMatchObject({ reason: "damaged" });
  }
  await sql`UPDATE recording SET digest = NULL`;
  const recordings = store.calls.recordings({ callId: "b" }, "everything");
  await expect(recordings).rejects.toMatchObject({ reason: "damaged" });
});

test("who might see it is told, for others it does not exist", async () => {
  const { sql, store } = await openFull();
  await sql`UPDATE call SET record = replace(record, '"bob"', '"ann"')`;
  await expect(store.calls.byCallId("b", as("bob"))).rejects.toMatchObject(damaged("call_id b"));
  expect(await store.calls.byCallId("b", as("ann"))).toEqual([]);
});

test("an index that says that others may see a call shows it to nobody", async () => {
  const { sql, store } = await openFull();
  const asAnn = (words: string) =>
    store.calls.search(
      query({ visibility: as("ann"), ...(words !== "" && { words: parseQuery(words) }) }),
    );
  expect(await asAnn("bye")).toMatchObject({ recordCount: 0 });
  await sql`UPDATE call_words AS one SET seen = other.seen FROM call_words AS other WHERE one.id <> other.id`;
  await expect(asAnn("bye")).rejects.toMatchObject(damaged("the search index"));
  await sql`UPDATE call_key AS one SET terms = other.terms FROM call_key AS other WHERE one.id <> other.id`;
  await expect(asAnn("")).rejects.toMatchObject(damaged("the search index"));
});

test("of a call whose row is gone those are told who saw it, also of one without a datetime", async () => {
  const { sql, store } = await openFull();
  await fill(store, [call({ call_id: "u", agent: "bob" })]);
  for (const change of [
    `UPDATE call SET record = replace(record, '"bob"', '"eve"')`,
    "DELETE FROM call",
  ]) {
    await sql.unsafe(change);
    for (const callId of ["b", "u"]) {
      for (const may of [as("bob"), "everything"] as const)
        await expect(store.calls.byCallId(callId, may), change).rejects.toMatchObject(damaged(""));
      for (const agent of ["ann", "eve"])
        expect(await store.calls.byCallId(callId, as(agent)), change).toEqual([]);
    }
  }
});

test("a phrase is looked for in all calls that may have it, or not at all", async () => {
  const { sql, store } = await openFull();
  await fill(store, [call({ call_id: "p", notes: "call me back", datetime: AT })]);
  const find = (words: string) => store.calls.search(query({ words: parseQuery(words) }));
  expect(await find('"me back"')).toMatchObject({ recordCount: 1 });
  await sql`DELETE FROM call WHERE record LIKE '%me back%'`;
  for (const words of ['"me back"', "me bac*", "back"])
    await expect(find(words), words).rejects.toMatchObject(damaged("the search index"));
});

test("a name that leads to another call, or to none, shows nobody that call", async () => {
  const { sql, store } = await openFull();
  await sql`UPDATE call_name AS one SET id = other.id FROM call_name AS other
    WHERE one.kind = 'c' AND other.kind = 'c' AND one.id <> other.id`;
  const found = store.calls.byCallId("b", "everything");
  await expect(found).rejects.toMatchObject(damaged("table call_name"));
  await sql`DELETE FROM call`;
  await expect(store.calls.search(query({}))).rejects.toMatchObject(damaged("the search index"));
});

test("a message that was changed, or given to another call, is in no chat", async () => {
  const { sql, store } = await openFull();
  const of = (callId: string) => store.calls.chat(callId, "everything");
  await sql`UPDATE chat SET record = replace(record, 'Bye', 'Buy')`;
  await expect(of("b")).rejects.toMatchObject(damaged("a chat message of call_id b"));
  expect(await of("a")).toHaveLength(1);
  await sql`UPDATE chat SET call_name = (SELECT call_name FROM chat WHERE record LIKE '%Hello%')`;
  await expect(of("a")).rejects.toMatchObject(damaged("a chat message of call_id b"));
  // A leg that comes later is imported all the same.
  const leg = call({ call_id: "a", datetime: "2025-05-01T11:00:00Z" });
  expect(await fill(store, [leg])).toEqual(["imported"]);
});

test("users and flags that were changed are in no answer and no copy, and are mended by an import", async () => {
  const { sql, store } = await openFull();
  const items = [
    { kind: "user", record: toUser(1) },
    { kind: "flag", record: flag(7, "Public", "vip") },
  ] as const;
  await fill(store, items);
  expect(await store.users.byId(1)).toEqual(toUser(1));
  await sql`UPDATE "user" SET record = replace(record, 'false', 'true')`;
  await sql`UPDATE flag SET record = replace(record, 'vip', 'vap')`;
  const { users } = store;
  for (const ask of [() => users.byId(1), () => users.byName("user1"), () => users.list(1)])
    await expect(ask()).rejects.toMatchObject(damaged("user 1"));
  expect(await users.list(0)).toEqual([]);
  expect(await users.list(1, () => {})).toEqual([]);
  await expect(users.publicFlags(["vip"])).rejects.toMatchObject(damaged("flag 7"));
  expect(await users.publicFlags(["vap"])).toEqual([]);
  await using scan = await store.maintenance.scan();
  const named: string[] = [];
  for await (const { damaged: names = [] } of scan.rows()) named.push(...names);
  expect(named).toEqual(["user 1", "flag 7"]);
  await scan[Symbol.asyncDispose]();
  expect(await fill(store, items)).toEqual(["replaced", "replaced"]);
  expect(await users.list(1)).toHaveLength(1);
  expect(await users.publicFlags()).toHaveLength(1);
});

test("lists of credentials go on without what was changed, and name it", async () => {
  const { sql, store } = await openFull();
  await fill(store, [{ kind: "user", record: toUser(1) }]);
  const of = { userId: 1, createdMs: 1 };
  for (const id of ["good", "bad"])
    await store.credentials.addBearer({ ...of, id, hash: `h-${id}`, kind: "key" });
  await store.credentials.addApplication({ ...of, secretID: "app", keyHash: "h" });
  await sql`UPDATE bearer SET expires_ms = 9e12 WHERE id = 'bad'`;
  await expect(store.credentials.keys()).rejects.toMatchObject(damaged("the API key bad"));
  const named: string[] = [];
  const onDamaged = (name: string) => named.push(name);
  expect(await store.credentials.keys(1, onDamaged)).toMatchObject([{ id: "good" }]);
  await sql`UPDATE "user" SET status = 7`;
  const [app] = await store.credentials.applications(undefined, onDamaged);
  expect([app?.secretID, app?.user]).toEqual(["app", undefined]);
  expect(named).toEqual(["the API key bad", "the API key bad", "user 1"]);
});

test("a user without a digest is in no answer", async () => {
  const { sql, store } = await openFull();
  await fill(store, [{ kind: "user", record: toUser(1) }]);
  await sql`UPDATE "user" SET digest = NULL`;
  await expect(store.users.list(1)).rejects.toMatchObject(damaged("user 1"));
});

test("reading back names what was changed, and servers share its steps", async () => {
  const { sql, store } = await openFull();
  await fill(store, [{ kind: "user", record: toUser(1) }]);
  await sql`UPDATE call SET record = replace(record, '"bob"', '"eve"')`;
  await sql`UPDATE chat SET record = replace(record, 'Bye', 'Buy')`;
  await sql`UPDATE media SET sha256 = decode(repeat('00', 32), 'hex')`;
  const found: string[] = [];
  for (let step = 0; step < 5; step += 1) {
    const [one, other] = await Promise.all([store.readBack?.step(), store.readBack?.step()]);
    found.push(...(one?.damaged ?? []), ...(other?.damaged ?? []));
    await sql`UPDATE read_back SET state = jsonb_set(state::jsonb, '{nextMs}', '0')::text, digest = NULL`;
  }
  expect(found.filter((name) => !name.includes("recording"))).toEqual([
    "call_id b",
    "a chat message of call_id b",
  ]);
  expect(found).toHaveLength(3);
  expect(await store.readBack?.status()).toMatchObject({ damaged: 3 });
});

test("a call whose present record is damaged is held by its earlier state, or refused by its name", async () => {
  const places = await createPlaces();
  await using store = await createStore(places);
  const toLeg = (campaign: string) =>
    call({ call_id: "held", datetime: "2025-05-01T10:00:00Z", campaign }, { identity: ["1"] });
  await fill(store, [toLeg("before")]);
  await fill(store, [toLeg("after")]);
  const sql = postgres(places.records, { max: 1, onnotice: () => {} });
  onTestFinished(() => sql.end());
  const { holds } = store.maintenance;
  const by = { operation: "hold add", operator: "olive" } as const;
  const add = (name: string) =>
    holds.add({ name, reason: "r", holds: { where: { campaign: ["before"] } } }, by);
  await sql`UPDATE call SET record = replace(record, '"after"', '"other"')`;
  expect(await add("proven")).toMatchObject({ calls: 1 });
  await holds.release("proven");
  // Its call_id is what was changed.
  await sql`UPDATE call SET record = replace(record, '"held"', '"else"')`;
  await expect(add("unproven")).rejects.toThrow("call_id else is not what was imported");
  expect(await holds.list()).toEqual([]);
});
