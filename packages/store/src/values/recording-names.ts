// The names of recordings in a record: those of its files, and others whose files its source did not have.
import type { CallItem, MetadataRecord, Recording } from "../port/index.ts";
import { toRecordingOrder } from "./recording-order.ts";

const BETWEEN = "; ";

/**
 * The item with its recordings in the order of D17. Their names come first in its record, followed by the other names in it.
 * `instantMs`: of the record's datetime.
 */
export function withFileNames(given: CallItem, instantMs: number | undefined): CallItem {
  if (given.recordings.length === 0) return given;
  const recordings = toRecordingOrder([{ instantMs, recordings: given.recordings }]);
  return withNames({ ...given, recordings });
}

/** The item without its recordings, which it still names. */
export function withNamesAlone(given: CallItem, instantMs: number | undefined): CallItem {
  return { ...withFileNames(given, instantMs), recordings: [] };
}

/** The forms in which the archive may have an item: its recordings may have been erased. */
export const listForms = (given: CallItem, instantMs: number | undefined): readonly CallItem[] =>
  given.recordings.length === 0
    ? [given]
    : [withFileNames(given, instantMs), withNamesAlone(given, instantMs)];

/** The item with the names that the archive has of the same files, in its order, if it names just these. */
export function withKnownNames(
  item: CallItem,
  { record }: { readonly record: MetadataRecord },
): CallItem {
  const left = toNames(record);
  for (const name of toNames(item.record)) {
    const at = left.findIndex((filename) => isOneName(filename, name));
    if (at === -1) return item;
    left.splice(at, 1);
  }
  const { recordings } = record;
  return left.length > 0 ? item : { ...item, record: { ...item.record, recordings } };
}

const isOneName = (one: string, other: string): boolean =>
  isNamed({ filename: one }, other) || isNamed({ filename: other }, one);

function withNames(item: CallItem): CallItem {
  const given = item.record.recordings ?? "";
  const files = toFileNames(item);
  const isWhole = given === files || given.startsWith(files + BETWEEN);
  const recordings = isWhole ? given : [files, ...toNamesAlone(item)].join(BETWEEN);
  return { ...item, record: { ...item.record, recordings } };
}

/** The names without files. */
export function toNamesAlone({ record, recordings }: CallItem): string[] {
  const files = new Set(recordings.map(({ filename }) => filename));
  return toNames(record).filter((name) => !files.has(name));
}

const toNames = ({ recordings }: MetadataRecord): string[] =>
  (recordings?.split(BETWEEN) ?? []).filter((name) => name !== "");

/** True if a source may mean this recording by that name, with a path or without its extension. */
export function isNamed({ filename }: Pick<Recording, "filename">, name: string): boolean {
  const bare = toBareName(name);
  return filename === bare || filename.slice(0, filename.lastIndexOf(".")) === bare;
}

function toBareName(name: string): string {
  return name.split(/[/\\]/).at(-1) ?? name;
}

function toFileNames({ recordings }: CallItem): string {
  return recordings.map(({ filename }) => filename).join(BETWEEN);
}
