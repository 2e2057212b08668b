// The records of a day, from the service into a journal: whole or not at all, and only those that no earlier round has.
import { createHash } from "node:crypto";
import type { CallRecord, CallSearch } from "@call-media/client";
import type { Predicate } from "../search/where/comparison.ts";
import { type Asked, type Days, openDays } from "./days.ts";
import { writeDurably } from "./files.ts";
import { type Listed, readRows, toLine } from "./journal.ts";
import { countParts } from "./recordings.ts";
import type { Redaction } from "./redaction.ts";

export interface Listing extends Asked {
  readonly round: number;
  readonly where: Predicate;
  readonly redaction: Redaction;
  /** Journals that earlier rounds have of the same day. */
  readonly earlier: readonly string[];
}

/** A day that changes while it is read is read again, so often at most. */
const MAX_READINGS = 3;

/**
 * Writes the journal of the days. In memory are a digest of each record that earlier rounds have of them, and of each that
 * comes: the client knows by those what comes twice. Both are those of one day.
 */
export async function listDays(listing: Listing, days: Days, journal: string): Promise<Listed> {
  for (let readings = 1; ; readings++) {
    let listed: Listed | undefined;
    const read = async function* () {
      const account = yield* readDays(listing, days);
      if (account.verdict === "drifted" && readings < MAX_READINGS) throw new DayDrifted();
      listed = account;
      yield toLine({ listed });
      // Nothing can follow, so that it is sealed at once.
      if (account.rows === 0) yield toLine({ sealed: EMPTY_SEAL });
    };
    try {
      await writeDurably(journal, read());
    } catch (error) {
      if (error instanceof DayDrifted) continue;
      throw error;
    }
    if (listed !== undefined) return listed;
  }
}

class DayDrifted extends Error {}

/** Writes that the days are empty, without asking for them. */
export async function writeEmpty(days: Days, round: number, journal: string): Promise<void> {
  const nothing = { came: 0, duplicates: 0, known: 0, gone: 0, excluded: 0, rows: 0 };
  const listed: Listed = { ...days, round, announced: 0, ...nothing, verdict: "complete" };
  await writeDurably(journal, [toLine({ listed }), toLine({ sealed: EMPTY_SEAL })]);
}

const EMPTY_SEAL = { rows: 0, files: 0, bytes: 0, failures: 0 };

async function* readDays(listing: Listing, days: Days): AsyncGenerator<string, Listed> {
  const { where, redaction, round } = listing;
  const search = openDays(listing, days);
  const earlier = await countEarlier(listing.earlier);
  let [known, excluded, rows] = [0, 0, 0];
  for await (const { records } of search.pages()) {
    const lines: string[] = [];
    for (const raw of records) {
      const record = redaction.redact(raw);
      if (!where(raw)) excluded++;
      else if (takeOut(earlier, record)) known++;
      else lines.push(toLine({ row: { record, parts: countParts(raw) } }));
    }
    rows += lines.length;
    yield lines.join("");
  }
  const gone = [...earlier.values()].reduce((total, count) => total + count, 0);
  return { ...days, round, ...toAccount(search), known, gone, excluded, rows };
}

function toAccount({ report }: CallSearch) {
  const { rows, duplicates, verdict, windows } = report;
  const announced = windows[0]?.announced ?? null;
  // It was read to its end, or has thrown.
  const isDone = verdict === "unfinished" ? "drifted" : verdict;
  return { announced, came: rows, duplicates, verdict: isDone } as const;
}

/** How often each record is there already: equal ones are as many as they are. */
async function countEarlier(journals: readonly string[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const journal of journals)
    for await (const { record } of readRows(journal)) {
      const key = toKey(record);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  return counts;
}

function takeOut(counts: Map<string, number>, record: CallRecord): boolean {
  if (counts.size === 0) return false;
  const key = toKey(record);
  const count = counts.get(key) ?? 0;
  if (count > 1) counts.set(key, count - 1);
  else counts.delete(key);
  return count > 0;
}

/** Of what is exported, so that nothing that was masked is kept, not even as a digest. */
const toKey = (record: CallRecord) =>
  createHash("sha256").update(JSON.stringify(record)).digest("base64").slice(0, 22);
