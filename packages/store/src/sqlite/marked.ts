// Lists in archive.db what marks of the ledger are for. Reads every call and every message.
import type { DatabaseSync } from "node:sqlite";
import { readWhole } from "../values/damaged-records.ts";
import { createStoredNamer, listMessageNames, type Sought } from "../values/tombstones.ts";
import { CALL_COLUMNS, type CallRow, createRecordForm } from "./call-row.ts";
import {
  createLists,
  type DoomedRows,
  keepWithSound,
  listChatsOfCalls,
  listFiles,
  sumUp,
} from "./erasure.ts";
import { prepareBig, prepareRows } from "./files/connection.ts";
import { readTimeZone } from "./settings.ts";
import { toErased } from "./tombstones.ts";

/** Returns a function that is true for a call of the archive that one of these marks is for. */
export function createCallTest(
  database: DatabaseSync,
  isMarked: (names: readonly Sought[]) => boolean,
): (id: bigint) => boolean {
  const find = prepareBig<StoredRow>(database, `${CALLS} WHERE id = ?`);
  const { toRecord } = createRecordForm(database);
  const toNames = createStoredNamer(readTimeZone(database));
  return (id) => {
    const row = find.get(id);
    const call = row && readWhole(() => toErased(row, toRecord));
    return call !== undefined && isMarked(toNames(call));
  };
}

interface Marked {
  readonly isMarked: (names: readonly Sought[]) => boolean;
  /** Of the contents that nothing names any more only these are listed. */
  readonly sounds: ReadonlySet<string>;
  /** True if those of the calls are listed, too. */
  readonly isUnlisted: boolean;
}

/** Lists the rows that these marks are for, as far as they exist. Reads every call. */
export function listMarked(database: DatabaseSync, { isMarked, ...which }: Marked): DoomedRows {
  createLists(database);
  listMarkedCalls(database, (names) => isMarked(names.filter(({ isSound }) => isSound !== true)));
  const addChat = database.prepare("INSERT INTO doomed_chat (id) VALUES (?)");
  for (const { id, digest, ...message } of prepareRows<MessageRow>(database, CHATS).iterate())
    if (isMarked(listMessageNames(digest, message))) addChat.run(id);
  listChatsOfCalls(database);
  return countSounds(database, which);
}

/** Lists the calls of whose recordings these marks are. Reads every call. */
export function listMarkedSound(
  database: DatabaseSync,
  { isMarked, ...which }: Marked,
): DoomedRows {
  createLists(database);
  listMarkedCalls(database, (names) => isMarked(names.filter(({ isSound }) => isSound === true)));
  keepWithSound(database);
  return countSounds(database, which);
}

function countSounds(
  database: DatabaseSync,
  { sounds, isUnlisted }: Omit<Marked, "isMarked">,
): DoomedRows {
  listFiles(database);
  database
    .prepare(OTHER_SOUNDS)
    .run({ sounds: JSON.stringify([...sounds]), isUnlisted: Number(isUnlisted) });
  return sumUp(database);
}

const OTHER_SOUNDS = `DELETE FROM doomed_file WHERE path IS NOT NULL
  OR sha256 NOT IN (SELECT value FROM json_each(:sounds))
    AND (NOT :isUnlisted OR sha256 NOT IN (SELECT sha256 FROM recording UNION ALL SELECT sha256 FROM version_recording))`;

function listMarkedCalls(
  database: DatabaseSync,
  isMarked: (names: readonly Sought[]) => boolean,
): void {
  const addCall = database.prepare("INSERT INTO doomed_call (id) VALUES (?)");
  const { toRecord } = createRecordForm(database);
  const toNames = createStoredNamer(readTimeZone(database));
  for (const row of prepareBig<StoredRow>(database, CALLS).iterate()) {
    const call = readWhole(() => toErased(row, toRecord));
    if (call !== undefined && isMarked(toNames(call))) addCall.run(row.id);
  }
}

type StoredRow = CallRow & { readonly identity: Uint8Array | null };

const CALLS = `SELECT ${CALL_COLUMNS}, identity FROM call`;

interface MessageRow {
  readonly id: number;
  readonly digest: Uint8Array;
  readonly callId: string | null;
  readonly instantMs: number;
}

const CHATS = 'SELECT id, digest, call_id AS "callId", instant_ms AS "instantMs" FROM chat';
