// What the service hands out as secrets.
import { expect, test } from "vitest";
import { createSecret, toTriedID } from "../src/access/secrets.ts";

// One in sixty-four would, and "token revoke" would take it for an option.
test("no secret begins with a hyphen, and no two are the same", () => {
  const secrets = Array.from({ length: 2_000 }, createSecret);
  expect(secrets.filter((secret) => !/^\w[\w-]{42}$/.test(secret))).toEqual([]);
  expect(new Set(secrets).size).toBe(secrets.length);
});

test("a secretID that was tried is logged short, printable, and never when it is a key", () => {
  expect(toTriedID("app_5f2c\u001b[2J\n\u202e")).toBe("app_5f2c\\u001b[2J\\u000a\\u202e");
  expect(toTriedID("x.".repeat(500))).toBe(`${"x.".repeat(20).slice(0, 39)}…`);
  const key = createSecret();
  for (const sent of [key, ` ${key}`, `key=${key}`]) expect(toTriedID(sent)).not.toContain(key);
});
