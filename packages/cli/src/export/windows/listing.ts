// The records of a window, from the service into a journal: whole or not at all, and only those that no other round has.
import type { CallSearch } from "@call-media/client";
import type { Listed } from "@call-media/handover";
import { openDurably, writeDurably } from "../folder/files.ts";
import { type Row, type Seal, type Sealed, toLine, toRowLine } from "../journal/entries.ts";
import type { JournalState } from "../journal/journal-state.ts";
import type { JournalFile } from "../journal/journals.ts";
import { createOutcomes } from "../journal/outcomes.ts";
import { findWanting } from "../journal/placing.ts";
import { type Asked, openDays } from "../plan/days.ts";
import { createSieve, type Sifting } from "./sieve.ts";

export type Listing = Asked & Sifting;

/** A window whose journal was just written. */
export interface ListedWindow {
  /** What its files are fetched by. */
  readonly state: JournalState;
  /** Those that should have files, where they are few; else they are read from the journal. */
  readonly wanting: readonly Row[] | undefined;
  /** Where its records should have no files: then nothing is left to do. */
  readonly seal: Seal | undefined;
}

/** A window that changes while it is read is read again, so often at most. */
const MAX_READINGS = 3;

/**
 * Writes the journal of a window. In memory are a digest of each record that other rounds have of them, and of each that
 * comes: the client knows by those what comes twice.
 */
export async function listWindow(listing: Listing, journal: JournalFile): Promise<ListedWindow> {
  for (let readings = 1; ; readings++) {
    const listed = await readWindow(listing, journal, readings === MAX_READINGS);
    if (listed !== undefined) return listed;
  }
}

/** Writes that the days are empty, without asking for them. */
export async function writeEmpty({ path, ...days }: JournalFile): Promise<void> {
  const nothing = { came: 0, duplicates: 0, known: 0, gone: 0, excluded: 0, rows: 0 };
  const listed: Listed = { ...days, announced: 0, ...nothing, verdict: "complete" };
  await writeDurably(path, toLine({ listed }) + toLine({ sealed: toSealed(listed) }));
}

/** Of days without files. */
function toSealed({ rows, came, verdict }: Listed): Sealed {
  return { rows, files: 0, bytes: 0, failures: 0, came, verdict };
}

/** Undefined where the days changed meanwhile, and this was not the last reading. */
async function readWindow(
  listing: Listing,
  { path, ...days }: JournalFile,
  isLast: boolean,
): Promise<ListedWindow | undefined> {
  await using file = await openDurably(path);
  const search = openDays(listing, days);
  const sieve = await createSieve(days, listing);
  const kept = createKept();
  let hasFiles = false;
  for await (const { records } of search.pages()) {
    const rows = await sieve.sift(records);
    const wanting = findWanting(listing.plan, rows);
    kept.add(wanting);
    hasFiles ||= wanting.length > 0;
    await file.write(rows.map(toRowLine).join(""));
  }
  const account = { ...toAccount(search), ...sieve.count() };
  const listed: Listed = { ...days, ...account };
  if (listed.verdict === "drifted" && !isLast) return undefined;
  const seal = hasFiles ? undefined : toSealed(listed);
  await file.write(toLine({ listed }) + (seal === undefined ? "" : toLine({ sealed: seal })));
  const bytes = await file.finish();
  return {
    state: { listed, outcomes: createOutcomes(path), begun: new Map(), bytes },
    wanting: kept.rows(),
    seal,
  };
}

/** As they stand in the journal, of each of the windows that are worked on at once: some 500 records without transcripts. */
const MAX_KEPT_CHARACTERS = 1_000_000;

/** Records of a window of ordinary size, so that they need not be read again. */
function createKept() {
  let kept: Row[] | undefined = [];
  let held = 0;
  return {
    add(rows: readonly Row[]): void {
      for (const { json } of rows) held += json.length;
      kept = kept && held <= MAX_KEPT_CHARACTERS ? [...kept, ...rows] : undefined;
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
