// The settings that reading an archive depends on. A disk may have changed one: each record would then be read wrongly, with a right
// digest.
import { StoreFault } from "../port/faults.ts";
import type { MetadataRecord } from "../port/index.ts";
import { isTimeZone } from "./instant.ts";

export type Field = keyof MetadataRecord;

/**
 * The names of the fields in the order of stored records. Fields of a newer program come after all that are `known` here. Throws
 * `StoreFault` for an unknown or repeated name before them.
 */
export function checkFieldNames(
  names: readonly string[],
  known: readonly Field[],
): readonly Field[] {
  const isKnown = (name: string) => known.some((field) => field === name);
  const first = names.findIndex((name, at) => !isKnown(name) || names.indexOf(name) !== at);
  const before = new Set(names.slice(0, first));
  if (first === -1 || known.every((field) => before.has(field))) return names as readonly Field[]; // except those of newer programs
  throw toFault(`a field of the records is called ${JSON.stringify(names[first])}`);
}

/** Throws `StoreFault` for an invalid time zone. */
export function checkTimeZone(text: string): string {
  if (isTimeZone(text)) return text;
  throw toFault(`the time zone of the archive is ${JSON.stringify(text)}`);
}

const toFault = (what: string) =>
  new StoreFault("damaged", `${what}, which nobody has written: restore the last backup elsewhere`);
