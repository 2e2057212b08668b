// The records of a day, from the service into a journal: whole or not at all, and only those that no earlier round has.
import type { CallSearch } from "@call-media/client";
import { type Asked, type Days, openDays } from "./days.ts";
import { openDurably, writeDurably } from "./files.ts";
import { type DayState, type Listed, type Row, type Seal, toLine } from "./journal.ts";
import { listItems } from "./placed.ts";
import type { Plan } from "./plan.ts";
import { createSieve, type Sifting } from "./sieve.ts";

export interface Listing extends Asked, Sifting {
  readonly plan: Plan;
  readonly round: number;
}

/** A day whose journal was just written. */
export interface ListedDay {
  /** What its files are fetched by. */
  readonly state: DayState;
  /** Where they are few; else they are read from the journal. */
  readonly rows: readonly Row[] | undefined;
  /** Where its records should have no files: then nothing is left to do. */
  readonly seal: Seal | undefined;
}

/** A day that changes while it is read is read again, so often at most. */
const MAX_READINGS = 3;

/**
 * Writes the journal of the days. In memory are a digest of each record that earlier rounds have of them, and of each that
 * comes: the client knows by those what comes twice. Both are those of one day, as are the records that are kept.
 */
export async function listDays(listing: Listing, days: Days, journal: string): Promise<ListedDay> {
  for (let readings = 1; ; readings++) {
    const listed = await readDays(listing, days, { journal, isLast: readings === MAX_READINGS });
    if (listed !== undefined) return listed;
  }
}

/** Writes that the days are empty, without asking for them. */
export async function writeEmpty(days: Days, round: number, journal: string): Promise<void> {
  const nothing = { came: 0, duplicates: 0, known: 0, gone: 0, excluded: 0, rows: 0 };
  const listed: Listed = { ...days, round, announced: 0, ...nothing, verdict: "complete" };
  await writeDurably(journal, toLine({ listed }) + toLine({ sealed: toSeal(0) }));
}

/** Of a day without files. */
const toSeal = (rows: number): Seal => ({ rows, files: 0, bytes: 0, failures: 0 });

/** Undefined where the days changed meanwhile, and this was not the last reading. */
async function readDays(
  listing: Listing,
  days: Days,
  { journal, isLast }: { readonly journal: string; readonly isLast: boolean },
): Promise<ListedDay | undefined> {
  await using file = await openDurably(journal);
  const search = openDays(listing, days);
  const sieve = await createSieve(listing);
  const kept = createKept();
  let hasFiles = false;
  for await (const { records } of search.pages()) {
    const rows = sieve.sift(records);
    kept.add(rows);
    hasFiles ||= rows.some((row) => listItems(listing.plan, row, 0).length > 0);
    await file.write(rows.map((row) => toLine({ row })).join(""));
  }
  const account = { ...toAccount(search), ...sieve.count() };
  const listed: Listed = { ...days, round: listing.round, ...account };
  if (listed.verdict === "drifted" && !isLast) return undefined;
  const seal = hasFiles ? undefined : toSeal(listed.rows);
  await file.write(toLine({ listed }) + (seal === undefined ? "" : toLine({ sealed: seal })));
  const bytes = await file.finish();
  return {
    state: { listed, outcomes: new Map(), begun: new Map(), bytes },
    rows: kept.rows(),
    seal,
  };
}

/** Some 4 KB each, of each of the days that are worked on at once. */
const MAX_KEPT = 250;

/** Records of a day of ordinary size, so that they need not be read again. */
function createKept() {
  let kept: Row[] | undefined = [];
  return {
    add(rows: readonly Row[]): void {
      kept = kept && kept.length + rows.length <= MAX_KEPT ? [...kept, ...rows] : undefined;
    },
    rows: () => kept,
  };
}

function toAccount({ report }: CallSearch) {
  const { rows, duplicates, verdict, windows } = report;
  const announced = windows[0]?.announced ?? null;
  // It was read to its end, or has thrown.
  const isDone = verdict === "unfinished" ? "drifted" : verdict;
  return { announced, came: rows, duplicates, verdict: isDone } as const;
}
