// Writes a user whom another command may be adding or changing at the same time: neither undoes the other's change.
import { isDeepStrictEqual } from "node:util";
import type { CallStore, OperatorAct, Outcome, UserRecord, Writer } from "@call-media/store";
import { toOperator } from "../command-line/operator.ts";
import { type Ending, recorded, recordedAtOnce } from "../command-line/recorded.ts";
import { createUser } from "./user-fields.ts";
import { UsageError } from "@call-media/terminal";

export interface Change {
  /** Null: the user does not exist. */
  readonly before: UserRecord | null;
  readonly record: UserRecord;
}

/**
 * Makes and writes a change, and repeats this each time another program has written to that user meanwhile. Returns the record.
 * Before and after each try the access log gets a row. Throws `UsageError` for a rejected change.
 */
export async function changeUser(
  store: CallStore,
  { operation, username }: UserCommand,
  make: () => Promise<Change>,
): Promise<UserRecord> {
  const { accessLog: log } = store;
  for (;;) {
    const change = await recordedAtOnce({ log, operation, asked: { username } }, make);
    const command = { log, operation, asked: toAsked(change), toEnding };
    const outcome = await recorded(command, (run) =>
      write(store, change, { operation, operator: toOperator(), run }),
    );
    if (typeof outcome === "string") return change.record;
    const now = (await store.users.byId(change.record.id)) ?? null;
    if (isDeepStrictEqual(now, change.before)) throw new UsageError(outcome.rejected);
  }
}

export interface UserCommand {
  readonly operation: "user add" | "user set";
  readonly username: string;
}

const toEnding = (outcome: Outcome): Ending =>
  typeof outcome === "string" ? {} : { outcome: "refused", reason: "rejected" };

const RIGHTS = /^(?:allow|is_admin$|status$)/;
const DATES: ReadonlySet<string> = new Set(["created_date", "modified_date"]);

// Rights with their new and old values. For other changes, such as names and addresses, only the names of the fields.
function toAsked({ before, record }: Change): OperatorAct["asked"] {
  const old: object = before ?? createUser(record.username, record.id);
  const known = new Map<string, unknown>(Object.entries(old));
  const fields = Object.entries(record).filter(
    ([name, value]) => !DATES.has(name) && !isDeepStrictEqual(value, known.get(name)),
  );
  const others = fields.filter(([name]) => !RIGHTS.test(name)).map(([name]) => name);
  const rights = Object.fromEntries(fields.filter(([name]) => RIGHTS.test(name)));
  const names = Object.keys(rights);
  const earlier = Object.fromEntries(names.map((name) => [name, known.get(name) ?? null]));
  return { user_id: record.id, username: record.username, rights, before: earlier, others };
}

async function write(store: CallStore, change: Change, writer: Writer): Promise<Outcome> {
  await using session = await store.openImport({ writer, only: "users" });
  const [outcome = "unchanged"] = await session.write([[{ kind: "user", ...change }]]);
  return outcome;
}
