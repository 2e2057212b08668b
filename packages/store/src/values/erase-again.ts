// What the entries that an archive has not applied say is to be erased now, and what the access log says of that.
import type { ErasedCounts } from "../port/access-log.ts";
import { type LedgerEntry, replay, UNLISTED } from "./ledger.ts";
import { isOf, type Sought, toTombstone } from "./tombstones.ts";

export interface Again extends ReturnType<typeof replay> {
  readonly last: LedgerEntry;
  /** True if the recordings of some calls were erased without their records. */
  readonly hasSound: boolean;
  /** True if some entry does not list the contents of its calls. */
  readonly isUnlisted: boolean;
  /** The contents that no record named any more. */
  readonly sounds: ReadonlySet<string>;
  /** The row of the access log, which a search for what the marks erased finds. */
  readonly toRow: (found: ErasedCounts, isSound: boolean) => object;
}

/** Undefined without entries. */
export function toAgain(entries: readonly LedgerEntry[]): Again | undefined {
  const last = entries.at(-1);
  if (last === undefined) return undefined;
  const cases = new Set(
    entries.flatMap(({ why }) => (typeof why["case"] === "string" ? [why["case"]] : [])),
  );
  const asked = {
    ledger: `${entries[0]?.erasure} to ${last.erasure}`,
    ...(cases.size > 0 && { case: [...cases].join(", ") }),
  };
  return {
    ...replay(entries),
    last,
    sounds: new Set(entries.flatMap(({ sounds }) => sounds)),
    isUnlisted: entries.some(({ why }) => why[UNLISTED] === true),
    hasSound: entries.some(({ why }) => why["sound"] === true),
    toRow: ({ calls, chats, files, fileBytes }, isSound) => ({
      timeMs: Date.now(),
      operation: "purge",
      callIds: [],
      operator: last.by,
      asked: { ...asked, ...(isSound && { sound: true }) },
      found: { calls, chats, files, fileBytes },
    }),
  };
}

/** Returns a function that is true for the names that these marks are for. `key`: see `toTombstone`. */
export const createMarkTest =
  (key: string, erased: ReadonlyMap<string, number | null>) =>
  (names: readonly Sought[]): boolean =>
    names.some(({ name, day }) =>
      isOf(erased.get(Buffer.from(toTombstone(key, name)).toString("hex")), day),
    );
