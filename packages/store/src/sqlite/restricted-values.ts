// What rights look at in a call: its restricted values, each by a number (D21). A call carries its numbers in the indexes by
// identifier, where sight.ts judges them.
import type { DatabaseSync } from "node:sqlite";
import type { FilterField, MetadataRecord } from "../call-store.ts";
import { RESTRICTED_FIELDS } from "../visibility.ts";
import { toMatchKey } from "../values/match-key.ts";

// Of each field. Few archives have as many values; imports into one that has are slower, not wrong.
const MAX_KNOWN = 10_000;

/** Numbers the restricted values of the calls that are written. */
export function createRestrictedWriter(database: DatabaseSync) {
  const insert = database.prepare(
    "INSERT OR IGNORE INTO restricted_value (field, key) VALUES (?, ?)",
  );
  const find = createNumberFinder(database);
  const number = (field: FilterField, key: string): number =>
    find(field, key) ?? Number(insert.run(field, key).lastInsertRowid);
  // By the values as they came: few are new, and only those have to be folded.
  const memos = RESTRICTED_FIELDS.map((field) => ({
    field,
    known: new Map<string | number, number>(),
  }));

  return {
    /** The numbers of a call, as they are kept. */
    toNumbers: (record: MetadataRecord): Uint8Array => {
      const bytes: number[] = [];
      for (const { field, known } of memos) {
        const value = record[field];
        if (value === null) continue;
        const id = known.get(value) ?? number(field, toMatchKey(field, value));
        if (known.size >= MAX_KNOWN) known.clear();
        known.set(value, id);
        writeNumber(bytes, id);
      }
      return new Uint8Array(bytes);
    },
    /** After a transaction was undone: the numbers that it gave are free again. */
    forget: () => {
      for (const { known } of memos) known.clear();
    },
  };
}

/** Gives the number of a value, by its match key; undefined for one that no call has. */
export function createNumberFinder(
  database: DatabaseSync,
): (field: FilterField, key: string) => number | undefined {
  const select = database.prepare("SELECT id FROM restricted_value WHERE field = ? AND key = ?");
  return (field, key) => {
    const row = select.get(field, key);
    return row && Number(row["id"]);
  };
}

export interface RestrictedValue {
  readonly field: string;
  readonly key: string;
}

/** Reads the values of a call from its numbers; what has no number is left out. */
export function createRestrictedReader(
  database: DatabaseSync,
): (numbers: unknown) => readonly RestrictedValue[] {
  const select = database.prepare("SELECT field, key FROM restricted_value WHERE id = ?");
  const find = (number: number): RestrictedValue | undefined => {
    const row = select.get(number);
    return row && { field: String(row["field"]), key: String(row["key"]) };
  };
  return (numbers) => readNumbers(numbers).flatMap((number) => find(number) ?? []);
}

/** Reads which restricted field has each of the numbers of a call: its place among them. */
export function createFieldReader(
  database: DatabaseSync,
): (numbers: unknown) => readonly { readonly number: number; readonly field: number }[] {
  const select = database.prepare("SELECT field FROM restricted_value WHERE id = ?");
  const names: readonly string[] = RESTRICTED_FIELDS;
  const known = new Map<number, number>();
  const find = (number: number): number => {
    const field = known.get(number) ?? names.indexOf(String(select.get(number)?.["field"]));
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(number, field);
    return field;
  };
  return (numbers) =>
    readNumbers(numbers)
      .map((number) => ({ number, field: find(number) }))
      .filter(({ field }) => field !== -1);
}

/** Forgets the values that no call has any more. Their numbers are never given to others: the service remembers them. */
export function forgetRestricted(database: DatabaseSync): void {
  const used = new Set<number>();
  for (const { restricted } of database.prepare("SELECT DISTINCT restricted FROM call").iterate())
    for (const number of readNumbers(restricted)) used.add(number);
  const remove = database.prepare("DELETE FROM restricted_value WHERE id = ?");
  for (const { id } of database.prepare("SELECT id FROM restricted_value").all())
    if (!used.has(Number(id))) remove.run(Number(id));
}

// Seven bits a byte, the lowest first; the highest bit says that more follow (LEB128). Most numbers are one byte.
function writeNumber(bytes: number[], number: number): void {
  let left = number;
  while (left >= 0x80) {
    bytes.push((left % 0x80) + 0x80);
    left = Math.floor(left / 0x80);
  }
  bytes.push(left);
}

/** The numbers of a call, from what `toNumbers` has made; values begin with 1. */
function readNumbers(bytes: unknown): readonly number[] {
  const numbers: number[] = [];
  let [number, unit] = [0, 1];
  for (const byte of bytes instanceof Uint8Array ? bytes : []) {
    number += (byte & 0x7f) * unit;
    unit *= 0x80;
    if (byte >= 0x80) continue;
    numbers.push(number);
    [number, unit] = [0, 1];
  }
  return numbers;
}
