// Where an archive lies, as options and variables say it: what is refused, and what nobody gets to read.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { run } from "./support/command.ts";

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "call-media-places-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

function setVariable(name: string, value: string): void {
  vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}

test("an archive is found by --data, by --records and by the variable, in this order", async () => {
  const [one, other] = [await createFolder(), await createFolder()];
  const add = (name: string, ...place: string[]) =>
    run("user", "add", name, `email_id=${name}@example.com`, ...place);
  const list = async (...place: string[]) => (await run("user", "list", ...place)).stdout;

  expect(await add("mia", "--data", one)).toMatchObject({ code: 0 });
  setVariable("CALL_MEDIA_RECORDS", `sqlite:${other}`);
  expect(await add("noah")).toMatchObject({ code: 0 });
  expect(await list()).toContain("noah");
  expect(await list("--records", `sqlite:${one}`)).toContain("mia");
  expect(await list("--data", one)).toContain("mia");
});

test("--data with a variable for another place of recordings asks for --media", async () => {
  const data = await createFolder();
  setVariable("CALL_MEDIA_MEDIA", "s3://recordings");
  expect(await run("user", "list", "--data", data)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("say which one with --media"),
  });
  const added = await run(
    "user",
    "add",
    "mia",
    "email_id=m@example.com",
    "--data",
    data,
    "--media",
    `${data}/media`,
  );
  expect(added).toMatchObject({ code: 0 });
  const backup = join(data, "../backup");
  onTestFinished(() => rm(backup, { recursive: true, force: true }));
  const own = ["--records", `sqlite:${data}`, "--media", `file:${data}/media`];
  expect(await run("backup", "--to", backup, ...own)).toMatchObject({ code: 0 });
});

test("without a place, and with two, a command says what to give", async () => {
  expect(await run("user", "list")).toMatchObject({
    code: 1,
    stderr:
      "call-media-server: no archive is named: give --data with its folder, or --records with an address, or set CALL_MEDIA_RECORDS\n",
  });
  expect(await run("user", "list", "--data", "a", "--records", "b")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("both say where the records are"),
  });
});

test.each([
  [["--records", "postgres://cm:S3CRET@db/cm"], "CALL_MEDIA_RECORDS"],
  [["--records", "postgres://cm@db/cm?sslmode=require&password=S3CRET"], "CALL_MEDIA_RECORDS"],
  [["--data", "x", "--media", "s3://AKIA:S3CRET@recordings"], "AWS_ACCESS_KEY_ID"],
  [["--data", "x", "--media", "s3://recordings?secretAccessKey=S3CRET"], "AWS_SECRET_ACCESS_KEY"],
])("a secret in %j is refused, not repeated, and %s is named", async (place, variable) => {
  for (const command of [["serve"], ["user", "list"], ["doctor"], ["purge", "--undated"]]) {
    const { code, stdout, stderr } = await run(...command, ...place);
    expect(code).toBe(1);
    expect(stderr).toContain("everybody on this machine could read");
    expect(stderr).toContain(variable);
    expect(stdout + stderr).not.toContain("S3CRET");
  }
});

test.each([
  [["backup", "--to", "/nowhere/else"], /cannot be backed up: only a folder that has both can/],
  [["restore", "--from", "/nowhere"], /cannot be restored: only a folder for both can/],
  [
    ["import", "--link", import.meta.filename],
    /--link keeps the paths of files, which a bucket cannot/,
  ],
])("%j says that recordings in a bucket are not for it", async (command, message) => {
  const data = await createFolder();
  await run("user", "add", "mia", "email_id=mia@example.com", "--data", data);
  const asked = await run(...command, "--data", data, "--media", "s3://recordings/cm");
  expect(asked).toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
});

test("a place of an unknown kind is refused", async () => {
  const asked = await run("doctor", "--data", await createFolder(), "--media", "gs://recordings");
  expect(asked.stderr).toContain("an address here begins with file: or s3:");
});
