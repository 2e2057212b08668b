// What the access log is told of a purge, and what it knows of those before.
import type { DatabaseSync } from "node:sqlite";
import type { ErasedCounts, ErasureEntry } from "../access-log.ts";
import { createAccessJobs } from "../sqlite/access/access-jobs.ts";
import { tryUpdateWitness } from "../sqlite/access/access-witness.ts";
import { openAccessOf } from "../sqlite/access/access-pairing.ts";
import { isOfIdentifier, toAsked, toErasureEntry } from "../values/erasure-entry.ts";
import { listCallIds } from "../sqlite/erasure.ts";
import type { PurgeFilter } from "./purge.ts";

export interface PurgeRecord extends Disposable {
  /** Tells the log what is about to go. */
  write(told: Pick<ErasureEntry, "operator" | "erased">): void;
  /** See `PurgePlan.takenMs`. */
  findEarlier(found: ErasedCounts): number | undefined;
}

/** Of a purge in the archive of the folder, whose calls are listed on the connection. */
export function openPurgeRecord(
  archive: DatabaseSync,
  directory: string,
  filter: PurgeFilter,
): PurgeRecord {
  const access = openAccessOf(archive, directory);
  return {
    write: (told) => {
      const entry = toErasureEntry(filter, told, () => listCallIds(archive));
      createAccessJobs(access)({ kind: "append", entries: [JSON.stringify(entry)] });
    },
    findEarlier: ({ calls, chats }) => {
      if (!isOfIdentifier(filter) || calls + chats > 0) return undefined;
      const found = access.prepare(EARLIER).get(JSON.stringify(toAsked(filter)));
      return typeof found?.["ms"] === "number" ? found["ms"] : undefined;
    },
    [Symbol.dispose]: () => {
      tryUpdateWitness(archive, access);
      access.close();
    },
  };
}

const EARLIER = `
  SELECT max(entry ->> '$.timeMs') AS ms FROM access WHERE CASE WHEN json_valid(entry) THEN
    entry ->> '$.operation' = 'purge' AND entry -> '$.asked' = ?
    AND entry ->> '$.erased.calls' + entry ->> '$.erased.chats' > 0 END`;
