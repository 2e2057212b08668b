// The entry point of an archive in memory: the adapter that the others are compared with, and the quickest for tests.
import type { CallStore } from "../port/index.ts";
import { isTimeZone } from "../values/instant.ts";
import { createAccessLog } from "./access-log.ts";
import { createCalls } from "./calls.ts";
import { createCredentials } from "./credentials.ts";
import { createImportSession } from "./import-session.ts";
import { createMaintenance } from "./maintenance.ts";
import { createMedia } from "./media.ts";
import { createTables } from "./tables.ts";
import { createUsers } from "./users.ts";

export interface MemoryStoreOptions {
  /** IANA name (D03); default UTC. */
  readonly timeZone?: string | undefined;
  /** The clock, ms since 1970; for tests. */
  readonly now?: () => number;
}

/**
 * Creates an empty archive, which is gone when the program ends.
 *
 * @throws TypeError for a time zone that does not exist.
 */
export function createMemoryStore({
  timeZone = "UTC",
  now = Date.now,
}: MemoryStoreOptions = {}): CallStore {
  if (!isTimeZone(timeZone)) throw new TypeError(`"${timeZone}" is not a time zone`);
  const tables = createTables();
  let isClosed = false;
  return {
    timeZone,
    hasWordSearch: true,
    calls: createCalls(tables, timeZone),
    users: createUsers(tables),
    credentials: createCredentials(tables, now),
    accessLog: createAccessLog(tables, () => isClosed),
    media: createMedia(tables),
    maintenance: createMaintenance(tables, timeZone),
    openImport: async (options = {}) => createImportSession(tables, timeZone, options),
    importedRows: async () => ({ ...tables.imported }),
    vitals: async () => ({
      freeBytes: undefined,
      owed: tables.owed.callIds.size + tables.owed.references.size,
      noted: Object.fromEntries(tables.noted),
    }),
    [Symbol.asyncDispose]: async () => {
      isClosed = true;
    },
  };
}
