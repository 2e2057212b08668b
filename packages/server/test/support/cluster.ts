// Several servers as processes over one archive in PostgreSQL and a bucket, filled by the program's own commands.
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PostgresServer, startPostgres } from "@call-media/test-setup/postgres";
import { KEYS, startS3 } from "@call-media/test-setup/s3-server";
import { expect, onTestFinished, vi } from "vitest";
import { run } from "./command.ts";
import { type Program, startProgram } from "./program.ts";

export const isLong = process.env["CALL_MEDIA_TIER"] === "prove";

export const SERVERS = 3;
export const CALLS = 120;
export const RECORDINGS = 8;
const RECORDING_BYTES = 400_000;

/** One of the processes. `killedAt`: of the cluster's `tick`, undefined while nobody has killed it. */
export interface Server {
  readonly program: Program;
  killedAt: number | undefined;
}

export interface Cluster {
  readonly postgres: PostgresServer;
  /** The options that say where the archive is. */
  readonly places: readonly string[];
  readonly application: { readonly secretID: string; readonly secretKey: string };
  /** Those that run, or have just been killed, by their places. */
  readonly servers: Server[];
  /** Counts what happens, so that one thing is known to come before another. */
  readonly tick: () => number;
  /** SIGKILL. */
  readonly kill: (place: number) => Promise<void>;
  /** Another process in this place. */
  readonly restart: (place: number) => Promise<void>;
}

export async function startCluster(): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), "call-media-cluster-"));
  const postgres = await startPostgres();
  onTestFinished(async () => {
    await postgres[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });
  const places = ["--records", await postgres.createDatabase(), "--media", await startBucket()];
  await expectDone("setup", ...places);
  await expectDone("import", ...places, await writeArchive(folder));
  const created = await expectDone("app", "create", "--user", "mia", "--json", ...places);
  const start = async () => ({
    program: await startProgram(places, ["--metrics-port", "0"]),
    killedAt: undefined,
  });
  const servers: Server[] = await Promise.all(Array.from({ length: SERVERS }, start));
  let ticks = 0;
  const tick = () => (ticks += 1);
  return {
    postgres,
    places,
    application: JSON.parse(created),
    servers,
    tick,
    kill: async (place) => {
      const server = servers[place];
      if (server === undefined) throw new Error(`the cluster has no server ${place}`);
      server.killedAt = tick();
      server.program.signal("SIGKILL");
      expect(await server.program.ended).toMatchObject({ signal: "SIGKILL" });
    },
    restart: async (place) => {
      servers[place] = await start();
    },
  };
}

/** Gives what it has printed. */
export async function expectDone(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return stdout;
}

/** The address of a bucket until the test is over: of Swift in the long form, where that is installed. */
async function startBucket(): Promise<string> {
  onTestFinished(() => void vi.unstubAllEnvs());
  const use = (env: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  };
  if (isLong) {
    const { hasSwift, startSwift } = await import("@call-media/test-setup/swift");
    if (hasSwift) {
      const swift = await startSwift();
      onTestFinished(() => swift[Symbol.asyncDispose]());
      await swift.createBucket("recordings");
      use(swift.env);
      return `s3://recordings/cm?endpoint=${swift.endpoint}`;
    }
  }
  use(KEYS);
  return (await startS3()).address;
}

async function writeArchive(folder: string): Promise<string> {
  const user = { kind: "user", id: 1, username: "mia", status: 1, created_date: "2026-01-01" };
  const rights = ["campaigns", "skills", "agents", "groups", "media", "download_doc_type"];
  const secure = [1, 2, 3, 4, 5].map((field) => `secure0${field}`);
  const allowed = [...rights, ...secure].map((right) => [`allow_all_${right}`, true]);
  const calls = Array.from({ length: CALLS }, (_, call) => ({
    kind: "call",
    call_id: `call-${call}`,
    ref_id: `ref-${call}`,
    agent: `agent ${call % 7}`,
    datetime: new Date(Date.UTC(2026, 0, 1 + (call % 90), 9)).toISOString(),
    ...(call < RECORDINGS && { media: [{ file: `${call}.wav` }] }),
  }));
  for (let call = 0; call < RECORDINGS; call += 1)
    await writeFile(join(folder, `${call}.wav`), randomBytes(RECORDING_BYTES));
  const lines = [{ ...user, allow_download: true, ...Object.fromEntries(allowed) }, ...calls];
  const file = join(folder, "archive.jsonl");
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join("\n"));
  return file;
}
