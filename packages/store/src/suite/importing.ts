import { expect, test } from "vitest";
import type { CallItem, CallStore } from "../index.ts";
import { call, fill, fillRows, message, query, toUser } from "./records.ts";
import type { CreateStore } from "./stores.ts";

const DATETIME = "2025-05-01T10:00:00Z";
const CALL = { call_id: "A", datetime: DATETIME, agent: "ann" };

export function describeImporting(create: CreateStore): void {
  test("the same calls again change nothing", async () => {
    const store = await create();
    const recordings = [await addRecording(store, "sound")];
    const items = [
      call(
        { call_id: "A", datetime: DATETIME, agent: "ann" },
        { recordings, sessionId: "S", masterId: "M" },
      ),
      call({ datetime: DATETIME, notes: "no identifier" }),
      call({ call_id: "undated" }),
    ];

    expect(await fill(store, items)).toEqual(["imported", "imported", "imported"]);
    const before = await store.calls.search(query({}));
    expect(await fill(store, items)).toEqual(["unchanged", "unchanged", "unchanged"]);
    expect(await store.calls.search(query({}))).toEqual(before);
    expect(await store.calls.recordings({ callId: "A" }, "everything")).toHaveLength(1);
  });

  test("equal records without a call_id are as many as their numbers say, and migrate as such", async () => {
    const store = await create();
    const numbered = (number?: string) =>
      call({ datetime: DATETIME, ani: "555" }, number === undefined ? {} : { identity: [number] });
    const three = [numbered(), numbered("2"), numbered("3")];
    expect(await fill(store, three)).toEqual(["imported", "imported", "imported"]);
    expect(await fill(store, [numbered("2"), ...three])).toEqual(Array(4).fill("unchanged"));
    expect(await store.calls.search(query({}))).toMatchObject({ recordCount: 3 });

    const again = await create();
    await using scan = await store.maintenance.scan();
    const rows = [];
    for await (const { items } of scan.rows()) rows.push(items);
    expect(await fillRows(again, rows)).toEqual(["imported", "imported", "imported"]);
    const findings = await store.maintenance.check();
    expect(findings.filter(({ level }) => level === "error")).toEqual([]);
  });

  test("what was written is read at once, also by the next read in the same turn", async () => {
    const store = await create();
    await using session = await store.openImport();
    const found = [await store.calls.byCallId("A", "everything")];
    await session.write([[call({ call_id: "A" })]]);
    found.push(await store.calls.byCallId("A", "everything"));

    expect(found).toMatchObject([[], [{ call_id: "A" }]]);
  });

  test("a call that came again with other fields is replaced, in every index", async () => {
    const store = await create();
    const same = { call_id: "A", ref_id: "R", datetime: DATETIME, agent: "ann" };
    await fill(store, [call({ ...same, disposition: "open" }, { sessionId: "old" })]);

    expect(
      await fill(store, [call({ ...same, disposition: "closed" }, { sessionId: "new" })]),
    ).toEqual(["replaced"]);

    const found = async (disposition: string) =>
      (await store.calls.search(query({ filter: { disposition } }))).recordCount;
    expect([await found("open"), await found("closed")]).toEqual([0, 1]);
    expect((await store.calls.search(query({}))).recordCount).toBe(1);
    expect(await store.calls.byCallId("A", "everything")).toEqual([
      call({ ...same, disposition: "closed" }).record,
    ]);
    expect([
      await store.calls.byReference("old", "everything"),
      await store.calls.byReference("new", "everything"),
    ]).toMatchObject([[], [same]]);
    expect(await store.calls.recordings({ callId: "A" }, "everything")).toEqual([]);
  });

  test("a call whose recordings or identifiers alone changed is replaced", async () => {
    const store = await create();
    const first = call({ call_id: "A", datetime: DATETIME }, { masterId: "M" });
    await fill(store, [first]);

    expect(await fill(store, [{ ...first, masterId: "N" }])).toEqual(["replaced"]);
    expect(
      await fill(store, [
        { ...first, masterId: "N", recordings: [await addRecording(store, "one")] },
      ]),
    ).toEqual(["replaced"]);
    expect(
      await fill(store, [
        { ...first, masterId: "N", recordings: [await addRecording(store, "two")] },
      ]),
    ).toEqual(["replaced"]);
    expect(await store.calls.recordings({ reference: "N" }, "everything")).toHaveLength(1);
    expect(await store.calls.byReference("M", "everything")).toEqual([]);
  });

  test("what comes at a moment comes last there, also where an earlier one has gone (D09)", async () => {
    const store = await create();
    const at = (call_id: string, datetime: string) =>
      call({ call_id, datetime }, { identity: [call_id] });
    await fill(store, [at("A", DATETIME), at("B", DATETIME)]);
    await fill(store, [at("A", "2025-05-02T10:00:00Z"), at("C", DATETIME)]);
    await fill(store, [at("D", DATETIME)]);
    const { records } = await store.calls.search(query({}));
    expect(records.map(({ call_id }) => call_id)).toEqual(["A", "B", "C", "D"]);
  });

  test("users change their names with each other, and a name that has become free is given", async () => {
    const store = await create();
    const user = (id: number, username: string) =>
      ({ kind: "user", record: toUser(id, { username }) }) as const;
    await fill(store, [user(1, "ann"), user(2, "bob")]);
    const changes = [user(2, "x"), user(1, "bob"), user(2, "ann"), user(3, "x")];
    expect(await fill(store, changes)).toEqual(["replaced", "replaced", "replaced", "imported"]);
    const users = await store.users.list();
    expect(users.map(({ username }) => username)).toEqual(["bob", "ann", "x"]);
    expect((await store.users.byName("ann"))?.id).toBe(2);
  });

  test("the legs of a transfer share a call_id and stay apart", async () => {
    const store = await create();
    const later = "2025-05-01T10:05:00Z";
    const legs = [
      call({ call_id: "A", datetime: DATETIME, agent: "ann" }),
      call({ call_id: "A", datetime: later, agent: "ann" }),
      call({ call_id: "A", agent: "ann" }),
      call({ call_id: "A", datetime: DATETIME, agent: "bob" }, { identity: [DATETIME, "2"] }),
    ];

    await fill(store, legs);

    expect(await fill(store, legs.toReversed())).toEqual(legs.map(() => "unchanged"));
    expect(await store.calls.byCallId("A", "everything")).toHaveLength(4);
  });

  test.each<[what: string, first: CallItem, again: CallItem]>([
    ["agent", call({ ...CALL, agent: null }), call({ ...CALL, agent: "ann.smith" })],
    ["reference", call({ ...CALL, ref_id: "R" }), call({ ...CALL, ref_id: "S" })],
    ["form of its datetime", call(CALL), call({ ...CALL, datetime: "2025-05-01T10:00:00.000Z" })],
    ["offset", call(CALL), call({ ...CALL, datetime: "2025-05-01 12:00:00+02:00" })],
    [
      "form of a declared datetime",
      call(CALL, { identity: ["1", DATETIME] }),
      call({ ...CALL, datetime: null }, { identity: ["1", "2025-05-01 11:00:00+01"] }),
    ],
  ])("a record is the same under another %s", async (_what, first, again) => {
    const store = await create();
    expect(await fill(store, [first, again])).toEqual(["imported", "replaced"]);
    expect(await fill(store, [again])).toEqual(["unchanged"]);
    expect(await store.calls.byCallId("A", "everything")).toEqual([again.record]);
  });

  test("what was imported without an identity is the same when its source declares one", async () => {
    const store = await create();
    await fill(store, [call(CALL)]);
    expect(await fill(store, [call(CALL, { identity: ["1"] })])).toEqual(["unchanged"]);
  });

  test("a record of the same identity is replaced, in one run as in several", async () => {
    const store = await create();
    const row = (talk_time: number) =>
      call({ call_id: "A", datetime: DATETIME, agent: "ann", talk_time });

    expect(await fill(store, [row(1), row(2), row(2)])).toEqual([
      "imported",
      "replaced",
      "unchanged",
    ]);
    expect(await fill(store, [row(3)])).toEqual(["replaced"]);
    expect(await store.calls.byCallId("A", "everything")).toMatchObject([{ talk_time: 3 }]);
    expect((await store.calls.search(query({}))).recordCount).toBe(1);
  });

  test("an identity that is declared decides, whatever else differs", async () => {
    const store = await create();
    const leg = (sequence: string, datetime: string, agent: string) =>
      call({ call_id: "A", datetime, agent }, { identity: [sequence, null] });
    const [first, second] = [leg("1", DATETIME, "ann"), leg("2", DATETIME, "ann")];

    expect(await fill(store, [first, second])).toEqual(["imported", "imported"]);
    expect(await fill(store, [second, first])).toEqual(["unchanged", "unchanged"]);
    expect(await fill(store, [leg("1", "2025-05-01T10:00:01Z", "bob")])).toEqual(["replaced"]);
    expect(await store.calls.byCallId("A", "everything")).toMatchObject([
      { agent: "bob" },
      { agent: "ann" },
    ]);
  });

  test("what would leave a recording without a call is refused, and changes nothing", async () => {
    const store = await create();
    const same = { call_id: "A", datetime: DATETIME, agent: "ann" };
    const recordings = [await addRecording(store, "sound")];
    await fill(store, [call(same, { recordings })]);
    const refused = {
      rejected: expect.stringMatching(
        /would take the place of .* call A and leave its recording a\.wav/,
      ),
    };

    for (const bad of [
      call({ ...same, disposition: "closed" }),
      call(same, { recordings: [{ ...(await addRecording(store, "other")), filename: "b.wav" }] }),
      // Another leg of the same instant, whose file has the same name.
      call({ ...same, agent: "bob" }, { recordings: [await addRecording(store, "other")] }),
    ])
      for (const row of [[bad], [bad, call({ call_id: "B" })]])
        expect(await fillRows(store, [row])).toEqual([refused]);
    expect(await store.calls.recordings({ callId: "A" }, "everything")).toMatchObject(recordings);
    expect((await store.calls.search(query({}))).recordCount).toBe(1);
    const renamed = call({ ...same, agent: "anna" }, { recordings });
    expect(await fill(store, [renamed])).toEqual(["replaced"]);
    const again = { ...(await addRecording(store, "in another form")), filename: "a.mp3" };
    const inOtherForm = call({ ...same, agent: "anna" }, { recordings: [again] });
    expect(await fill(store, [inOtherForm])).toEqual(["replaced"]);
  });

  test("a chat says the same twice when it was said twice, and not more often after a second import", async () => {
    const store = await create();
    const yes = { kind: "chat", record: message("A", "Yes.", DATETIME) } as const;

    expect(await fill(store, [yes, yes])).toEqual(["imported", "imported"]);
    expect(await fill(store, [yes, yes])).toEqual(["unchanged", "unchanged"]);
    expect(await fill(store, [yes, yes, yes])).toEqual(["unchanged", "unchanged", "imported"]);
    expect(await store.calls.chat("A", "everything")).toHaveLength(3);
  });

  test("a row is written whole or not at all, and the rows around it are", async () => {
    const store = await create();
    await fill(store, [{ kind: "user", record: toUser(1) }]);
    const taken = { kind: "user", record: toUser(2, { username: "user1" }) } as const;
    const whole = [
      call({ call_id: "A", datetime: DATETIME }),
      { kind: "chat", record: message("A", "Hello", DATETIME) },
    ] as const;
    const broken = [
      call({ call_id: "B", datetime: DATETIME }),
      { kind: "chat", record: message("B", "Hello", DATETIME) },
      taken,
    ] as const;

    expect(
      await fillRows(store, [whole, broken, [call({ call_id: "C", datetime: DATETIME })]]),
    ).toEqual(["imported", { rejected: 'username: "user1" is the user 1 already' }, "imported"]);

    const { records, recordCount } = await store.calls.search(query({}));
    expect(records.map(({ call_id }) => call_id)).toEqual(["A", "C"]);
    expect(recordCount).toBe(2);
    expect((await store.calls.search(query({ filter: { call_id: "B" } }))).recordCount).toBe(0);
    expect(await store.calls.chat("B", "everything")).toEqual([]);
    expect(await store.calls.byCallId("B", "everything")).toEqual([]);
  });

  test("a row of which a part is new is imported, of which nothing is, unchanged", async () => {
    const store = await create();
    const one = call({ call_id: "A", datetime: DATETIME });
    const chat = { kind: "chat", record: message("A", "Hello", DATETIME) } as const;

    expect(await fillRows(store, [[one, chat]])).toEqual(["imported"]);
    expect(await fillRows(store, [[one, chat]])).toEqual(["unchanged"]);
    expect(await fillRows(store, [[one, chat, chat]])).toEqual(["imported"]);
    expect(await fillRows(store, [[]])).toEqual(["unchanged"]);
  });

  test("the archive keeps count of the rows that were read for it", async () => {
    const store = await create();
    expect(await store.importedRows()).toEqual({
      imported: 0,
      replaced: 0,
      unchanged: 0,
      erased: 0,
      rejected: 0,
    });
    const rows = [[call({ call_id: "A" })], [call({ call_id: "B", datetime: "yesterday" })]];
    await using session = await store.openImport();
    await session.write(rows);
    await session.write(rows, 3);
    expect(await store.importedRows()).toEqual({
      imported: 1,
      replaced: 0,
      unchanged: 1,
      erased: 0,
      rejected: 5,
    });
  });

  test("a datetime that is none is refused with its reason", async () => {
    const store = await create();

    expect(
      await fill(store, [
        call({ call_id: "A", datetime: "yesterday" }),
        call({ call_id: "B", datetime: "2025-02-30" }),
      ]),
    ).toEqual([
      { rejected: 'datetime: "yesterday" is not an ISO 8601 date and time' },
      { rejected: 'datetime: "2025-02-30" is not a time that any calendar has' },
    ]);
    expect(await store.calls.byCallId("A", "everything")).toEqual([]);
  });
}

async function addRecording(store: CallStore, content: string) {
  const media = await store.media.put({
    name: "a.wav",
    content: new TextEncoder().encode(content),
  });
  return { filename: "a.wav", media };
}
