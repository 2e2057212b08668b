// `setup`: an archive in PostgreSQL is made before it is served, and nothing that is printed has its password.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasPostgres, startPostgres } from "@call-media/test-setup/postgres";
import { expect, test } from "vitest";
import { startCommand } from "./support/command.ts";

test.runIf(hasPostgres)(
  "setup makes the archive that other commands ask for, and changes nothing when it is run again",
  async () => {
    await using server = await startPostgres();
    const folder = await mkdtemp(join(tmpdir(), "call-media-setup-"));
    await using stack = new AsyncDisposableStack();
    stack.defer(() => rm(folder, { recursive: true }));
    const address = new URL(await server.createDatabase());
    const env = {
      CALL_MEDIA_RECORDS: address.href,
      CALL_MEDIA_MEDIA: `file:${join(folder, "media")}`,
    };
    const run = (...args: readonly string[]) => startCommand(args, { cwd: folder, env }).ended;

    const before = await run("user", "list");
    expect(before.code).toBe(1);
    expect(before.stderr).toContain('make one with "call-media-server setup"');

    const made = await run("setup", "--timezone", "Europe/London");
    expect(made).toMatchObject({ code: 0, stderr: "" });
    expect(made.stdout).toMatch(
      /^The archive in .* is ready; its time zone is Europe\/London\.\n\nTwo roles keep [^]*\n\nCREATE ROLE call_media_service LOGIN;[^]*GRANT INSERT ON access TO/,
    );
    expect(await run("setup")).toEqual(made);
    expect(await run("user", "list")).toMatchObject({ code: 0 });

    const calls = join(folder, "calls.jsonl");
    const item = { kind: "call", call_id: "A", datetime: "2025-05-01T10:00:00Z", agent: "ann" };
    await writeFile(calls, `${JSON.stringify(item)}\n`);
    expect(await run("import", calls)).toMatchObject({ code: 0 });
    expect(await run("purge", "--call-id", "A", "--yes")).toMatchObject({ code: 0 });
    await rm(join(folder, "media", ".call-media-ledger"), { recursive: true });
    expect(await run("setup")).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("may still have what a purge took out; its time zone"),
      stderr: expect.stringMatching(/^call-media-server: the entry 000001\.json .* is missing/),
    });
    const lost = await run("import", calls);
    expect(lost).toMatchObject({ code: 1, stderr: expect.stringContaining("--without-ledger") });
    const without = await run("setup", "--without-ledger");
    expect(without).toMatchObject({ code: 0, stdout: expect.stringContaining("Purge again what") });
    expect((await run("import", calls)).stdout).toContain("erased before 1");

    const nowhere = "s3://recordings/x?endpoint=http://127.0.0.1:9&region=us-east-1";
    const keys = { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b" };
    const args = ["setup", "--media", nowhere];
    const unready = await startCommand(args, { cwd: folder, env: { ...env, ...keys } }).ended;
    expect(unready.code).toBe(1);
    expect(unready.stdout).toMatch(/has its tables, but its recordings have no place yet/);
    expect(unready.stderr).toMatch(/^call-media-server: .*127\.0\.0\.1/);

    address.password = "hunter2";
    const refused = await run("setup", "--records", address.href);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("set CALL_MEDIA_RECORDS to the address");
    expect(refused.stderr).not.toContain("hunter2");
  },
);
