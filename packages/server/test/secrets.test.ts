// What the service hands out as secrets.
import { expect, test } from "vitest";
import { createSecret } from "../src/access/secrets.ts";

// One in sixty-four would, and "token revoke" would take it for an option.
test("no secret begins with a hyphen, and no two are the same", () => {
  const secrets = Array.from({ length: 2_000 }, createSecret);
  expect(secrets.filter((secret) => !/^\w[\w-]{42}$/.test(secret))).toEqual([]);
  expect(new Set(secrets).size).toBe(secrets.length);
});
