// The settings by which all of an archive is read. A disk may have changed one: then each record would be another, and its digest right.
import { fieldsOf } from "@call-media/api";
import { StoreFault } from "../port/faults.ts";
import type { MetadataRecord } from "../port/index.ts";
import { isTimeZone } from "./instant.ts";

export type Field = keyof MetadataRecord;

const FIELDS: ReadonlySet<string> = new Set(fieldsOf("MetadataRecord"));

/** The names of the fields in the order in which records are stored. Throws `StoreFault` for others. */
export function checkFieldNames(names: readonly string[]): readonly Field[] {
  const other = names.find((name, at) => !FIELDS.has(name) || names.indexOf(name) !== at);
  if (other === undefined) return names as readonly Field[]; // all are
  throw toFault(`a field of the records is called ${JSON.stringify(other)}`);
}

/** Throws `StoreFault` for what is none. */
export function checkTimeZone(text: string): string {
  if (isTimeZone(text)) return text;
  throw toFault(`the time zone of the archive is ${JSON.stringify(text)}`);
}

const toFault = (what: string) =>
  new StoreFault("damaged", `${what}, which nobody has written: restore the last backup elsewhere`);
