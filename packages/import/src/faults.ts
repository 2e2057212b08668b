// Collects the faults of a row, so that a reject names all fields that are missing or wrong.
import { cut } from "./cut.ts";
import { DigitsLost } from "./formats/big-integers.ts";
import { RowFault, type UnfitRow } from "./source-row.ts";

// A hostile line may have a million unknown members.
const MOST = 20;
const MAX_LENGTH = 500;

type Entries = RowFault["entries"];

export class Faults {
  readonly #faults: string[] = [];
  #entries: Entries = [];

  /** The entries that were read in part, of the last fault that has some. */
  get entries(): Entries {
    return this.#entries;
  }

  /** True if `field` has a fault. */
  has(field: string): boolean {
    return this.#faults.some((fault) => fault.startsWith(`${field}: `));
  }

  /** Throws if there are too many, and an error that does not reject the row. */
  add(error: unknown): void {
    // Lost digits have the row read again.
    if (!(error instanceof RowFault) || error instanceof DigitsLost) throw error;
    if (error.entries.length > 0) this.#entries = error.entries;
    for (const fault of error.faults.map((one) => cut(one, MAX_LENGTH))) {
      const [, missing] = MISSING.exec(fault) ?? [];
      // A field that cannot be read is in none of the entries.
      if (this.#faults.includes(fault) || (missing !== undefined && this.has(missing))) continue;
      this.#faults.push(fault);
      if (this.#faults.length < MOST) continue;
      throw new RowFault([...this.#faults, "and more"], this.#entries);
    }
  }

  /** The result of `read`; undefined if it throws a `RowFault`, which is added. */
  attempt<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      this.add(error);
      return undefined;
    }
  }

  /** As `attempt`, of the entries of a row: those that could be read in part, if it throws. */
  async attemptEntries(read: () => Entries | Promise<Entries>): Promise<Entries> {
    try {
      return await read();
    } catch (error) {
      this.add(error);
      return this.#entries;
    }
  }

  /** Throws one `RowFault` if there are faults. */
  end(entries: Entries = []): void {
    if (this.#faults.length > 0) throw new RowFault(this.#faults, entries);
  }
}

const MISSING = /^(.*): missing$/s;

/** The row of an error. Throws one that is no `RowFault`. */
export function toUnfit({ line, raw }: Pick<UnfitRow, "line" | "raw">, error: unknown): UnfitRow {
  if (!(error instanceof RowFault)) throw error;
  return { line, raw, reason: error.message, fault: error };
}
