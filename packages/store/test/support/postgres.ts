// Archives in PostgreSQL for tests: one server for a file of tests, and in it a database for each archive, made from a template.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PgBouncer } from "@call-media/test-setup/pgbouncer";
import { hasPostgres, type PostgresServer, startPostgres } from "@call-media/test-setup/postgres";
import postgres from "postgres";
import { afterAll, beforeAll, beforeEach, onTestFinished } from "vitest";
import type { CallStore } from "../../src/index.ts";
import { createStore } from "../../src/open.ts";

export interface PostgresPlace {
  readonly records: string;
  readonly media: string;
}

export interface TestServer {
  readonly server: () => PostgresServer;
  /** The addresses of an archive that nobody has opened yet. */
  readonly createPlaces: () => Promise<PostgresPlace>;
  /** An empty archive, which whoever asks for it closes. */
  readonly create: (timeZone?: string) => Promise<CallStore>;
}

export interface TestSetting {
  /** Of the oldest version that an archive can lie in. */
  readonly isOldest?: boolean;
  /** Archives are reached through PgBouncer. */
  readonly isPooled?: boolean;
}

/** To be called once at the top of a file of tests. */
export function usePostgres({ isOldest, isPooled = false }: TestSetting = {}): TestServer {
  let bouncer: PgBouncer | undefined;
  let server: PostgresServer | undefined;
  const started = () => {
    if (server === undefined) throw new Error("the server is started before the first test");
    return server;
  };
  let template = "";
  beforeEach(({ skip }) => skip(!hasPostgres));
  beforeAll(async () => {
    if (!hasPostgres) return;
    server = await startPostgres(isOldest);
    const records = await server.createDatabase();
    const media = await createMediaPlace();
    await (await createStore({ records, media }))[Symbol.asyncDispose]();
    template = new URL(records).pathname.slice(1);
    if (!isPooled) return;
    const { startPgBouncer } = await import("@call-media/test-setup/pgbouncer");
    bouncer = await startPgBouncer(records);
  });
  afterAll(async () => {
    await bouncer?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });
  const createPlaces = async () => {
    const folder = await createMediaPlace();
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const records = await started().createDatabase(template);
    await becomeAnother(records);
    return { records: bouncer?.toAddress(records) ?? records, media: `file:${folder}` };
  };
  return {
    server: started,
    createPlaces,
    create: async (timeZone) => await createStore(await createPlaces(), { timeZone }),
  };
}

/** A copy of an archive would be the same archive. */
async function becomeAnother(records: string): Promise<void> {
  const sql = postgres(records, { max: 1, onnotice: () => {} });
  await sql`SET call_media.counts = 'on'`;
  await sql`UPDATE setting SET value = md5(random()::text), digest = NULL WHERE name IN ('archive_id', 'tombstone_key')`;
  await sql.end();
}

const createMediaPlace = () => mkdtemp(join(tmpdir(), "media-"));
