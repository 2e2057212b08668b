// The settings of an archive: single named values, stored next to its records.
import { randomUUID } from "node:crypto";
import { fieldsOf } from "@call-media/api";
import { checkTimeZone } from "../values/stored-settings.ts";
import type { Ask, Pool } from "./connection.ts";
import { isWhole, type Judged, toWhole } from "./digested.ts";
import { lockSchema } from "./locks.ts";

interface Setting {
  readonly name: string;
  readonly value: string;
}

/** Every archive has these from the start. */
export interface Settings {
  readonly archiveId: string;
  /** Identifies this access log. An archive that an earlier program set up has none until it is set up again. */
  readonly accessId: string;
  /** The seed of the terms: 16 hexadecimal digits. */
  readonly indexSeed: string;
  /** JSON: the names of the fields in the order of a stored record's values. */
  readonly recordFields: string;
  readonly timeZone: string;
  readonly tombstoneKey: string;
  /** When an unfinished migration into this archive began; empty without one. */
  readonly migrating: string;
  /** JSON; undefined without one. */
  readonly policy: string | undefined;
}

/** Throws `StoreFault` for a damaged setting. */
export async function readSettings({ ask }: Pick<Pool, "ask">): Promise<Settings> {
  const rows = await ask<Setting & Judged>(
    `SELECT name, value, ${isWhole("setting")} AS whole FROM setting`,
  );
  const values = new Map(toWhole("setting", rows).map(({ name, value }) => [name, value]));
  const read = (name: string) => values.get(name) ?? "";
  return {
    archiveId: read("archive_id"),
    accessId: read("access_id"),
    indexSeed: read("index_seed"),
    recordFields: read("record_fields"),
    timeZone: values.has("time_zone") ? checkTimeZone(read("time_zone")) : "",
    tombstoneKey: read("tombstone_key"),
    migrating: read("migrating"),
    policy: values.get("policy"),
  };
}

/**
 * Default UTC. The first given time zone stays once there are calls or chats, because their days depend on it (D03). New fields of
 * the contract are appended to the archive's list, so the known ones keep their places.
 */
export async function settleSettings(pool: Pool, timeZone: string | undefined): Promise<void> {
  await pool.transact(async (transaction) => {
    await lockSchema(transaction);
    const { accessId, recordFields, timeZone: known } = await readSettings(transaction);
    const listed: readonly string[] = recordFields === "" ? [] : JSON.parse(recordFields);
    const fields = [...new Set([...listed, ...fieldsOf("MetadataRecord")])];
    const put = (name: string, value: string) => putSetting(transaction.ask, name, value);
    if (accessId === "") await put("access_id", randomUUID().replaceAll("-", ""));
    if (fields.length > listed.length) await put("record_fields", JSON.stringify(fields));
    const [found] = await transaction.ask<{ used: boolean }>(
      "SELECT EXISTS (SELECT FROM call) OR EXISTS (SELECT FROM chat) AS used",
    );
    if (known === "" || (timeZone !== undefined && found?.used !== true))
      await put("time_zone", timeZone ?? "UTC");
  });
}

/** Undefined if the archive does not have it. Throws `StoreFault` for a damaged setting. */
export async function findSetting(ask: Ask, name: string): Promise<string | undefined> {
  const rows = await ask<Setting & Judged>(
    `SELECT name, value, ${isWhole("setting")} AS whole FROM setting WHERE name = $1::text`,
    [name],
  );
  return toWhole("setting", rows)[0]?.value;
}

export const putSetting = async (ask: Ask, name: string, value: string): Promise<void> =>
  void (await ask(
    "INSERT INTO setting (name, value) VALUES ($1::text, $2::text) ON CONFLICT (name) DO UPDATE SET value = excluded.value, digest = NULL",
    [name, value],
  ));

export const removeSetting = async (ask: Ask, name: string): Promise<void> =>
  void (await ask("DELETE FROM setting WHERE name = $1::text", [name]));
