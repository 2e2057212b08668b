// What purges have named while it was held.
import type { Named } from "../../values/erasure-entry.ts";
import type { Ask } from "../connection.ts";
import { toName } from "../names.ts";
import { toList } from "../values.ts";

export type Owed = Readonly<Record<keyof Named, readonly string[]>>;

export async function readOwed(ask: Ask): Promise<Named> {
  const calls = await ask<{ text: string }>("SELECT call_id AS text FROM owed");
  const references = await ask<{ text: string }>("SELECT reference AS text FROM owed_reference");
  const toText = ({ text }: { readonly text: string }): string => JSON.parse(text);
  return { callIds: new Set(calls.map(toText)), references: new Set(references.map(toText)) };
}

export async function saveOwed(ask: Ask, { callIds, references }: Owed): Promise<void> {
  const toLists = (texts: readonly string[]) => [
    toList(texts.map(toName)),
    toList(texts.map((one) => JSON.stringify(one))),
  ];
  await ask(
    "INSERT INTO owed (name, call_id) SELECT * FROM unnest($1::uuid[], $2::text[]) ON CONFLICT DO NOTHING",
    toLists(callIds),
  );
  await ask(
    "INSERT INTO owed_reference (name, reference) SELECT * FROM unnest($1::uuid[], $2::text[]) ON CONFLICT DO NOTHING",
    toLists(references),
  );
}

/** Removes these calls, and the references that no record has any more. */
export async function forgetOwed(ask: Ask, callIds: readonly string[]): Promise<void> {
  await ask("DELETE FROM owed WHERE name = ANY($1::uuid[])", [toList(callIds.map(toName))]);
  await ask(
    "DELETE FROM owed_reference WHERE NOT EXISTS (SELECT FROM call_name WHERE kind = 'r' AND call_name.name = owed_reference.name)",
  );
}
