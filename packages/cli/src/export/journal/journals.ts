// The journals of a folder: one for each window and round, named by both.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Days } from "@call-media/handover";

/** Where the journal of these days is, or is to be. */
export interface JournalFile extends Days {
  /** From 0: in which round of the plan they were listed. */
  readonly round: number;
  readonly path: string;
}

const NAME = /^(\d{4}-\d\d-\d\d)(?:_(\d{4}-\d\d-\d\d))?\.(\d{5})\.jsonl$/;

/** Those of a folder as its exports read them: by day, and of the same days by round. */
export async function listJournals(
  folder: string,
  isOldestFirst: boolean,
): Promise<readonly JournalFile[]> {
  const files = (await readdir(folder)).toSorted().flatMap((name) => {
    const [, from, to = from, round] = NAME.exec(name) ?? [];
    if (from === undefined || to === undefined) return [];
    return [{ from, to, round: Number(round), path: join(folder, name) }];
  });
  const groups = [...Map.groupBy(files, ({ from }) => from).values()];
  return (isOldestFirst ? groups : groups.toReversed()).flat();
}

export function toJournalFile(folder: string, key: Omit<JournalFile, "path">): JournalFile {
  const days = key.from === key.to ? key.from : `${key.from}_${key.to}`;
  const round = String(key.round).padStart(5, "0"); // so that they sort
  return { ...key, path: join(folder, `${days}.${round}.jsonl`) };
}
