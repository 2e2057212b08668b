// `app list` and `key list`: what was issued is found again, so that it can be taken back, and no secret is shown.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, afterAll, expect, test } from "vitest";
import { run } from "./support/command.ts";
import { startServing } from "./support/program.ts";

let folder: string;
let data: string;
let app: { readonly secretID: string; readonly secretKey: string };
const keys: { readonly id: string; readonly apiKey: string }[] = [];

const call = async (command: string, ...args: readonly string[]) =>
  (await run(...command.split(" "), "--data", data, ...args)).stdout;
const list = async (command: string, ...args: readonly string[]) =>
  (await call(command, "--json", ...args))
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "call-media-lists-"));
  data = join(folder, "archive");
  for (const name of ["mia", "ben"]) await call("user add", name, "allow_all_*=true");
  app = JSON.parse(await call("app create", "--user", "mia", "--json"));
  keys.push(
    JSON.parse(await call("key create", "--user", "mia", "--json")),
    JSON.parse(await call("key create", "--user", "mia", "--expires", "2199-01-31", "--json")),
    JSON.parse(await call("key create", "--user", "ben", "--json")),
  );
});
afterAll(() => rm(folder, { recursive: true }));

test("keys are listed oldest first, with whose they are and until when they are good", async () => {
  const ids = keys.map(({ id }) => id);
  expect((await list("key list")).map(({ id }) => id)).toEqual(ids);
  expect(await list("key list", "--user", "ben")).toEqual([
    {
      id: ids[2],
      user_id: 2,
      user: "ben",
      created: expect.stringMatching(/^20.*Z$/),
      expires: null,
      revoked: null,
      state: "good",
    },
  ]);
  const dated = (await list("key list")).find(({ id }) => id === ids[1]);
  expect(dated).toMatchObject({ expires: "2199-01-31T00:00:00.000Z", user: "mia" });
});

test("as a table, with never a secret", async () => {
  const [header, ...lines] = (await call("key list")).trimEnd().split("\n");
  expect(header).toMatch(/^ID +USER +STATE +EXPIRES +CREATED$/);
  expect(lines).toHaveLength(3);
  expect(lines.join("\n")).toMatch(
    /^key_[\da-f]{24} {2}mia {3}good {3}2199-01-31 00:00 {2}20\S+ \S+$/m,
  );

  const [, line] = (await call("app list")).trimEnd().split("\n");
  expect(line).toMatch(/^app_[\da-f]{24} {2}mia {3}good {3}0 {7}20\S+ \S+$/);
  const all = await Promise.all(
    ["key list", "app list"].flatMap((command) => [call(command), call(command, "--json")]),
  );
  const secrets = [app.secretKey, ...keys.map(({ apiKey }) => apiKey)];
  for (const text of all) for (const secret of secrets) expect(text).not.toContain(secret);
  expect(all.join("")).not.toMatch(/[\da-f]{32}/);
});

test("the last use is that of the access log, of a token its application's", async () => {
  const { baseUrl, stop } = await startServing(data);
  const ask = async (bearer: string | undefined) => {
    const headers = { Authorization: `Bearer ${bearer}` };
    expect((await fetch(`${baseUrl}/users/basic-info?status=all`, { headers })).status).toBe(200);
  };
  const signedIn = await fetch(`${baseUrl}/Token`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(app),
  });
  const { access_token: token } = (await signedIn.json()) as { access_token: string };
  await ask(token);
  await ask(keys[0]?.apiKey);
  await stop();

  const listed = await list("key list", "--last-use");
  const used = expect.stringMatching(/^20.*Z$/);
  for (const [index, { id }] of keys.entries())
    expect(listed.find((key) => key.id === id)).toMatchObject({
      last_use: index === 0 ? used : null,
    });
  expect(await list("app list", "--last-use")).toMatchObject([{ last_use: used, tokens: 1 }]);
  expect(await call("key list", "--last-use", "--user", "ben")).toMatch(/ good +never +never +20/m);
});

test("the lists give the reason why a credential is no longer valid", async () => {
  const { id } = JSON.parse(await call("key create", "--user", "ben", "--json"));
  expect(await call("key revoke", id)).toBe(`Revoked ${id}.\n`);
  await call("app revoke", app.secretID);
  await call("user set", "mia", "status=0");

  const states = new Map((await list("key list")).map((key) => [key.id, key]));
  expect(states.get(id)).toMatchObject({ state: "revoked", revoked: expect.any(String) });
  expect(states.get(keys[0]?.id)).toMatchObject({ state: "inactive", revoked: null });
  expect(states.get(keys[2]?.id)).toMatchObject({ state: "good" });
  expect(await list("app list")).toMatchObject([{ state: "revoked", tokens: 0 }]);
});

test("one that was altered is named, the others are listed", async () => {
  const { id } = JSON.parse(await call("key create", "--user", "ben", "--json"));
  {
    using database = new DatabaseSync(join(data, "access.db"));
    database.prepare("UPDATE bearer SET created_ms = 1 WHERE id = ?").run(id);
  }
  const { code, stdout, stderr } = await run("key", "list", "--data", data);
  expect(code).toBe(1);
  expect(stdout).toContain(keys[0]?.id);
  expect(stdout).not.toContain(id);
  expect(stderr).toContain(`damaged, and not listed: the API key ${id}. They give no right`);
  expect(await call("key revoke", id)).toBe(`Revoked ${id}.\n`);
});

test("nobody's, and of nobody", async () => {
  expect(await call("app list", "--user", "ben", "--json")).toBe("");
  expect(await run("app", "list", "--data", data, "--user", "cid")).toMatchObject({
    code: 1,
    stderr: 'call-media-server: there is no user cid: "user list" shows those there are\n',
  });
});
