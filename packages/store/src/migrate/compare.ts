// Compares two archives: counts the records of each day and hashes all of them.
import { createHash } from "node:crypto";
import type { ArchiveItem, InternalRow, Maintenance, OnProgress } from "../port/index.ts";
import { parseDatetime, toDay } from "../values/instant.ts";

export interface Compared {
  readonly calls: number;
  /** Rows of `one` that differ from what was written, in the words of `ScannedRow`. */
  readonly damaged: readonly string[];
  /** In sentences; empty if the archives are equal, apart from the damage in `one`. */
  readonly differences: readonly string[];
}

/** Reads both. */
export async function findDifferences(
  one: Maintenance,
  other: Maintenance,
  onProgress: OnProgress,
): Promise<Compared> {
  const [given, own] = [await sumUp(one, onProgress), await sumUp(other, onProgress)];
  const damaged = own.damaged.map((name) => `${name} is damaged where it is migrated to`);
  const calls = [...own.days.values()].reduce((sum, count) => sum + count, 0);
  const days = new Set([...given.days.keys(), ...own.days.keys()]);
  const differences = [...days]
    .toSorted((a, b) => (a < b ? -1 : 1))
    .filter((day) => given.days.get(day) !== own.days.get(day))
    .map((day) => `${day}: ${given.days.get(day) ?? 0} records became ${own.days.get(day) ?? 0}`);
  if (damaged.length + differences.length === 0 && given.digest !== own.digest)
    differences.push(
      "each day has as many records, but something in a record, a chat, a user or a flag differs",
    );
  return { calls, damaged: given.damaged, differences: [...damaged, ...differences] };
}

/** Finds what `other` lacks of the rest of `one`: credentials, tombstones, holds and owed erasures, but not settings or the access log. */
export async function findMissing(one: Maintenance, other: Maintenance): Promise<string[]> {
  const there = readBeside(other);
  for await (const row of readBeside(one)) {
    const wanted = JSON.stringify(row);
    let found = await there.next();
    // The other archive may still have rows that were removed here since.
    while (found.done !== true && JSON.stringify(found.value) !== wanted)
      found = await there.next();
    if (found.done === true)
      return [
        `${NAMES[row.kind]} is not there as it is here: credentials and what purges remember are compared`,
      ];
  }
  await there.return(undefined);
  return [];
}

const NAMES: Readonly<Record<InternalRow["kind"], string>> = {
  setting: "a setting",
  application: "an application",
  bearer: "a token, a key or a session",
  tombstone: "a tombstone",
  hold: "a hold",
  held: "a call that is held",
  owed: "a call that is owed an erasure",
  owed_reference: "a reference that is owed an erasure",
  access: "a row of the access log",
};

/** In an order that is the same for all archives. */
async function* readBeside(archive: Maintenance): AsyncGenerator<InternalRow> {
  for await (const row of archive.internals.read()) {
    if (row.kind === "access") return;
    if (row.kind !== "setting") yield row;
  }
}

async function sumUp(archive: Maintenance, onProgress: OnProgress) {
  await using scan = await archive.scan();
  const days = new Map<string, number>();
  const digest = createHash("sha256");
  const damaged: string[] = [];
  let bytesDone = 0;
  for await (const { items, bytes, damaged: ofRow = [] } of scan.rows()) {
    damaged.push(...ofRow);
    for (const item of items) {
      digest.update(`${JSON.stringify(toContent(item))}\n`);
      if (item.kind !== "call") continue;
      const day = toDayOf(item.record.datetime, scan.timeZone);
      days.set(day, (days.get(day) ?? 0) + 1);
    }
    onProgress({ step: "comparing", bytesDone: (bytesDone += bytes), bytesTotal: scan.bytes });
  }
  return { days, damaged, digest: digest.digest("hex") };
}

/** The stored form of an item, without the location and the state of its recordings. */
function toContent(item: ArchiveItem): unknown {
  if (item.kind === "flag") return [item.record, item.userId ?? null];
  if (item.kind !== "call") return item.record;
  const { record, sessionId, masterId, revisedMs, identity } = item;
  const recordings = item.recordings.map(({ filename, startMs, media }) => [
    filename,
    startMs ?? null,
    media.sha256,
    media.bytes,
    media.type,
    media.modifiedMs,
  ]);
  return [
    record,
    sessionId ?? null,
    masterId ?? null,
    revisedMs ?? null,
    identity ?? null,
    recordings,
  ];
}

function toDayOf(datetime: string | null, timeZone: string): string {
  const parsed = datetime === null ? undefined : parseDatetime(datetime, timeZone);
  return typeof parsed === "object" ? toDay(parsed.instantMs, timeZone) : "undated";
}
