// What rights look at in a call, kept once for each combination of values: a call carries the number of its combination in
// the indexes by identifier, so that one that may not be seen is passed over without being read. An identifier of hidden
// calls then takes as long as one that does not exist (D21).
import type { DatabaseSync } from "node:sqlite";
import type { MetadataRecord, Visibility } from "../call-store.ts";
import { isVisible, RESTRICTED_FIELDS, toRestrictedKeys } from "../visibility.ts";
import { parseStored } from "./call-row.ts";

// A combination of a few hundred bytes each. Few archives have as many; one that has is slower, not wrong.
const MAX_KNOWN = 10_000;

/** The text under which the combination of a record is kept. */
export function toCombination(record: MetadataRecord): string {
  return JSON.stringify(toRestrictedKeys(record));
}

/** Numbers the combinations of the calls that are written. */
export function createCombinationWriter(database: DatabaseSync) {
  const insert = database.prepare("INSERT OR IGNORE INTO restricted_values (keys) VALUES (?)");
  const select = database.prepare("SELECT id FROM restricted_values WHERE keys = ?");
  // By the values as they came: few are new, and only those have to be folded.
  const known = new Map<string, number>();
  const number = (combination: string): number => {
    insert.run(combination);
    return Number(select.get(combination)?.["id"]);
  };

  return {
    toNumber: (record: MetadataRecord): number => {
      const values = JSON.stringify(RESTRICTED_FIELDS.map((field) => record[field]));
      const id = known.get(values) ?? number(toCombination(record));
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(values, id);
      return id;
    },
    /** After a transaction was undone: the numbers that it gave are free again. */
    forget: () => known.clear(),
  };
}

/** Gives statements of `database` the function `is_seen(restricted)`; `look` runs them with somebody's eyes. */
export function createSight(database: DatabaseSync) {
  const keysOf = database.prepare("SELECT keys FROM restricted_values WHERE id = ?");
  const known = new WeakMap<Visibility, Map<unknown, boolean>>();
  let eyes: Visibility = [];

  const judge = (restricted: unknown): boolean =>
    isVisible(parseStored(keysOf.get(Number(restricted))?.["keys"]), eyes);
  database.function("is_seen", (restricted) => {
    if (eyes.length === 0) return 1;
    const judged = known.get(eyes) ?? new Map<unknown, boolean>();
    known.set(eyes, judged);
    if (judged.size >= MAX_KNOWN) judged.clear();
    const isSeen = judged.get(restricted) ?? judge(restricted);
    judged.set(restricted, isSeen);
    return isSeen ? 1 : 0;
  });

  return <T>(visibility: Visibility, read: () => T): T => {
    eyes = visibility;
    return read();
  };
}
