// Damaged credentials, and those of a user with a damaged record: they are rejected, and the service does not fail.
import { createApplication } from "@call-media/service/credentials";
import { type Credentials, StoreFault } from "@call-media/store";
import { expect, test } from "vitest";
import { createService } from "../src/index.ts";
import { bearer, createWorld, readAll, toRequest } from "./support/world.ts";

const DAMAGED = new StoreFault("damaged", "the API key k is not what was written");

/** A service whose store throws this wherever it reads credentials. */
async function createDamaged(fault: Error) {
  const { store, key } = await createWorld();
  const { secretID, secretKey } = await createApplication(store, { userId: 1, operator: "test" });
  const read = async () => {
    throw fault;
  };
  const credentials: Credentials = { ...store.credentials, bearer: read, application: read };
  return { service: createService({ store: { ...store, credentials } }), key, secretID, secretKey };
}

test("a damaged key or token is answered with the 401 of an unknown one, and the log has the reason", async () => {
  const { service, key } = await createDamaged(DAMAGED);
  const { service: whole } = await createWorld();
  const path = "/flags/public";
  const damaged = await service.answer(toRequest(path, { headers: bearer(key) }));
  const unknown = await whole.answer(toRequest(path, { headers: bearer("cmk_unknown") }));
  expect(damaged.status).toBe(401);
  expect([damaged.headers, await readAll(damaged)]).toEqual([
    unknown.headers,
    await readAll(unknown),
  ]);
  expect([damaged.facts.failure, unknown.facts.failure]).toEqual([DAMAGED, undefined]);
});

test("a damaged application is 401 like a wrong one, and a damaged session is none", async () => {
  const { service, secretID, secretKey } = await createDamaged(DAMAGED);
  const answer = await service.answer(
    toRequest("/Token", {
      method: "POST",
      headers: { "content-type": "application/json" },
      readBody: async () => Buffer.from(JSON.stringify({ secretID, secretKey })),
    }),
  );
  expect([answer.status, answer.facts.code]).toEqual([401, "CM_CREDENTIALS_WRONG"]);
  expect(answer.facts.failure).toBe(DAMAGED);
  expect(await service.access.findSession("cms_any")).toBeUndefined();
  await expect(service.access.checkKey("cmk_any", "192.0.2.1")).rejects.toMatchObject({
    status: 401,
  });
});

test("an archive that cannot be reached is 503 still", async () => {
  const { service, key } = await createDamaged(new StoreFault("unavailable", "it is away"));
  const answer = await service.answer(toRequest("/flags/public", { headers: bearer(key) }));
  expect(answer.status).toBe(503);
});
