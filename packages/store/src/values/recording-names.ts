// The names of recordings in a record: those of its files, and others whose files its source did not have.
import type { CallItem, Recording } from "../port/index.ts";
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
  const given = record.recordings?.split(BETWEEN) ?? [];
  return given.filter((name) => name !== "" && !files.has(name));
}

/** True if a source may mean this recording by that name, with a path or without its extension. */
export function isNamed({ filename }: Recording, name: string): boolean {
  const bare = toBareName(name);
  return filename === bare || filename.slice(0, filename.lastIndexOf(".")) === bare;
}

function toBareName(name: string): string {
  return name.split(/[/\\]/).at(-1) ?? name;
}

function toFileNames({ recordings }: CallItem): string {
  return recordings.map(({ filename }) => filename).join(BETWEEN);
}
