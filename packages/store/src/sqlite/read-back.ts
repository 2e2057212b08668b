// Reads an archive in SQLite back in small steps: see values/read-back.ts. Runs between requests, on the connection of lookups.
import type { DatabaseSync } from "node:sqlite";
import type { MediaStore } from "../port/index.ts";
import type { ReadBack } from "../port/read-back.ts";
import { BEFORE, type FollowingRow } from "../values/access-chain.ts";
import {
  nameDamagedCall,
  nameDamagedMessage,
  nameDamagedPerson,
  readWhole,
} from "../values/damaged-records.ts";
import { FIRST_DATED_ID } from "../values/order-key.ts";
import {
  createReadBack,
  type KeptMedia,
  MEDIA_OF_A_STEP,
  type ReadBackSource,
  type ReadPart,
  ROWS_OF_A_STEP,
  toPosition,
} from "../values/read-back.ts";
import { readHead } from "./access/access-witness.ts";
import { CALL_COLUMNS, type CallRow, createRecordForm } from "./call-row.ts";
import { createMessageReader, MESSAGE_COLUMNS, type MessageRow } from "./chats.ts";
import { prepareBig, prepareRows } from "./files/connection.ts";
import { isBusy } from "./files/database.ts";
import { inTransaction, readAtOnce, type ReadTurn } from "./files/transaction.ts";
import { checkRecording, createMediaReader } from "./recording-rows.ts";
import { findSetting, putSetting } from "./settings.ts";
import { isWholePerson, selectPersons } from "./users.ts";

interface Served {
  readonly database: DatabaseSync;
  /** A connection to access.db. */
  readonly access: DatabaseSync;
  readonly turn: ReadTurn;
  readonly media: Pick<MediaStore, "verify">;
  readonly now: () => number;
}

const NAME = "read_back";

export function createArchiveReadBack({ database, access, turn, media, now }: Served): ReadBack {
  const readRows = (read: ReadPart): ReadPart => {
    return (after, signal) => {
      turn.end();
      return readAtOnce(database, () => read(after, signal));
    };
  };
  const load = () => findSetting(database, NAME);
  const swap = (known: string | undefined, next: string): boolean => {
    turn.end();
    const timeout = Number(database.prepare("PRAGMA busy_timeout").get()?.["timeout"]);
    try {
      // An import holds the lock for seconds; requests must not wait for it.
      database.exec("PRAGMA busy_timeout = 0");
      return inTransaction(database, () => {
        if (load() !== known) return false;
        putSetting(database, NAME, next);
        return true;
      });
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    } finally {
      database.exec(`PRAGMA busy_timeout = ${timeout}`);
    }
  };
  return createReadBack(
    {
      persons: readRows(async () => readPersons(database)),
      calls: readRows(createCallPart(database)),
      chats: readRows(createChatPart(database)),
      media,
      listMedia: createMediaLister(database),
      listLog: createLogLister(access),
      load: async () => load(),
      swap: async (known, next) => swap(known, next),
    },
    now,
  );
}

function readPersons(database: DatabaseSync) {
  const damaged = (["user", "flag"] as const).flatMap((table) =>
    prepareRows(database, selectPersons(table))
      .all()
      .flatMap((row) => (isWholePerson(table, row) ? [] : nameDamagedPerson(table, row["id"]))),
  );
  return { damaged };
}

function createCallPart(database: DatabaseSync): ReadPart {
  const { toRecord } = createRecordForm(database);
  const readRecordings = createMediaReader(database);
  const read = (row: CallRow) => toRecord(row, readRecordings(row.id).map(checkRecording));
  const select = prepareBig<CallRow>(
    database,
    `SELECT ${CALL_COLUMNS} FROM call WHERE id > ? ORDER BY id LIMIT ${ROWS_OF_A_STEP}`,
  );
  const last = prepareBig<{ id: bigint | null }>(database, "SELECT max(id) AS id FROM call");
  const first = prepareBig<{ id: bigint | null }>(
    database,
    `SELECT min(id) AS id FROM call WHERE id >= ${FIRST_DATED_ID}`,
  );
  return async (after) => {
    const rows = select.all(after === undefined ? -(2n ** 63n) : BigInt(after));
    const damaged = rows.flatMap((row) =>
      readWhole(() => read(row)) === undefined ? nameDamagedCall(row.call_id, row.ref_id) : [],
    );
    const id = rows.length < ROWS_OF_A_STEP ? undefined : rows.at(-1)?.id;
    if (id === undefined) return { damaged };
    const position = toPosition(id, first.get()?.id ?? id, last.get()?.id ?? id);
    return { after: String(id), position, damaged };
  };
}

function createChatPart(database: DatabaseSync): ReadPart {
  const read = createMessageReader(database);
  const select = prepareRows<MessageRow & { id: number }>(
    database,
    `SELECT id, ${MESSAGE_COLUMNS} FROM chat WHERE id > ? ORDER BY id LIMIT ${ROWS_OF_A_STEP}`,
  );
  const last = prepareRows<{ id: number | null }>(database, "SELECT max(id) AS id FROM chat");
  return async (after) => {
    const rows = select.all(Number(after ?? -1));
    const damaged = rows.flatMap((row) =>
      readWhole(() => read(row)) === undefined ? nameDamagedMessage(row.call_id) : [],
    );
    const id = rows.length < ROWS_OF_A_STEP ? undefined : rows.at(-1)?.id;
    if (id === undefined) return { damaged };
    return { after: String(id), position: id / Math.max(1, last.get()?.id ?? 1), damaged };
  };
}

function createLogLister(access: DatabaseSync): ReadBackSource["listLog"] {
  const select = prepareRows<FollowingRow>(
    access,
    `SELECT seq, entry, hash, ${BEFORE} FROM access WHERE seq > ? ORDER BY seq LIMIT ${ROWS_OF_A_STEP}`,
  );
  return async (after) => ({ rows: select.all(after), last: readHead(access)?.seq ?? 0 });
}

function createMediaLister(database: DatabaseSync) {
  const select = prepareRows<KeptMedia>(
    database,
    `SELECT sha256, bytes, fingerprint AS version, path AS location FROM media
     WHERE sha256 > ? ORDER BY sha256 LIMIT ${MEDIA_OF_A_STEP}`,
  );
  return async (after: string) => select.all(after);
}
