import { expect, test } from "vitest";
import { type CallStore, migrateArchive, readSettings } from "../index.ts";
import { readAll, toEntry } from "./access-log.ts";
import { addRecording, call, fill, flag, message, toUser } from "./records.ts";
import type { CreateStore } from "./stores.ts";

const AT = "2025-05-01T10:00:00";
const ZONE = "America/New_York";

/** An archive with an example of everything. */
const POLICY = JSON.stringify({ retention: 1, otherwise: { keep: "900 years" }, rules: [] });

async function createFull(create: CreateStore): Promise<CallStore> {
  const store = await create(ZONE);
  const recording = await addRecording(store, { filename: "a.wav", content: "sound" });
  const late = await addRecording(store, { filename: "b.wav", content: "another" });
  await fill(store, [
    { kind: "user", record: toUser(1, { allow_all_agents: false, allowed_agents: ["ann"] }) },
    { kind: "user", record: toUser(2, { status: 0 }) },
    { kind: "flag", record: flag(1, "Private", "mine"), userId: 1 },
    call({ call_id: "gone", datetime: AT }),
    call({ call_id: "A", datetime: AT, agent: "ann" }, { recordings: [recording], revisedMs: 7 }),
    call({ call_id: "B", datetime: AT }, { identity: ["7", null], masterId: "M" }),
    call({ call_id: "C", datetime: "2025-06-01T01:00:00Z" }, { recordings: [recording, late] }),
    call({ call_id: "C", datetime: "2025-04-01T10:00:00Z" }, { sessionId: "S" }),
    call({ agent: "nobody" }),
    { kind: "chat", record: message("C", "Yes.", AT) },
    { kind: "chat", record: message("C", "Yes.", AT) },
    { kind: "chat", record: message("nobody's", "No.", AT) },
  ]);
  await store.maintenance.erase({ callId: "gone" }, { operator: "olive" });
  const act = { operation: "app create", operator: "olive", asked: {} } as const;
  const app = { secretID: "app", keyHash: "hash of app", userId: 1, createdMs: 1 };
  await store.credentials.addApplication(app, act);
  for (const id of ["token", "revoked"])
    await store.credentials.addBearer({
      id,
      kind: "token",
      hash: `hash of ${id}`,
      userId: 1,
      secretID: "app",
      createdMs: 1,
      expiresMs: 8e12,
    });
  await store.credentials.addBearer({ id: "z", kind: "key", hash: "z", userId: 2, createdMs: 1 });
  const ofKey = { id: "a", kind: "session", hash: "a", keyId: "z" } as const;
  await store.credentials.addBearer({ ...ofKey, userId: 2, createdMs: 1, expiresMs: 8e12 });
  await store.credentials.revoke({ tokenHash: "hash of revoked" });
  await store.accessLog.append(toEntry({ asked: { call_id: "Ä\u0000" } }), true);
  const by = { operation: "hold add", operator: "olive" } as const;
  const holds = { callIds: ["B", "Ä\u0000", "Z"] };
  await store.maintenance.holds.add({ name: "smith", reason: "Ä\u0000", holds }, by);
  await store.maintenance.erase({ callId: "B" }, { operator: "olive" });
  await store.maintenance.internals.write([{ kind: "owed_reference", reference: "Ä\u0000" }]);
  await store.maintenance.internals.write([{ kind: "setting", name: "policy", value: POLICY }]);
  return store;
}

async function listInternals(store: CallStore) {
  const rows = new Set<string>();
  for await (const row of store.maintenance.internals.read())
    if (row.kind !== "setting" || !row.name.startsWith("migrat")) rows.add(JSON.stringify(row));
  return rows;
}

async function listRows(store: CallStore) {
  await using scan = await store.maintenance.scan();
  const rows: { id?: string | undefined; json: string }[] = [];
  for await (const { id, items } of scan.rows())
    rows.push({
      id,
      json: JSON.stringify(items, (key, value) => (key === "version" ? undefined : value)),
    });
  return rows;
}

const act = { operation: "migrate", operator: "olive", asked: {} } as const;
const toJson = async (store: CallStore) => (await listRows(store)).map(({ json }) => json);

