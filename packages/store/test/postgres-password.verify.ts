// Passwords from the file that PostgreSQL's own programs read, by their rules; and none of it in an error.
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createStore, openStore, type Places } from "../src/open.ts";
import { usePostgres } from "./support/postgres.ts";

const { createPlaces } = usePostgres();

const SECRET = String.raw`S3:CR\ET`;
const ESCAPED = String.raw`S3\:CR\\ET`;

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "password-"));
  vi.stubEnv("HOME", folder);
  vi.stubEnv("PGPASSFILE", undefined);
  vi.stubEnv("PGPASSWORD", undefined);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });
});

/** An archive whose owner, `o:ne`, has to give the password. */
async function createGuarded() {
  const { records, media } = await createPlaces();
  const { host, hostname, port, pathname } = new URL(records);
  const sql = postgres(records, { max: 1, onnotice: () => {} });
  const database = pathname.slice(1);
  await sql.unsafe(`DO $$ BEGIN CREATE ROLE "o:ne" SUPERUSER LOGIN PASSWORD '${SECRET}';
    EXCEPTION WHEN duplicate_object THEN NULL; END $$`);
  const [{ hba_file: file } = { hba_file: "" }] = await sql<{ hba_file: string }[]>`SHOW hba_file`;
  const rule = `host all "o:ne" 127.0.0.1/32 scram-sha-256\n`;
  const rules = await readFile(file, "utf8");
  if (!rules.startsWith(rule)) await writeFile(file, rule + rules);
  await sql`SELECT pg_reload_conf()`;
  await sql.end();
  const places = { records: `postgres://o%3Ane@${host}/${database}`, media };
  // The file says so for connections from now on, which may be a moment later.
  await vi.waitFor(() => expect(openStore(places)).rejects.toThrow("password"), {
    timeout: 60_000,
  });
  return { places, hostname, port, database };
}

/** The time zone of the archive, which is read by a connection. */
async function open(places: Places): Promise<string> {
  await using store = await openStore(places);
  return store.timeZone;
}

async function writePasswords(lines: readonly string[], mode = 0o600, name = ".pgpass") {
  const path = join(folder, name);
  await writeFile(path, lines.join("\n"));
  await chmod(path, mode);
  return path;
}

test("the first line that fits has it: in ~/.pgpass, or where PGPASSFILE says", async () => {
  const { places, hostname, port, database } = await createGuarded();
  await writePasswords([
    `# ${hostname}:${port}:${database}:o\\:ne:comment`,
    `${hostname}:1:${database}:o\\:ne:port`,
    `other:${port}:*:o\\:ne:host`,
    `*:*:${database}x:*:database`,
    `*:*:*:o:ne:user`,
    `${hostname}:${port}:${database}:o\\:ne:${ESCAPED}\r`,
    `*:*:*:*:later`,
  ]);
  await (await createStore(places))[Symbol.asyncDispose]();
  await writePasswords(["*:*:*:*:first", `*:*:*:*:${ESCAPED}`]);
  await expect(openStore(places)).rejects.toThrow("password authentication failed");
  vi.stubEnv(
    "PGPASSFILE",
    await writePasswords([`*:*:*:*:${SECRET.replace("\\", "\\\\")}`], 0o600, "p"),
  );
  expect(await open(places)).toBe("UTC");
});

test("one in the address, or in PGPASSWORD, comes before the file", async () => {
  const { places } = await createGuarded();
  await writePasswords([`*:*:*:*:wrong`]);
  const withPassword = places.records.replace("@", `:${encodeURIComponent(SECRET)}@`);
  expect(await open({ ...places, records: withPassword })).toBe("UTC");
  vi.stubEnv("PGPASSWORD", SECRET);
  expect(await open(places)).toBe("UTC");
});

test("a file that others may read is not read, and the error says so without what is in it", async () => {
  const { places } = await createGuarded();
  const path = await writePasswords([`*:*:*:*:${ESCAPED}`], 0o640);
  const error: unknown = await openStore(places).catch((thrown: unknown) => thrown);
  expect(String(error)).toContain(`${path} was not read: others may read it (chmod 600 ${path})`);
  vi.stubEnv("PGPASSFILE", join(folder, "none"));
  await expect(openStore(places)).rejects.toThrow(`${join(folder, "none")} could not be read`);
  vi.stubEnv("PGPASSFILE", folder);
  await expect(openStore(places)).rejects.toThrow(`${folder} was not read: it is not a file`);
  vi.stubEnv("PGPASSFILE", await writePasswords([`*:*:*:*:wrong${ESCAPED}`]));
  const refused: unknown = await openStore(places).catch((thrown: unknown) => thrown);
  expect(String(refused)).toContain("password authentication failed");
  expect(`${String(error)} ${String(refused)}`).not.toMatch(/S3|CR|ET/);
});
