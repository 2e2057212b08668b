// Writing a user whom another command may be adding or changing at the same moment: neither undoes what the other did.
import { isDeepStrictEqual } from "node:util";
import type { CallStore, Outcome, UserRecord } from "@call-media/store";
import { UsageError } from "../command-line/usage-error.ts";

export interface Change {
  /** Null: nobody. */
  readonly before: UserRecord | null;
  readonly record: UserRecord;
}

/**
 * Makes and writes a change, anew as often as somebody else has written to that user meanwhile; gives the record. Throws
 * `UsageError` for one that is refused.
 */
export async function changeUser(
  store: CallStore,
  make: () => Promise<Change>,
): Promise<UserRecord> {
  for (;;) {
    const change = await make();
    const outcome = await write(store, change);
    if (typeof outcome === "string") return change.record;
    const now = (await store.users.byId(change.record.id)) ?? null;
    if (isDeepStrictEqual(now, change.before)) throw new UsageError(outcome.rejected);
  }
}

async function write(store: CallStore, change: Change): Promise<Outcome> {
  await using session = await store.openImport();
  const [outcome = "unchanged"] = await session.write([[{ kind: "user", ...change }]]);
  return outcome;
}
