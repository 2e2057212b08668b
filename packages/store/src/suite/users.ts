import { expect, test } from "vitest";
import type { ArchiveItem, UserRecord } from "../index.ts";
import { fill, flag, toUser } from "./records.ts";
import type { CreateStore } from "./stores.ts";

export function describeUsers(create: CreateStore): void {
  test("users are listed by id, all of them or those of a status", async () => {
    const store = await create();
    const users = [toUser(30, { status: 0 }), toUser(4), toUser(100, { status: 2 }), toUser(7)];
    await fill(
      store,
      users.map((record) => ({ kind: "user", record })),
    );
    const ids = async (status?: number) => (await store.users.list(status)).map(({ id }) => id);

    expect(await ids()).toEqual([4, 7, 30, 100]);
    expect(await ids(1)).toEqual([4, 7]);
    expect(await ids(0)).toEqual([30]);
    expect(await ids(2)).toEqual([100]);
    expect(await ids(3)).toEqual([]);
  });

  test("a user comes back whole, by id and by name", async () => {
    const store = await create();
    const record = toUser(4, {
      username: "Ann",
      title: null,
      search_rights: { any: ["JSON", 1] },
      allowed_secure01: ["x"],
    });
    await fill(store, [{ kind: "user", record }]);

    expect(await store.users.byId(4)).toEqual(record);
    expect(await store.users.byName("Ann")).toEqual(record);
    expect(await store.users.byId(5)).toBeUndefined();
    expect(await store.users.byName("ann")).toBeUndefined();
  });

  test("a user imported again is replaced, and a username belongs to one user", async () => {
    const store = await create();
    const user = (id: number, username: string, status = 1): ArchiveItem => ({
      kind: "user",
      record: toUser(id, { username, status }),
    });

    expect(await fill(store, [user(1, "ann"), user(2, "bob"), user(1, "ann")])).toEqual([
      "imported",
      "imported",
      "unchanged",
    ]);
    expect(await fill(store, [user(1, "ann", 0)])).toEqual(["replaced"]);
    expect(await fill(store, [user(2, "ann"), user(1, "anna"), user(2, "ann")])).toEqual([
      { rejected: 'username: "ann" is the user 1 already' },
      "replaced",
      "replaced",
    ]);
    expect((await store.users.list()).map(({ id, username }) => [id, username])).toEqual([
      [1, "anna"],
      [2, "ann"],
    ]);
    expect((await store.users.byId(1))?.status).toBe(1);
  });

  test("a user is refused where the archive has another than was there before", async () => {
    const store = await create();
    const [ann, bob] = [toUser(1, { username: "ann" }), toUser(1, { username: "bob" })];
    const put = (record: UserRecord, before?: UserRecord | null) =>
      fill(store, [{ kind: "user", record, before }]);
    const meanwhile = { rejected: "id: somebody else has added or changed the user 1 meanwhile" };

    expect(await put(ann, bob)).toEqual([meanwhile]);
    expect(await put(ann, null)).toEqual(["imported"]);
    expect(await put(bob, null)).toEqual([meanwhile]);
    expect(await put(bob, { ...ann, city: "x" })).toEqual([meanwhile]);
    expect(await store.users.list()).toEqual([ann]);
    expect(await put(bob, await store.users.byId(1))).toEqual(["replaced"]);
    expect(await put(ann)).toEqual(["replaced"]);
  });

  test("public flags are everybody's, private ones of one user", async () => {
    const store = await create();
    await fill(store, [
      { kind: "flag", record: flag(3, "Public", "c") },
      { kind: "flag", record: flag(1, "Public", "a") },
      { kind: "flag", record: flag(2, "Private", "b"), userId: 7 },
      { kind: "flag", record: flag(4, "Private", "d"), userId: 8 },
    ]);

    expect((await store.users.publicFlags()).map(({ Id }) => Id)).toEqual([1, 3]);
    expect(await store.users.privateFlags(7)).toEqual([flag(2, "Private", "b")]);
    expect(await store.users.privateFlags(9)).toEqual([]);
  });

  test("public flags are found by their names, in the order of their ids", async () => {
    const store = await create();
    await fill(store, [
      { kind: "flag", record: flag(3, "Public", "Follow Up") },
      { kind: "flag", record: flag(1, "Public", "Straße") },
      { kind: "flag", record: flag(2, "Private", "Follow Up"), userId: 7 },
      { kind: "flag", record: flag(4, "Public", "FOLLOW UP") },
      { kind: "flag", record: flag(5, "Public", "Escalated") },
    ]);
    const idsOf = async (...names: string[]) =>
      (await store.users.publicFlags(names)).map(({ Id }) => Id);

    expect(await idsOf(" follow up ", "follow UP", "STRAßE", "none")).toEqual([1, 3, 4]);
    expect(await idsOf()).toEqual([]);
    await fill(store, [{ kind: "flag", record: flag(4, "Public", "Done") }]);
    expect(await idsOf("Follow up")).toEqual([3]);
    expect(await idsOf("done")).toEqual([4]);
  });

  test("a flag imported again is replaced, its owner with it", async () => {
    const store = await create();
    const mine: ArchiveItem = { kind: "flag", record: flag(2, "Private", "b"), userId: 7 };

    expect(await fill(store, [mine, mine])).toEqual(["imported", "unchanged"]);
    expect(await fill(store, [{ ...mine, userId: 8 }])).toEqual(["replaced"]);
    expect(await store.users.privateFlags(7)).toEqual([]);
    expect(await store.users.privateFlags(8)).toHaveLength(1);
    expect(await fill(store, [{ kind: "flag", record: flag(2, "Public", "b") }])).toEqual([
      "replaced",
    ]);
    expect(await store.users.privateFlags(8)).toEqual([]);
    expect(await store.users.publicFlags()).toHaveLength(1);
  });
}
