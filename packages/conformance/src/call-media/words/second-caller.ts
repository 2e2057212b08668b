// Who the second caller is, and which records their security rights cover (D21).
import { recordRights } from "@call-media/api";
import { toMatchKey } from "../archive/records.ts";
import { type JsonObject, recordsOf } from "../answer.ts";
import type { Context } from "../checks/check.ts";

/** The rights of the second caller; a sentence where they are unknown. */
export async function readRights({
  run,
  restricted,
  sample: { users },
}: Context): Promise<JsonObject | string> {
  if (restricted === undefined) return "no second caller was given";
  const { authorization } = restricted;
  const own = recordsOf(
    await run.ask({ operation: "listUsers", query: { status: "all" }, authorization }),
  );
  const user = users.find(({ id }) => id === own[0]?.["id"]);
  if (own.length !== 1 || user === undefined)
    return "it cannot be told which user the second caller is";
  const query = { user_id: String(user["id"]) };
  const answer = await run.recall({ operation: "getUserSecurityRights", query });
  return recordsOf(answer)[0] ?? "the first caller may not read the rights of the second";
}

/** Whether a record may be seen; no value counts as one that is not listed. */
export function covers(rights: JsonObject, record: JsonObject): boolean {
  return recordRights.every(({ allowAll, allowed, field }) => {
    const values = rights[allowed];
    const value = record[field];
    if (rights[allowAll] === true) return true;
    if (!Array.isArray(values) || value === null || value === undefined) return false;
    return values.some((other) => toMatchKey(field, other) === toMatchKey(field, value));
  });
}
