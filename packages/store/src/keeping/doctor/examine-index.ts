// Whether the search index and the counts of days agree with the records they were made from: where they do not, calls
// are missing from searches or counted wrongly, and nobody would notice.
import type { DatabaseSync } from "node:sqlite";
import { CALL_COLUMNS, type CallRow, toRecord } from "../../sqlite/call-row.ts";
import { DAY_MS, toInstantMs } from "../../sqlite/order-key.ts";
import { createTermLister } from "../../sqlite/search-index.ts";
import { error, type Finding, RESTORE } from "./finding.ts";

/** How many terms there are, and a sum over their digits: equal sums of other terms are as unlikely as 1 in 16 million. */
interface TermSum {
  readonly terms: number;
  readonly sum: number;
}

// 24 bits: times all terms of 10 million calls this is still a safe integer.
const SUMMED_DIGITS = 6;

/** Reads every call once: some minutes for millions of them. */
export function examineIndex(archive: DatabaseSync, file: string): Finding[] {
  // One state of the archive for all that is compared, whatever an import writes meanwhile.
  archive.exec("BEGIN");
  try {
    const { days, ...ofCalls } = sumCalls(archive);
    return [...compareTerms(ofCalls, sumIndex(archive), file), ...compareDays(archive, days, file)];
  } finally {
    archive.exec("ROLLBACK");
  }
}

function sumCalls(archive: DatabaseSync): TermSum & { days: Map<number, number> } {
  const toTerms = createTermLister();
  const days = new Map<number, number>();
  let [terms, sum] = [0, 0];
  const calls = archive.prepare(`SELECT ${CALL_COLUMNS} FROM call`);
  calls.setReadBigInts(true);
  for (const row of calls.iterate()) {
    const call = row as unknown as CallRow; // the columns that CALL_COLUMNS names
    for (const term of toTerms(toRecord(call)).trimEnd().split(" ")) {
      if (term === "") continue;
      terms += 1;
      sum += toNumber(term);
    }
    const instantMs = toInstantMs(call.id);
    if (instantMs === undefined) continue;
    const day = Math.floor(instantMs / DAY_MS);
    days.set(day, (days.get(day) ?? 0) + 1);
  }
  return { terms, sum, days };
}

function sumIndex(archive: DatabaseSync): TermSum {
  archive.exec(
    "CREATE VIRTUAL TABLE IF NOT EXISTS temp.call_term USING fts5vocab(main, call_index, row)",
  );
  let [terms, sum] = [0, 0];
  for (const row of archive.prepare("SELECT term, doc FROM call_term").iterate()) {
    const calls = Number(row["doc"]);
    terms += calls;
    sum += toNumber(String(row["term"])) * calls;
  }
  return { terms, sum };
}

const toNumber = (term: string) => Number.parseInt(term.slice(0, SUMMED_DIGITS), 16);

function compareTerms(calls: TermSum, index: TermSum, file: string): Finding[] {
  if (calls.terms === index.terms && calls.sum === index.sum) return [];
  return [
    error(
      `the search index does not fit the calls: it has ${index.terms} terms, the calls have ${calls.terms}`,
      file,
      RESTORE,
    ),
  ];
}

function compareDays(
  archive: DatabaseSync,
  days: ReadonlyMap<number, number>,
  file: string,
): Finding[] {
  const counted = new Map(
    archive
      .prepare("SELECT day, calls FROM call_day WHERE calls <> 0")
      .all()
      .map((row) => [Number(row["day"]), Number(row["calls"])]),
  );
  const wrong = [...new Set([...days.keys(), ...counted.keys()])].filter(
    (day) => days.get(day) !== counted.get(day),
  );
  const [first] = wrong.toSorted((a, b) => a - b);
  if (first === undefined) return [];
  const date = new Date(first * DAY_MS).toISOString().slice(0, 10);
  return [
    error(
      `the counts of ${wrong.length} days do not fit the calls: ${date} has ${days.get(first) ?? 0} calls, counted are ${counted.get(first) ?? 0}`,
      file,
      RESTORE,
    ),
  ];
}
