// The recordings that a call keeps when it is imported again. If its source does not mention recordings, it keeps all;
// if files of named recordings are missing, it keeps those of the same names.
import type { CallItem, MetadataRecord, Recording } from "../port/index.ts";
import { isNamed, toNamesAlone } from "./recording-names.ts";

/** A record that the archive has, or had in an earlier state of its call. */
export interface KnownRecord {
  readonly record: MetadataRecord;
  /** Undefined without a datetime. */
  readonly instantMs: number | undefined;
  readonly recordings: readonly Recording[];
}

/** The item with the recordings of the same stored record, and the names of recordings from it. */
export function withRecordingsOf(item: CallItem, { record, recordings }: KnownRecord): CallItem {
  return { ...item, record: { ...item.record, recordings: record.recordings }, recordings };
}

/**
 * The leg of a record in a later state: the one with the same instant. If several have it, the one with the same agent and reference,
 * otherwise the one with the same agent.
 */
export function findLeg<Known extends KnownRecord>(
  { record: wanted, instantMs }: Pick<KnownRecord, "record" | "instantMs">,
  known: readonly Known[],
): Known | undefined {
  const ofMoment = known.filter((one) => one.instantMs === instantMs);
  if (ofMoment.length < 2) return ofMoment[0];
  const find = (fields: readonly (keyof MetadataRecord)[]) =>
    ofMoment.find(({ record }) => fields.every((field) => record[field] === wanted[field]));
  return find(["agent", "ref_id"]) ?? find(["agent"]);
}

/**
 * The item with the stored recordings that it names without giving a file; undefined if there are none. `known`: its leg,
 * or all legs of the call if the leg is unknown. A name that matches several different recordings is ignored.
 */
export function withNamed(item: CallItem, known: readonly KnownRecord[]): CallItem | undefined {
  const names = toNamesAlone(item);
  if (names.length === 0) return undefined;
  const left = known.flatMap(({ recordings }) => recordings);
  const find = (name: string): Recording | undefined => {
    const at = left.findIndex((one) => isNamed(one, name));
    if (known.length === 1) return at === -1 ? undefined : left.splice(at, 1)[0];
    const found = left.filter((one) => isNamed(one, name));
    return new Set(found.map(({ media }) => media.sha256)).size === 1 ? found[0] : undefined;
  };
  const named = names.map((name) => ({ name, found: find(name) }));
  const kept = named.flatMap(({ found }) => found ?? []);
  if (kept.length === 0) return undefined;
  const others = named.flatMap(({ name, found }) => (found === undefined ? [name] : []));
  const record = { ...item.record, recordings: others.join("; ") || null };
  const recordings = [...item.recordings, ...kept];
  const unique = new Map(recordings.map((one) => [`${one.media.sha256} ${one.filename}`, one]));
  return { ...item, record, recordings: [...unique.values()] };
}

/** Remembers the replaced records of a single state of one call, because the records of a state follow each other. */
export function createStateMemory<Known>() {
  let last: { readonly item: CallItem; readonly known: readonly Known[] } | undefined;
  const recall = ({ record, revisedMs }: CallItem): readonly Known[] =>
    last?.item.record.call_id === record.call_id && last.item.revisedMs === revisedMs
      ? last.known
      : [];
  return {
    keep: (item: CallItem, known: readonly Known[]): void => {
      if (known.length > 0) last = { item, known: [...recall(item), ...known] };
    },
    recall,
  };
}
