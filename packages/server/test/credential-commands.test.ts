// `user`, `app`, `key` and `token`: from the first user of an archive to a revoked token.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { run } from "./support/command.ts";
import { startServing } from "./support/program.ts";

test("from the first user to a revoked token", async () => {
  const archive = await mkdtemp(join(tmpdir(), "call-media-credentials-"));
  onTestFinished(() => rm(archive, { recursive: true }));
  expect(
    (
      await run(
        "user",
        "add",
        "--data",
        archive,
        "mia",
        "email_id=mia@example.com",
        "allow_all_flags=true",
        "allowed_campaigns=Billing, Move of house",
      )
    ).stdout,
  ).toBe("Added mia as user 1.\n");
  expect((await run("user", "set", "--data", archive, "mia", "is_admin=true", "title=")).code).toBe(
    0,
  );
  const [user] = (await run("user", "list", "--data", archive, "--json")).stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  expect(user).toMatchObject({
    id: 1,
    username: "mia",
    status: 1,
    is_admin: true,
    title: null,
    allowed_campaigns: ["Billing", "Move of house"],
    allow_download: false,
  });
  expect((await run("user", "list", "--data", archive)).stdout).toContain(
    "1   mia       active  administrator  mia@example.com",
  );

  const application = JSON.parse(
    (await run("app", "create", "--data", archive, "--user", "mia", "--json")).stdout,
  );
  const dated = JSON.parse(
    (
      await run(
        "key",
        "create",
        "--data",
        archive,
        "--user",
        "mia",
        "--expires",
        "2199-01-01",
        "--json",
      )
    ).stdout,
  );

  const { baseUrl, stop } = await startServing(archive);
  const statusWith = async (bearer: string) =>
    (
      await fetch(`${baseUrl}/users/basic-info?status=all`, {
        headers: { Authorization: `Bearer ${bearer}` },
      })
    ).status;
  const signIn = () =>
    fetch(`${baseUrl}/Token`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(application),
    });
  const { access_token: token } = (await (await signIn()).json()) as { access_token: string };
  expect([await statusWith(token), await statusWith(dated.apiKey)]).toEqual([200, 200]);
  expect((await run("key", "revoke", "--data", archive, dated.id)).stdout).toBe(
    `Revoked ${dated.id}.\n`,
  );
  expect((await run("token", "revoke", "--data", archive, token)).stdout).toBe(
    "Revoked 1 token.\n",
  );
  expect([await statusWith(token), await statusWith(dated.apiKey)]).toEqual([401, 401]);
  expect((await run("app", "revoke", "--data", archive, application.secretID)).stdout).toBe(
    `Revoked ${application.secretID} and 0 of its tokens.\n`,
  );
  expect((await signIn()).status).toBe(401);
  await stop();
});

test("credentials of a user who may not sign in are given out with a warning", async () => {
  const archive = await mkdtemp(join(tmpdir(), "call-media-credentials-"));
  onTestFinished(() => rm(archive, { recursive: true }));
  await run("user", "add", "--data", archive, "ann", "status=0", "allow_all_*=true");
  for (const kind of ["app", "key"]) {
    const { code, stderr } = await run(kind, "create", "--data", archive, "--user", "ann");
    expect([code, stderr]).toEqual([
      0,
      'ann is inactive: this is refused until "user set ann status=1"\n',
    ]);
  }
});
