// The recordings that the archive has of a row. The log does not name recordings. So a row that is imported again
// without its files, or without the template of their names, would remove them.
import type { CallStore, MetadataRecord } from "@call-media/store";
import { parseDatetime } from "@call-media/store/values";
import type { Entry } from "../format.ts";
import { FIELDS } from "./filename-template.ts";

export interface ArchivedLeg {
  /** The names of its recordings. */
  readonly names: readonly string[];
  /** Fields of the call that were read from these names. */
  readonly fields: Entry;
}

/** Undefined if the archive does not have the row, or has it without recordings. */
export type FindArchived = (entry: Entry) => Promise<ArchivedLeg | undefined>;

/** `timeZone` is the log's. */
export function createFindArchived(
  openArchive: () => Promise<CallStore>,
  timeZone: string,
): FindArchived {
  let isNew: Promise<boolean> | undefined;
  return async (entry) => {
    const { call_id: callId } = entry;
    const store = await openArchive();
    isNew ??= store.importedRows().then(({ imported }) => imported === 0);
    if (typeof callId !== "string" || (await isNew)) return undefined;
    const files = await store.calls.recordings({ callId }, "everything");
    if (files.length === 0) return undefined;
    const filenames = new Set(files.map(({ filename }) => filename));
    const toNames = (record: MetadataRecord) =>
      (record.recordings ?? "").split("; ").filter((name) => filenames.has(name));
    const records = await store.calls.byCallId(callId, "everything");
    const leg = findLeg(
      records.filter((record) => isLeg(record, entry, [store.timeZone, timeZone])),
      entry,
    );
    const names = leg === undefined ? [] : toNames(leg);
    return leg && names.length > 0 ? { names, fields: toFields(leg, names) } : undefined;
  };
}

function isLeg(
  { datetime }: MetadataRecord,
  entry: Entry,
  [archiveZone, logZone]: readonly [string, string],
): boolean {
  const toInstantMs = (text: unknown, zone: string) => {
    const parsed = parseDatetime(String(text), zone);
    return typeof parsed === "string" ? undefined : parsed.instantMs;
  };
  return toInstantMs(datetime, archiveZone) === toInstantMs(entry["datetime"], logZone);
}

// A row must not get another row's recordings: of several legs, and of one with another agent, all else has to be equal. The agent may
// have been read from the name of a recording.
function findLeg(legs: readonly MetadataRecord[], entry: Entry): MetadataRecord | undefined {
  const isSame = (record: MetadataRecord, but: readonly string[]) =>
    Object.entries(record).every(
      ([field, value]) =>
        but.includes(field) || entry[field] === undefined || entry[field] === value,
    );
  const own = legs.filter(({ agent }) => [undefined, agent].includes(toText(entry["agent"])));
  if (own.length === 1) return own[0];
  const but = ["datetime", "recordings"];
  return own.length > 1
    ? own.find((leg) => isSame(leg, but))
    : legs.find((leg) => isSame(leg, [...but, "agent", "agent_name"]));
}

const toText = (value: unknown) => (typeof value === "string" ? value : undefined);

function toFields(record: MetadataRecord, names: readonly string[]): Entry {
  const fields: Entry = {};
  for (const field of Object.values(FIELDS)) {
    const value = field === undefined || field === "session_id" ? null : record[field];
    if (
      typeof value === "string" &&
      names.some((name) => name.normalize().includes(value.normalize()))
    )
      fields[field ?? ""] = value;
  }
  return fields;
}
