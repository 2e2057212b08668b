// Writing users and flags: one whose id the archive has takes the place of that one.
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { ArchiveItem, UserRecord } from "../../port/index.ts";
import { isWholePerson } from "../row-check.ts";
import { DIGESTED } from "../users.ts";
import { toRowDigest } from "../../values/row-digest.ts";
import type { Written } from "./call-writer.ts";
import { RowRejected } from "../../values/row-rejected.ts";
import { toFlagKey } from "../../values/match-key.ts";

export function createPersonWriter(database: DatabaseSync) {
  const owner = database.prepare("SELECT id FROM user WHERE username = ? AND id <> ?");
  const putUser = database.prepare(
    `INSERT INTO user (id, username, status, record, digest) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET username = excluded.username, status = excluded.status,
       record = excluded.record, digest = excluded.digest
     WHERE digest IS NOT excluded.digest OR record <> excluded.record`,
  );
  const putFlag = database.prepare(
    `INSERT INTO flag (id, type, user_id, name_key, record, digest) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET type = excluded.type, user_id = excluded.user_id,
       name_key = excluded.name_key, record = excluded.record, digest = excluded.digest
     WHERE digest IS NOT excluded.digest OR record <> excluded.record`,
  );

  const stored = database.prepare(`SELECT ${DIGESTED.user.join()}, digest FROM user WHERE id = ?`);
  const storedFlag = database.prepare("SELECT 1 FROM flag WHERE id = ?");
  const checkBefore = (id: number, before: UserRecord | null) => {
    const expected = before === null ? undefined : JSON.stringify(before);
    const row = stored.get(id);
    if (row?.["record"] !== expected)
      throw new RowRejected(`id: somebody else has added or changed the user ${id} meanwhile`);
    // What was changed of it by the disk would pass for what was asked for.
    if (row !== undefined && !isWholePerson("user", row))
      throw new RowRejected(
        `id: the user ${id} is not what was written: restore the last backup into another folder, or import the user`,
      );
  };

  /** Throws `RowRejected`. */
  return (item: Extract<ArchiveItem, { kind: "user" | "flag" }>): Written => {
    const text = JSON.stringify(item.record);
    if (item.kind === "flag") {
      const { Id, Type, Name } = item.record;
      const isThere = storedFlag.get(Id) !== undefined;
      return put(isThere, putFlag, [Id, Type, item.userId ?? null, toFlagKey(Name), text]);
    }
    const { id, username, status } = item.record;
    if (item.before !== undefined) checkBefore(id, item.before);
    const other = owner.get(username, id);
    if (other !== undefined)
      throw new RowRejected(`username: "${username}" is the user ${String(other["id"])} already`);
    return put(stored.get(id) !== undefined, putUser, [id, username, status, text]);
  };
}

/** Puts a row whose values are those of `DIGESTED`. */
function put(
  isThere: boolean,
  statement: StatementSync,
  values: readonly SQLInputValue[],
): Written {
  const { changes } = statement.run(...values, toRowDigest(values));
  if (Number(changes) === 0) return "unchanged";
  return isThere ? "replaced" : "imported";
}
