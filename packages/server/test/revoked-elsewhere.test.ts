// What another process does to credentials counts from the next request on, though bearers are remembered.
import { openStore } from "@call-media/store/sqlite";
import { expect, test } from "vitest";
import { createApiKey } from "../src/index.ts";
import { ALLOWED_ALL, bodyOf, startTestService, toUser } from "./support/service.ts";

const PATH = "/metadata/by-call-id/any";

test("a key that another process revoked is refused at once", async () => {
  await using service = await startTestService();
  const { user } = await service.addUser(ALLOWED_ALL);
  const { id, apiKey } = await createApiKey(service.store, user.id);
  expect((await service.get(PATH, apiKey)).status).toBe(200);

  await using elsewhere = await openStore({ directory: service.directory });
  await elsewhere.credentials.revoke({ key: id });

  expect((await service.get(PATH, apiKey)).status).toBe(401);
});

test("a key that this process revoked is refused at once", async () => {
  await using service = await startTestService();
  const { user } = await service.addUser(ALLOWED_ALL);
  const { id, apiKey } = await createApiKey(service.store, user.id);
  expect((await service.get(PATH, apiKey)).status).toBe(200);

  await service.store.credentials.revoke({ key: id });

  expect((await service.get(PATH, apiKey)).status).toBe(401);
});

test("rights that an import takes away are gone for the next request", async () => {
  await using service = await startTestService();
  await service.addUser({});
  const { user, key } = await service.addUser({ username: "mia", is_admin: true });
  const seen = async () =>
    (await bodyOf<unknown[]>(await service.get("/users/basic-info?status=all", key))).data.length;
  expect(await seen()).toBe(2);

  await service.add({ kind: "user", record: toUser({ id: user.id, username: "mia" }) });

  expect(await seen()).toBe(1);
});
