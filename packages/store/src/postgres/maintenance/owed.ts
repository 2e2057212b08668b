// What purges have named while it was held, with their cases.
import { mapOwed, NOTHING_OWED, type OwedCases } from "../../values/owed-marks.ts";
import type { Ask } from "../connection.ts";
import { toName } from "../names.ts";
import { toList } from "../values.ts";

const TABLES = {
  callIds: ["owed", "call_id"],
  references: ["owed_reference", "reference"],
} as const;

export async function readOwed(ask: Ask): Promise<OwedCases> {
  const read = async (kind: keyof OwedCases) => {
    const [table, column] = TABLES[kind];
    const rows = await ask<{ text: string; reason: string | null }>(
      `SELECT ${column} AS text, reason FROM ${table}`,
    );
    const toReason = (reason: string | null): string | null =>
      reason === null ? null : JSON.parse(reason);
    return new Map(
      rows.map(({ text, reason }): [string, string | null] => [JSON.parse(text), toReason(reason)]),
    );
  };
  const [callIds, references] = [await read("callIds"), await read("references")];
  return mapOwed(NOTHING_OWED, (_none, kind) => (kind === "callIds" ? callIds : references));
}

export async function saveOwed(ask: Ask, owed: OwedCases): Promise<void> {
  for (const kind of ["callIds", "references"] as const) {
    const [table, column] = TABLES[kind];
    const names = [...owed[kind].keys()];
    if (names.length === 0) continue;
    const reasons = [...owed[kind].values()];
    await ask(
      `INSERT INTO ${table} (name, ${column}, reason) SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[]) ON CONFLICT DO NOTHING`,
      [
        toList(names.map(toName)),
        toList(names.map((one) => JSON.stringify(one))),
        toList(reasons.map((one) => (one === null ? undefined : JSON.stringify(one)))),
      ],
    );
  }
}

/** Removes these calls, and the references that no record has any more. */
export async function forgetOwed(ask: Ask, callIds: readonly string[]): Promise<void> {
  await ask("DELETE FROM owed WHERE name = ANY($1::uuid[])", [toList(callIds.map(toName))]);
  await ask(
    "DELETE FROM owed_reference WHERE NOT EXISTS (SELECT FROM call_name WHERE kind = 'r' AND call_name.name = owed_reference.name)",
  );
}
