// What the service hands out as secrets.
import { readFile } from "node:fs/promises";
import { createMemoryStore } from "@call-media/store/memory";
import { expect, test } from "vitest";
import { createAccess } from "../src/access/access.ts";
import { createApiKey, createApplication } from "../src/access/issue.ts";
import {
  createSecret,
  hideSecrets,
  toBearerHash,
  toKeyHash,
  toTriedID,
} from "../src/access/secrets.ts";
import { addItems, ALLOWED_ALL, toUser } from "./support/records.ts";

test("issued secrets match the pattern that a guide gives to secret scanners", async () => {
  const guide = await readFile(
    new URL("../../../apps/docs/guides/authentication.md", import.meta.url),
    "utf8",
  );
  const [, pattern = ""] = /^ +`(cm\S+)`$/m.exec(guide) ?? [];
  const form = new RegExp(`^${pattern}$`);
  const store = createMemoryStore();
  await addItems(store, [
    { kind: "user", record: toUser({ ...ALLOWED_ALL, id: 1, username: "ana" }) },
  ]);
  const access = createAccess(store, { tokenLifetimeSeconds: 60, now: Date.now });
  const by = { userId: 1, operator: "test" };
  const application = await createApplication(store, by);
  const { token } = await access.signIn(application, undefined);
  const { apiKey } = await createApiKey(store, by);
  const secrets = [application.secretKey, apiKey, token.access_token];
  expect(secrets.map((secret) => secret.slice(0, 4))).toEqual(["cmk_", "cmk_", "cmt_"]);
  for (const secret of [...secrets, await access.openSession({ userId: 1 }, 60_000)])
    expect(secret).toMatch(form);
  // The identifier of an application is public.
  expect(application.secretID).not.toMatch(new RegExp(pattern));
});

test("no two secrets are equal", () => {
  const secrets = Array.from({ length: 2_000 }, () => createSecret("key"));
  expect(new Set(secrets).size).toBe(secrets.length);
});

test("secrets without a prefix stay valid", async () => {
  const store = createMemoryStore();
  await addItems(store, [
    { kind: "user", record: toUser({ ...ALLOWED_ALL, id: 1, username: "ana" }) },
  ]);
  const secret = "9s0Uo1vVbWq3kJ6yT8fZcR2nLxE5hGdA7mPiQtYwKzM";
  const [created, keyHash] = [{ userId: 1, createdMs: 0 }, await toKeyHash(secret)];
  await store.credentials.addBearer(
    { id: "key_1", kind: "key", hash: toBearerHash(secret), ...created },
    { operation: "key create", operator: "test", asked: {} },
  );
  await store.credentials.addApplication(
    { secretID: "app_1", keyHash, ...created },
    { operation: "app create", operator: "test", asked: {} },
  );
  const access = createAccess(store, { tokenLifetimeSeconds: 60, now: Date.now });
  expect((await access.authenticate(`Bearer ${secret}`)).credential).toBe("key_1");
  expect((await access.signIn({ secretID: "app_1", secretKey: secret }, "a")).userId).toBe(1);
});

test("a secretID that was tried is logged short, printable, and never when it is a key", () => {
  expect(toTriedID("app_5f2c\u001b[2J\n\u202e")).toBe("app_5f2c\\u001b[2J\\u000a\\u202e");
  expect(toTriedID("x.".repeat(500))).toBe(`${"x.".repeat(20).slice(0, 39)}…`);
  const key = createSecret("key");
  const old = key.slice(4);
  for (const sent of [key, ` ${key}`, `key=${key}`, old, ` ${old}`, key.slice(0, 20)])
    expect(toTriedID(sent)).toBe("(withheld: it may hold a key)");
});

test("a text without secrets shows what they were", () => {
  const text = `GET /x?key=${createSecret("key")} and ${createSecret("token")}, ${createSecret("session").slice(0, 9)}`;
  const hidden = "(withheld: a secret)";
  expect(hideSecrets(text)).toBe(`GET /x?key=${hidden} and ${hidden}, ${hidden}`);
  const digest = "a".repeat(64);
  expect(hideSecrets(`key_4f7c ${digest}`)).toBe(`key_4f7c ${digest}`);
});
