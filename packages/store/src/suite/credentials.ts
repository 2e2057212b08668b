import { describe, expect, test } from "vitest";
import type { Application, Bearer, CallStore, Revocation } from "../index.ts";
import { fill, toUser } from "./records.ts";
import type { CreateStore } from "./stores.ts";

const LATER_MS = Date.now() + 3_600_000;
const SOON_MS = LATER_MS - 1_800_000;

const APPLICATION: Application = {
  secretID: "app",
  keyHash: "key of app",
  userId: 1,
  createdMs: 1_000,
};
const BEARERS: readonly Bearer[] = [
  {
    id: "t1",
    kind: "token",
    hash: "token of app",
    userId: 1,
    secretID: "app",
    createdMs: 2_000,
    expiresMs: LATER_MS,
  },
  {
    id: "t2",
    kind: "token",
    hash: "token of other",
    userId: 1,
    secretID: "other",
    createdMs: 2_000,
    expiresMs: LATER_MS,
  },
  { id: "k1", kind: "key", hash: "key of user", userId: 1, createdMs: 3_000 },
  {
    id: "k2",
    kind: "key",
    hash: "key with an end",
    userId: 2,
    createdMs: 3_000,
    expiresMs: LATER_MS,
  },
];

export function describeCredentials(create: CreateStore): void {
  test("what was issued comes back with the user it acts for, and nothing else does", async () => {
    const store = await createWithCredentials(create);

    expect(await store.credentials.application("app")).toEqual({
      ...APPLICATION,
      user: toUser(1),
      isRevoked: false,
    });
    for (const bearer of BEARERS) {
      expect(await store.credentials.bearer(bearer.hash)).toEqual({
        ...bearer,
        user: toUser(bearer.userId),
        isRevoked: false,
      });
    }
    expect(await store.credentials.application("APP")).toBeUndefined();
    expect(await store.credentials.bearer("t1")).toBeUndefined();
  });

  test("what was issued is listed, oldest first, without secrets and hashes", async () => {
    const store = await createWithCredentials(create);
    await store.credentials.revoke({ key: "k1" });
    await store.credentials.revoke({ application: "other" });

    const { createdMs, userId } = APPLICATION;
    const revokedMs = expect.any(Number);
    const ofAnn = { userId, user: toUser(1) };
    expect(await store.credentials.applications()).toEqual([
      { secretID: "app", createdMs, ...ofAnn, tokens: 1 },
      { secretID: "other", createdMs, ...ofAnn, tokens: 0, revokedMs },
    ]);
    const ofBob = { userId: 2, user: toUser(2) };
    const keys = [
      { id: "k1", createdMs: 3_000, ...ofAnn, revokedMs },
      { id: "k2", createdMs: 3_000, ...ofBob, expiresMs: LATER_MS },
    ];
    expect(await store.credentials.keys()).toEqual(keys);
    expect(await store.credentials.keys(2)).toEqual(keys.slice(1));
    expect(await store.credentials.applications(2)).toEqual([]);
  });

  test("the user is the one of now, not the one at issue", async () => {
    const store = await createWithCredentials(create);
    await fill(store, [{ kind: "user", record: toUser(1, { status: 0 }) }]);

    expect((await store.credentials.bearer("key of user"))?.user.status).toBe(0);
    expect((await store.credentials.application("app"))?.user.status).toBe(0);
  });

  test("credentials of a user that does not exist are not issued", async () => {
    const store = await create();

    await expect(store.credentials.addApplication(APPLICATION)).rejects.toBeInstanceOf(Error);
    await expect(
      store.credentials.addBearer({ id: "k", kind: "key", hash: "h", userId: 9, createdMs: 0 }),
    ).rejects.toBeInstanceOf(Error);
  });

  test.each<[what: string, which: Revocation, revoked: readonly string[]]>([
    ["an application, and its tokens with it", { application: "app" }, ["app", "token of app"]],
    ["an API key", { key: "k1" }, ["key of user"]],
    ["an API key, but no token by its id", { key: "t1" }, []],
    ["a token", { tokenHash: "token of app" }, ["token of app"]],
    ["a token, but no key by its hash", { tokenHash: "key of user" }, []],
    ["the tokens of a user", { tokensOf: { userId: 1 } }, ["token of app", "token of other"]],
    ["the tokens of an application", { tokensOf: { secretID: "other" } }, ["token of other"]],
    ["what is not there", { application: "none" }, []],
  ])("revokes %s, once", async (_what, which, revoked) => {
    const store = await createWithCredentials(create);
    const applications = revoked.filter((name) => name === "app").length;

    expect(await store.credentials.revoke(which)).toEqual({
      applications,
      bearers: revoked.length - applications,
    });

    expect(await listRevoked(store)).toEqual(revoked);
    expect(await store.credentials.revoke(which)).toEqual({ applications: 0, bearers: 0 });
  });

  test("a token that an application is given after it was taken back is no good", async () => {
    const store = await createWithCredentials(create);
    await store.credentials.revoke({ application: "app" });
    const late: Bearer = {
      ...BEARERS[0],
      id: "late",
      hash: "late",
      kind: "token",
      userId: 1,
      createdMs: 1,
    };
    await store.credentials.addBearer(late);

    expect(await store.credentials.bearer("late")).toMatchObject({ isRevoked: true });
  });

  describe("sessions of the console (D35)", () => {
    const ofKey: Bearer = toSession("of key", { userId: 2, keyId: "k2" });
    const ofApplication: Bearer = toSession("of application", { userId: 1, secretID: "app" });
    const createWithSessions = async () => {
      const store = await createWithCredentials(create);
      for (const session of [ofKey, ofApplication]) await store.credentials.addBearer(session);
      return store;
    };
    const isRevoked = async (store: CallStore, { hash }: Bearer) =>
      (await store.credentials.bearer(hash))?.isRevoked;

    test("come back as what they are, and count as no tokens", async () => {
      const store = await createWithSessions();
      expect(await store.credentials.bearer(ofKey.hash)).toMatchObject(ofKey);
      expect(await store.credentials.applications(1)).toMatchObject([{ tokens: 1 }, { tokens: 1 }]);
    });

    test.each<[end: string, which: Revocation, session: Bearer, other: Bearer]>([
      ["the key that opened it", { key: "k2" }, ofKey, ofApplication],
      ["the application that opened it", { application: "app" }, ofApplication, ofKey],
      ["itself", { tokenHash: ofKey.hash }, ofKey, ofApplication],
      ["all sessions of its user", { sessionsOf: 2 }, ofKey, ofApplication],
      ["all tokens of its user", { tokensOf: { userId: 1 } }, ofApplication, ofKey],
    ])("end with %s", async (_end, which, session, other) => {
      const store = await createWithSessions();
      expect(await isRevoked(store, session)).toBe(false);
      await store.credentials.revoke(which);
      expect(await isRevoked(store, session)).toBe(true);
      expect(await isRevoked(store, other)).toBe(false);
    });

    test("all of a user end without the tokens of that user", async () => {
      const store = await createWithSessions();
      await store.credentials.revoke({ sessionsOf: 1 });
      expect(await listRevoked(store)).toEqual([]);
    });

    test("are extended, as every instance sees, but not beyond the end of their key", async () => {
      const store = await createWithSessions();
      expect((await store.credentials.bearer(ofKey.hash))?.expiresMs).toBe(SOON_MS);
      await store.credentials.extendSession(ofKey.hash, SOON_MS + 1_000);
      expect((await store.credentials.bearer(ofKey.hash))?.expiresMs).toBe(SOON_MS + 1_000);
      await store.credentials.extendSession(ofKey.hash, LATER_MS + 1);
      expect((await store.credentials.bearer(ofKey.hash))?.expiresMs).toBe(LATER_MS);
    });

    test("that were revoked, keys and tokens are not extended", async () => {
      const store = await createWithSessions();
      await store.credentials.revoke({ tokenHash: ofKey.hash });
      for (const hash of [ofKey.hash, "token of app", "key with an end"])
        await store.credentials.extendSession(hash, SOON_MS + 1_000);
      expect(await store.credentials.bearer(ofKey.hash)).toMatchObject({ expiresMs: SOON_MS });
      expect(await store.credentials.bearer("token of app")).toMatchObject({ expiresMs: LATER_MS });
      expect(await store.credentials.bearer("key with an end")).toMatchObject({
        expiresMs: LATER_MS,
      });
    });
  });
}

function toSession(hash: string, of: Pick<Bearer, "userId" | "keyId" | "secretID">): Bearer {
  return {
    id: `session ${hash}`,
    kind: "session",
    hash,
    createdMs: 4_000,
    expiresMs: SOON_MS,
    ...of,
  };
}

async function createWithCredentials(create: CreateStore): Promise<CallStore> {
  const store = await create();
  await fill(
    store,
    [1, 2].map((id) => ({ kind: "user", record: toUser(id) })),
  );
  for (const secretID of ["app", "other"])
    await store.credentials.addApplication({ ...APPLICATION, secretID });
  for (const bearer of BEARERS) await store.credentials.addBearer(bearer);
  return store;
}

async function listRevoked(store: CallStore): Promise<string[]> {
  const revoked: string[] = [];
  for (const id of ["app", "other"])
    if ((await store.credentials.application(id))?.isRevoked) revoked.push(id);
  for (const { hash } of BEARERS)
    if ((await store.credentials.bearer(hash))?.isRevoked) revoked.push(hash);
  return revoked;
}
