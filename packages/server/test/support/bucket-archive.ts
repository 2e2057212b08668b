// An archive whose recordings lie in a bucket, filled and served by the program.
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KEYS, startS3 } from "@call-media/test-setup/s3-server";
import { expect, onTestFinished, vi } from "vitest";
import { run } from "./command.ts";
import { startServing } from "./program.ts";

/** An archive with one call, A, whose recording lies in the bucket; and a key that may hear it. */
export async function createArchive(content: Buffer) {
  const server = await startS3();
  for (const [name, value] of Object.entries(KEYS)) vi.stubEnv(name, value);
  const folder = await mkdtemp(join(tmpdir(), "call-media-s3-"));
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });
  const directory = join(folder, "archive");
  const places = ["--data", directory, "--media", server.address];
  const call = { kind: "call", call_id: "A", datetime: "2026-05-01T10:00:00Z" };
  await writeFile(join(folder, "a.wav"), content);
  const lines = join(folder, "calls.jsonl");
  await writeFile(lines, JSON.stringify({ ...call, media: [{ file: "a.wav" }] }));
  const rights = ["is_admin=true", "allow_download=true", "allow_all_*=true"];
  const user = await run("user", "add", "mia", "email_id=m@example.com", ...rights, ...places);
  expect(user).toMatchObject({ code: 0 });
  const issued = await run("key", "create", "--user", "mia", "--json", ...places);
  const { apiKey } = JSON.parse(issued.stdout) as { readonly apiKey: string };
  return { server, directory, places, lines, key: apiKey };
}

/** Served by a program with these options as well. */
export async function serve(content: Buffer, options: readonly string[] = []) {
  const archive = await createArchive(content);
  const { server, directory, places, lines, key } = archive;
  const imported = await run("import", ...places, lines);
  expect(imported).toMatchObject({ code: 0, stdout: expect.stringContaining("imported 1") });
  expect(await readdir(directory)).not.toContain("media");
  const program = await startServing(directory, ["--media", server.address, ...options]);
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(program.baseUrl + path, { headers: { Authorization: `Bearer ${key}`, ...headers } });
  return { ...archive, program, get };
}
