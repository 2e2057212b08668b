// A program of its own that does one piece of work on an archive, while `faulty-io.ts` spoils one of its calls, and says as it
// goes what it has been promised.
import { createHash } from "node:crypto";
import { join } from "node:path";
import {
  type CallStore,
  migrateArchive,
  type Recording,
  type Visibility,
} from "../../src/index.ts";
import { createStore, openMaintenance, openStore, type Places } from "../../src/open.ts";
import type { CopyReport, ErasureFilter } from "../../src/port/index.ts";
import { toEntry } from "../../src/suite/access-log.ts";
import { CALL_IDS, type Row, toContent, toItems } from "../../src/suite/random-archive.ts";
import { query } from "../../src/suite/records.ts";

export interface Task {
  readonly work: Work;
  readonly places: Places;
  /** What restoring and migrating make. */
  readonly target: Places;
  /** The folder of the backup. */
  readonly backup: string;
  /** The folder that the recordings come from. */
  readonly sources: string;
  readonly batches: readonly (readonly Row[])[];
  readonly filter: ErasureFilter;
}

export type Work = keyof typeof WORK;
export type Say = (...line: readonly unknown[]) => void;

/** Of one who may not see everything. */
export const SEEN: Visibility = [{ field: "agent", allowed: ["ann"] }];

const OPERATOR = "olive";
/** The writes of an import that end its transaction are promised. */
export const isPromised = (batch: number) => batch % 2 === 1;

/** Says `done` of what is promised for good, `row` and `soon` of rows of the access log, and what was answered. */
export const WORK = {
  import: async ({ places, batches, sources }: Task, say: Say) => {
    await using store = await openStore(places);
    await using session = await store.openImport();
    for (const [index, rows] of batches.entries()) {
      const items = await toItems(rows, (filename) => takeFrom(store, sources, filename));
      await session.write(items, 0, !isPromised(index));
      if (isPromised(index)) say("done", index + 1);
    }
  },
  purge: async ({ places, filter }: Task, say: Say) => {
    await (await openMaintenance(places)).erase(filter, { operator: OPERATOR });
    say("done", 1);
  },
  backup: async ({ places, backup }: Task, say: Say) => {
    const report = await (await openMaintenance(places)).snapshot?.(backup, { operator: OPERATOR });
    if (report !== undefined && isWhole(report)) say("done", 1);
  },
  restore: async ({ target, backup }: Task, say: Say) => {
    const archive = await openMaintenance(target);
    const report = await archive.restore?.(backup, { operator: OPERATOR });
    if (report !== undefined && isWhole(report)) say("done", 1);
  },
  migrate: async ({ places, target }: Task, say: Say) => {
    const act = { operation: "migrate", operator: OPERATOR, asked: {} } as const;
    const from = await openMaintenance(places);
    await using to = await createStore(target);
    const { differences, damages, damagedRecords } = await migrateArchive({ from, to, act });
    if (differences.length + damages.length + damagedRecords.length === 0) say("done", 1);
  },
  serve: async ({ places }: Task, say: Say) => {
    const store = await openStore(places);
    for (let round = 0; round < 3; round += 1)
      try {
        await answer(store, round, say);
      } catch (error) {
        say("refused", String(error));
      }
    await store[Symbol.asyncDispose]();
    say("closed");
  },
};

const isWhole = ({ damages, damagedRecords, indexFault }: CopyReport) =>
  damages.length + damagedRecords.length === 0 && indexFault === undefined;

export async function takeFrom(
  { media }: CallStore,
  sources: string,
  filename: string,
): Promise<Recording> {
  const sha256 = createHash("sha256").update(toContent(filename)).digest("hex");
  return { filename, media: await media.put({ path: join(sources, filename), sha256 }) };
}

// As the service does: a recording's row is on the disk before the first byte leaves, that of a search soon.
async function answer(
  { calls, accessLog, media }: CallStore,
  round: number,
  say: Say,
): Promise<void> {
  for (const callId of CALL_IDS) {
    const recordings = await calls.recordings({ callId }, SEEN);
    for (const [index, { media: found }] of recordings.entries()) {
      const requestId = `sound ${round} ${callId} ${index}`;
      const file = await media.open(found);
      await accessLog.append(toEntry({ requestId }), true);
      say("row", requestId);
      const buffer = new Uint8Array(found.bytes);
      try {
        await file.read(buffer);
      } finally {
        await file.close();
      }
      say("heard", callId, Buffer.from(buffer).toString());
    }
  }
  const { records, recordCount } = await calls.search(query({ visibility: SEEN }));
  const requestId = `search ${round}`;
  await accessLog.append(toEntry({ requestId }), false);
  say("soon", requestId);
  say("found", { records, recordCount });
  await accessLog.witness();
}

if (process.argv[1] === import.meta.filename) {
  // It was loaded before; whoever does the work without a fault has no need of it.
  const { arm, say } = await import("./faulty-io.ts");
  const task = JSON.parse(process.argv[2] ?? "") as Task;
  arm();
  await WORK[task.work](task, say).catch((error: unknown) => say("ended", String(error)));
}