export function describeMigrating(create: CreateStore): void {
  test("everything of an archive comes to another place, there and back", async () => {
    const first = await createFull(create);
    const [second, third] = [await create(ZONE), await create(ZONE)];
    const equal = { damages: [], differences: [], calls: 5, mediaFiles: 2 };
    const there = await migrateArchive({ from: first.maintenance, to: second, act });
    expect(there).toMatchObject(equal);
    expect(await toJson(second)).toEqual(await toJson(first));
    expect(await listInternals(second)).toEqual(await listInternals(first));
    expect((await readAll(second)).at(-1)).toMatchObject({ operation: "migrate" });

    const back = await migrateArchive({ from: second.maintenance, to: third });
    expect(back).toEqual(there);
    expect(await toJson(third)).toEqual(await toJson(first));
    expect(await third.accessLog.verify(there.lastHash)).toMatchObject({ fault: undefined });
    const [found] = await third.calls.recordings({ callId: "A" }, "everything");
    expect(found).toBeDefined();
    if (found !== undefined) await (await third.media.open(found.media)).close();
    expect(await third.credentials.bearer("hash of revoked")).toMatchObject({ isRevoked: true });
    expect(await third.credentials.bearer("a")).toMatchObject({ keyId: "z", isRevoked: false });
    expect(await fill(third, [call({ call_id: "gone", datetime: AT })])).toEqual(["erased"]);
    await third.accessLog.append(toEntry(), true);
    expect(await third.accessLog.verify(there.lastHash)).toMatchObject({ fault: undefined });
  });

  test("a migration that was cut off goes on behind the last call that was noted", async () => {
    const first = await createFull(create);
    const second = await create(ZONE);
    const cut = new Error("cut off");
    await expect(
      migrateArchive({ from: { ...first.maintenance, internals: cutOff(first, cut) }, to: second }),
    ).rejects.toBe(cut);
    const changed = call(
      { call_id: "B", datetime: AT, notes: "changed meanwhile" },
      { identity: ["7", null], masterId: "M" },
    );
    expect(await fill(second, [changed])).toEqual(["replaced"]);

    // Its place is before the noted one, so it is compared rather than written again, and the next migration starts again.
    const migrate = () => migrateArchive({ from: first.maintenance, to: second });
    expect(await migrate()).toMatchObject({ differences: [expect.stringContaining("differs")] });
    expect(await migrate()).toMatchObject({ differences: [] });
  });

  test("another archive that is not empty is left as it is", async () => {
    const [first, second] = [await createFull(create), await create(ZONE)];
    await fill(second, [{ kind: "user", record: toUser(9) }]);
    const before = await toJson(second);
    await expect(migrateArchive({ from: first.maintenance, to: second })).rejects.toMatchObject({
      name: "ArchiveError",
      message: expect.stringContaining("is another one, and not empty"),
    });
    expect(await toJson(second)).toEqual(before);
    await expect(
      migrateArchive({ from: first.maintenance, to: await create("UTC") }),
    ).rejects.toMatchObject({ message: expect.stringContaining("has the time zone UTC") });
  });

  test("what the two differ in is named, by its day or in general", async () => {
    const [first, second] = [await createFull(create), await create(ZONE)];
    await migrateArchive({ from: first.maintenance, to: second });
    const more = call({ call_id: "more", datetime: "2025-07-01T10:00:00" });
    await fill(second, [more]);
    const migrate = () => migrateArchive({ from: first.maintenance, to: second });
    expect(await migrate()).toMatchObject({ differences: ["2025-07-01: 0 records became 1"] });
    await fill(first, [more]);
    expect(await migrate()).toMatchObject({ differences: [] });
    await fill(second, [{ kind: "chat", record: message("more", "No.", AT) }]);
    expect(await migrate()).toMatchObject({
      differences: [expect.stringContaining("a chat, a user or a flag differs")],
    });
  });

  test("an access log that went on in both places is not overwritten, and what was erased stays out", async () => {
    const [first, second] = [await createFull(create), await create(ZONE)];
    await migrateArchive({ from: first.maintenance, to: second });
    await second.maintenance.erase({ callId: "A" }, { operator: "olive" });
    await expect(
      migrateArchive({ from: first.maintenance, to: second, act }),
    ).rejects.toMatchObject({ message: expect.stringContaining("neither continues the other") });
    await expect(
      second.maintenance.internals.write([
        { kind: "access", seq: 5, entry: "{}", hash: "0".repeat(64) },
      ]),
    ).rejects.toMatchObject({ message: expect.stringContaining("does not follow from row 4") });
    expect(await readAll(second)).toHaveLength(4);
    expect(await second.calls.byCallId("A", "everything")).toEqual([]);
    expect((await readSettings(second.maintenance)).get("migrating")).toBe("");
  });

  test("a scan goes on behind any call", async () => {
    const store = await createFull(create);
    const all = await listRows(store);
    for (const { id } of all) {
      if (id === undefined) continue;
      await using scan = await store.maintenance.scan({ after: id });
      const ids: (string | undefined)[] = [];
      for await (const row of scan.rows()) ids.push(row.id);
      const place = all.findIndex((row) => row.id === id);
      expect(ids.filter((one) => one !== undefined)).toEqual(
        all.slice(place + 1).flatMap((row) => row.id ?? []),
      );
    }
  });
}

/** Its settings, which are read first, can be read, and nothing after them. */
function cutOff({ maintenance }: CallStore, error: Error): CallStore["maintenance"]["internals"] {
  let reads = 0;
  return {
    ...maintenance.internals,
    async *read(afterSeq) {
      reads += 1;
      if (reads > 1) throw error;
      yield* maintenance.internals.read(afterSeq);
    },
  };
}
