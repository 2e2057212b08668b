// The files that an export could not fetch, grouped by reason.
import type { ManifestEntry } from "./manifest.ts";

/** The number of lines that fit on a screen. */
const MAX_LISTED = 20;

/** The maximum number of files named for each reason. */
const MAX_NAMED = 3;

/** Files that could not be fetched for the same reason. */
export interface FailureGroup {
  readonly first: ManifestEntry;
  /** The names of the first files. */
  readonly names: readonly string[];
  readonly count: number;
}

/** Lines of the manifest for files that could not be fetched, grouped by reason. */
export function createFailureList() {
  const groups = new Map<string, { first: ManifestEntry; names: string[]; count: number }>();
  return {
    groups: () => [...groups.values()] as readonly FailureGroup[],
    add(entry: ManifestEntry): void {
      if (entry.file !== null) return;
      const key = JSON.stringify([entry.kind, entry.status, entry.error]);
      const group = groups.get(key) ?? { first: entry, names: [], count: 0 };
      if (group.count === 0 && groups.size === MAX_LISTED) return;
      groups.set(key, group);
      group.count++;
      if (group.names.length < MAX_NAMED) group.names.push(toName(entry));
    },
  };
}

function toName({ kind, part, call_id, ref_id }: ManifestEntry): string {
  const what = kind === "recording" ? `recording ${part}` : kind;
  const named = call_id === null ? `reference ${ref_id}` : `call ${call_id}`;
  const whose = call_id === null && ref_id === null ? "a record" : named;
  return `${what} of ${whose}`;
}
