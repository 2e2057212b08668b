// Reads an archive in PostgreSQL back in small steps: see values/read-back.ts. All servers share one walk.
import type { ReadBack } from "../port/read-back.ts";
import { BEFORE, type FollowingRow } from "../values/access-chain.ts";
import { nameDamagedPerson, readWhole } from "../values/damaged-records.ts";
import {
  createReadBack,
  type KeptMedia,
  MEDIA_OF_A_STEP,
  type ReadPart,
  ROWS_OF_A_STEP,
  toPosition,
} from "../values/read-back.ts";
import type { Archive } from "./archive.ts";
import { type CallRow, createRecordForm, nameCall, readItems } from "./call-rows.ts";
import { MESSAGE_COLUMNS, type MessageRow, nameStored } from "./chats.ts";
import type { Ask } from "./connection.ts";
import { isWhole, type Judged, toWhole } from "./digested.ts";
import { isWholePerson, type PersonRow, selectPersons } from "./users.ts";

export function createArchiveReadBack(archive: Archive): ReadBack {
  const { write, media } = archive;
  const { ask } = write;
  return createReadBack({
    persons: () => readPersons(ask),
    calls: createCallPart(archive),
    chats: createChatPart(archive),
    media,
    listMedia: (after) => listMedia(ask, after),
    listLog: (after) => listLog(ask, after),
    load: async () => {
      const rows = await ask<{ state: string | null } & Judged>(
        `SELECT state, ${isWhole("read_back")} AS whole FROM read_back`,
      );
      return toWhole("read_back", rows)[0]?.state ?? undefined;
    },
    swap: async (known, next) => {
      const rows = await write.transact(({ ask: askIn }) =>
        askIn(
          "UPDATE read_back SET state = $2::text, digest = NULL WHERE state IS NOT DISTINCT FROM $1::text RETURNING 1",
          [known ?? null, next],
        ),
      );
      return rows.length > 0;
    },
  });
}

async function readPersons(ask: Ask) {
  const damaged: string[] = [];
  for (const table of ["user", "flag"] as const)
    for (const row of await ask<PersonRow>(selectPersons(table)))
      if (!isWholePerson(table, row)) damaged.push(nameDamagedPerson(table, row.id));
  return { damaged };
}

/** Newest first. */
function createCallPart({ write: { ask }, settings }: Archive): ReadPart {
  const form = createRecordForm(settings);
  return async (after) => {
    const rows = await ask<CallRow>(
      `SELECT id, identity, digest, linked, record FROM call
       WHERE $1::int8 IS NULL OR id < $1::int8 ORDER BY id DESC LIMIT ${ROWS_OF_A_STEP}`,
      [after ?? null],
    );
    const damaged = (await readItems(ask, rows, form)).flatMap(({ row, toItem }) =>
      readWhole(toItem) === undefined ? nameCall(row, form.readNames(row)) : [],
    );
    const last = rows.length < ROWS_OF_A_STEP ? undefined : rows.at(-1);
    if (last === undefined) return { damaged };
    const [ends] = await ask<{ first: string; last: string }>(
      "SELECT min(id) AS first, max(id) AS last FROM call",
    );
    const id = BigInt(last.id);
    const position = 1 - toPosition(id, BigInt(ends?.first ?? id), BigInt(ends?.last ?? id));
    return { after: last.id, position, damaged };
  };
}

function createChatPart({ write: { ask }, settings }: Archive): ReadPart {
  const { toMessage } = createRecordForm(settings);
  return async (after = "0") => {
    const rows = await ask<MessageRow & { id: string }>(
      `SELECT id, ${MESSAGE_COLUMNS} FROM chat WHERE id > $1::int8 ORDER BY id LIMIT ${ROWS_OF_A_STEP}`,
      [after],
    );
    const damaged = rows.flatMap((row) =>
      readWhole(() => toMessage(row)) === undefined ? nameStored(row) : [],
    );
    const last = rows.length < ROWS_OF_A_STEP ? undefined : rows.at(-1);
    if (last === undefined) return { damaged };
    const [ends] = await ask<{ last: string }>("SELECT max(id) AS last FROM chat");
    return { after: last.id, position: Number(last.id) / Number(ends?.last ?? last.id), damaged };
  };
}

const listMedia = (ask: Ask, after: string): Promise<readonly KeptMedia[]> =>
  ask(
    `SELECT encode(sha256, 'hex') AS sha256, bytes::float8, version, location FROM media
     WHERE sha256 > decode($1::text, 'hex') ORDER BY sha256 LIMIT ${MEDIA_OF_A_STEP}`,
    [after],
  );

async function listLog(ask: Ask, after: number) {
  const rows = await ask<FollowingRow>(
    `SELECT seq::float8, entry, hash, ${BEFORE} FROM access WHERE seq > $1::int8 ORDER BY seq LIMIT ${ROWS_OF_A_STEP}`,
    [after],
  );
  const [end] = await ask<{ last: number | null }>("SELECT max(seq)::float8 AS last FROM access");
  return { rows, last: end?.last ?? 0 };
}
