// What the archive on the disk has of who gets in: hashes alone, for as long as they matter, beside whatever else writes (D18).
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  ALLOWED_ALL,
  bodyOf,
  createApplication,
  startTestService,
  type TestService,
} from "./support/service.ts";

let service: TestService;
let nowMs = Date.UTC(2026, 0, 1);

beforeEach(async () => {
  nowMs = Date.UTC(2026, 0, 1);
  service = await startTestService({ now: () => nowMs, tokenLifetimeSeconds: 600 });
});
afterEach(() => service[Symbol.asyncDispose]());

async function tokenOf(credentials: { secretID: string; secretKey: string }): Promise<string> {
  const answer = await service.post("/Token", "none", credentials);
  return ((await answer.json()) as { access_token: string }).access_token; // the contract
}

describe("a token", () => {
  test("survives a restart, because the archive has its hash, and never the token itself", async () => {
    const { user } = await service.addUser(ALLOWED_ALL);
    const credentials = await createApplication(service.store, user.id);
    const token = await tokenOf(credentials);
    using database = new DatabaseSync(join(service.directory, "access.db"));
    const kept = JSON.stringify([
      ...database.prepare("SELECT * FROM bearer").all(),
      ...database.prepare("SELECT * FROM application").all(),
      ...database.prepare("SELECT * FROM access").all(),
    ]);
    expect(kept).toContain(credentials.secretID);
    expect(kept).not.toContain(token);
    expect(kept).not.toContain(credentials.secretKey);
  });
});

test("a token is known as expired for a week, then it is forgotten", async () => {
  const { user } = await service.addUser(ALLOWED_ALL);
  const credentials = await createApplication(service.store, user.id);
  const token = await tokenOf(credentials);
  const countTokens = () => {
    using database = new DatabaseSync(join(service.directory, "access.db"));
    return Number(
      database.prepare("SELECT count(*) AS n FROM bearer WHERE kind = 'token'").get()?.["n"],
    );
  };

  nowMs += 600_000 + 7 * 86_400_000;
  await tokenOf(credentials);
  expect(countTokens()).toBe(2);
  nowMs += 1;
  await tokenOf(credentials);
  const { errorMessage } = await bodyOf(await service.get("/flags/public", token));
  expect(errorMessage).toBe("The access token is unknown");
  expect(countTokens()).toBe(2);
});

describe("a sign-in", () => {
  test("does not wait for an import, and neither does another request", async () => {
    const { user, key } = await service.addUser(ALLOWED_ALL);
    const credentials = await createApplication(service.store, user.id);
    using importing = new DatabaseSync(join(service.directory, "archive.db"));
    importing.exec("BEGIN IMMEDIATE");

    expect((await service.post("/Token", "none", credentials)).status).toBe(200);
    expect((await service.get("/flags/public", key)).status).toBe(200);
  });
});
