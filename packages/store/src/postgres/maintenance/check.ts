// Checks an archive in PostgreSQL: records, credentials, the access log, recordings. The database's own files are left to
// its checksums and backups.
import { examineMediaStore } from "../../media/examine-media-store.ts";
import type { Finding, OnProgress } from "../../port/index.ts";
import {
  toClockFindings,
  toLogFindings,
  toOwnerFindings,
} from "../../values/credential-findings.ts";
import { toNotedLog, verifyChain } from "../access-log.ts";
import { examineHeadNote } from "../../media/head-note.ts";
import { type Archive, type PostgresPlaces, toLogId } from "../archive.ts";
import type { Ask } from "../connection.ts";
import { DIGESTED, listAltered, SUMMED } from "../digested.ts";
import { examineIndex } from "./examine-index.ts";
import { examineSchema } from "./examine-schema.ts";
import { openSnapshot } from "../open-transaction.ts";
import { EVERY_ID } from "./id-ranges.ts";
import { listLost } from "../row-sums.ts";
import { examineLedger } from "../../values/ledger-findings.ts";
import { readNew, toOwn } from "./ledger.ts";
import { compareWithLedger } from "./ledger-holds.ts";
import { openReferencedMedia } from "./referenced-media.ts";
import { examineReplica } from "../replica.ts";
import { toMigrationFindings } from "../../values/half-migrated.ts";
import { createRecordForm } from "../call-rows.ts";
import { nameDamagedPerson, nameDigested } from "../../values/damaged-records.ts";
import { isWholePerson, type PersonRow, selectPersons } from "../users.ts";
import { measure, readCalls, readLoneChats } from "./scan.ts";

/** Closes the archive. */
export async function check(
  archive: Archive,
  { replica }: Pick<PostgresPlaces, "replica">,
  onProgress: OnProgress,
): Promise<readonly Finding[]> {
  await using referenced = await openReferencedMedia(archive, {});
  const { ask } = archive.write;
  const records = await examineRecords(archive, onProgress);
  return [
    ...toMigrationFindings(archive.settings.migrating, "table setting"),
    ...(await examineSchema(archive.write)),
    ...records,
    ...(await examineRest(archive, records.length > 0)),
    ...(await examineClock(ask)),
    ...(await examineLog(archive)),
    ...(await examineOwners(ask)),
    ...(await examineOwnLedger(archive)),
    ...(replica === undefined ? [] : await examineReplica(archive, replica)),
    ...(await examineMediaStore(archive.media, referenced, onProgress)),
  ];
}

/** While another archive is being migrated into this one, it is not that archive yet. */
async function examineOwnLedger(archive: Archive): Promise<Finding[]> {
  const own = toOwn(archive);
  if (own === undefined || archive.settings.migrating !== "") return [];
  return await examineLedger({
    name: own.place.name,
    countBehind: async () => (await readNew(archive)).entries.length,
    compareHolds: () => compareWithLedger(archive),
  });
}

async function examineLog({ write: { ask }, media, settings }: Archive): Promise<Finding[]> {
  const where = "table access";
  const { fault } = await verifyChain(ask);
  if (fault !== undefined) return toLogFindings(fault, where);
  return await examineHeadNote(media, toNotedLog(ask, toLogId(settings)), where);
}

const KINDS = { user: "users", flag: "flags", call: "calls", chat: "chat messages" } as const;

async function examineRecords(archive: Archive, onProgress: OnProgress): Promise<Finding[]> {
  const bytesTotal = await measure(archive, EVERY_ID);
  await using snapshot = await openSnapshot(archive.write);
  const { ask } = snapshot;
  const found: { readonly table: keyof typeof KINDS; readonly name: string }[] = [];
  for (const table of ["user", "flag"] as const)
    for (const row of await ask<PersonRow>(selectPersons(table)))
      if (!isWholePerson(table, row)) found.push({ table, name: nameDamagedPerson(table, row.id) });
  let bytesDone = 0;
  for await (const { row, item, name, chats } of readCalls(archive, ask, { range: EVERY_ID })) {
    onProgress({ step: "records", bytesDone: (bytesDone += row.record.length), bytesTotal });
    if (item === undefined) found.push({ table: "call", name });
    for (const { message } of chats) if (message === undefined) found.push({ table: "chat", name });
  }
  const { toMessage } = createRecordForm(archive.settings);
  for await (const { damaged = [] } of readLoneChats(ask, {}, toMessage))
    found.push(...damaged.map((name) => ({ table: "chat" as const, name })));
  return [...Map.groupBy(found, ({ table }) => table)].map(([table, rows]) => ({
    level: "error",
    what: `${KINDS[table]} are not what was imported: ${rows.length}, ${rows[0]?.name} for one`,
    where: `table ${table}`,
    todo: AS_BEFORE,
  }));
}

/** Checks the other tables: their digests, then whether rows are missing, and then whether they match the records. */
async function examineRest(archive: Archive, isDamaged: boolean): Promise<Finding[]> {
  await using snapshot = await openSnapshot(archive.write);
  const altered: Finding[] = [];
  for (const table of DIGESTED) {
    const names = await listAltered(snapshot.ask, table);
    if (names.length > 0)
      altered.push({
        level: "error",
        what: `rows are not what was written: ${names.length}, ${names[0]} for one`,
        where: `table ${table}`,
        todo: AS_BEFORE,
      });
  }
  // The digest of a record does not cover the act that added it.
  for (const table of ["call", "chat", "user", "flag"]) {
    const [lost] = await snapshot.ask<{ act: string }>(
      `SELECT act FROM "${table}" WHERE act IS NOT NULL AND NOT EXISTS (SELECT FROM act WHERE act.id = "${table}".act) LIMIT 1`,
    );
    if (lost !== undefined)
      altered.push({
        level: "error",
        what: `${nameDigested("act", { id: lost.act })} is not there`,
        where: `table ${table}`,
        todo: AS_BEFORE,
      });
  }
  for (const table of SUMMED)
    for (const name of await listLost(snapshot.ask, [table], isDamaged || altered.length > 0))
      altered.push({
        level: "error",
        what: `${name} is not what was written`,
        where: `table ${table}`,
        todo: AS_BEFORE,
      });
  return [...altered, ...(await examineIndex(archive, snapshot.ask))];
}

const AS_BEFORE =
  "restore the database as it was before, and look for what changed it: a disk, memory, a person";

async function examineClock(ask: Ask): Promise<Finding[]> {
  const [newest] = await ask<{ ms: number; name: string }>(
    `SELECT created_ms::float8 AS ms,
       CASE kind WHEN 'token' THEN 'a token of application ' || secret_id ELSE 'API key ' || id END AS name
     FROM bearer WHERE revoked_ms IS NULL
     UNION ALL SELECT created_ms, 'application ' || secret_id FROM application WHERE revoked_ms IS NULL
     ORDER BY ms DESC LIMIT 1`,
  );
  return toClockFindings(newest, Date.now(), "table bearer");
}

async function examineOwners(ask: Ask): Promise<Finding[]> {
  const issued = await ask<{ name: string; userId: number; status: number }>(
    `SELECT 'application ' || secret_id AS name, user_id::float8 AS "userId", status::float8
       FROM application JOIN "user" ON "user".id = user_id WHERE revoked_ms IS NULL
     UNION ALL SELECT 'API key ' || bearer.id, user_id::float8, status::float8
       FROM bearer JOIN "user" ON "user".id = user_id WHERE kind = 'key' AND revoked_ms IS NULL`,
  );
  return issued.flatMap((one) => toOwnerFindings(one, "table bearer"));
}
