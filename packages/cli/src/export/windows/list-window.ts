// Searches the days of a window, and writes the records that no other round has to its journal.
import { type CallRecord, type CallSearch, toRecordingNames } from "@call-media/client";
import {
  createLegs,
  createRecordMasks,
  type Days,
  type Listed,
  listSearched,
  toFolderDay,
} from "@call-media/handover";
import { findRowsWithFiles } from "../file-names.ts";
import { openDurably, writeDurably } from "../folder/write.ts";
import type { Job } from "../job.ts";
import {
  type JournalFile,
  readMatched,
  readRows,
  type Row,
  type Seal,
  toLine,
  toRecord,
  toRowLine,
} from "../journal/journal.ts";
import { countKeys, takeKey, toIdentity, toRowKey } from "../journal/superseded.ts";
import type { Plan } from "../plan/plan.ts";
import { openDays } from "../plan/search-days.ts";
import { retry } from "../throttle/retry.ts";

/** Days with one search and one journal. */
export interface Window extends JournalFile {
  /** Journals of other rounds for the same days, by round. */
  readonly others: readonly JournalFile[];
}

/** Maximum number of times to read a window that changes during reading. */
const MAX_READINGS = 3;

/** Needs memory for a digest of each record of other rounds, and of each new record, which the client uses to find duplicates. */
export async function listWindow(job: Job, window: Window): Promise<void> {
  for (let readings = 1; readings < MAX_READINGS; readings++)
    if (await readWindow(job, window, false)) return;
  await readWindow(job, window, true);
}

/** Records that the days are empty, without a search. */
export async function writeEmpty({ path, ...days }: JournalFile): Promise<void> {
  const nothing = {
    came: 0,
    duplicates: 0,
    known: 0,
    gone: 0,
    superseded: 0,
    excluded: 0,
    rows: 0,
  };
  const asOf = new Date().toISOString();
  const listed: Listed = { ...days, announced: 0, ...nothing, verdict: "complete", asOf };
  await writeDurably(path, toLine({ listed }) + toLine({ seal: toFilelessSeal(listed) }));
}

function toFilelessSeal({ rows, came, verdict }: Listed): Seal {
  return { rows, files: 0, bytes: 0, failures: 0, came, verdict };
}

/** False if the days changed while they were read, and this was not the last reading. */
async function readWindow(
  job: Job,
  { path, others, ...days }: Window,
  isLast: boolean,
): Promise<boolean> {
  await using file = await openDurably(path);
  const search = openDays(job.search, days);
  const filter = await createFilter(job, days, others);
  let hasFiles = false;
  for await (const { records } of search.pages()) {
    const rows = await filter.apply(records);
    hasFiles ||= findRowsWithFiles(job.plan, rows).length > 0;
    await file.write(rows.map(toRowLine).join(""));
  }
  const superseded = await filter.listSuperseded();
  const listed: Listed = { ...days, ...toCounts(search), ...filter.count(superseded.length) };
  if (listed.verdict === "drifted" && !isLast) return false;
  const { asked, hidden } = filter.listMatched();
  if (superseded.length + asked.length + hidden.length > 0)
    await file.write(toLine({ superseded, asked, hidden }));
  await file.write(toLine({ listed }));
  if (!hasFiles) await file.write(toLine({ seal: toFilelessSeal(listed) }));
  await file.finish();
  return true;
}

function toCounts({ report }: CallSearch) {
  const { rows, duplicates, verdict, windows } = report;
  const announced = windows[0]?.announced ?? null;
  return {
    announced,
    came: rows,
    duplicates,
    verdict: verdict === "unfinished" ? "drifted" : verdict,
    asOf: new Date().toISOString(),
  } as const;
}

/** Passes the records that meet the condition and are in no other round, with their masks. Counts the others. */
async function createFilter(job: Job, days: Days, others: Window["others"]) {
  const { plan, where, redaction, muting } = job;
  const existing = await countExisting(plan, others);
  const hasExisting = existing.size > 0;
  const versions: (string | undefined)[] = [];
  const ids = new Map(plan.ids?.map((id, index) => [id, index]));
  const asked = new Set<number | undefined>();
  const masks = createRecordMasks(redaction, listSearched(plan));
  let [known, excluded, rows] = [0, 0, 0];
  return {
    async apply(records: readonly CallRecord[]): Promise<readonly Row[]> {
      const passed: Row[] = [];
      const wanted = new Set(await where(records));
      const hasMasks = redaction.fields.length > 0;
      const legsOf = await retry(() => createLegs(job, hasMasks ? [...wanted] : []));
      for (const raw of records) {
        if (!wanted.has(raw)) {
          excluded++;
          continue;
        }
        asked.add(ids.get(raw.call_id ?? ""));
        const record = masks.redact(muting.muteRecord(raw), legsOf(raw));
        const json = JSON.stringify(record);
        const parts = toRecordingNames(raw.recordings).length;
        const row = { index: rows, parts, day: toFolderDay(record, days), json };
        if (hasExisting && takeKey(existing, toRowKey(plan, row))) known++;
        else {
          if (hasExisting) versions.push(toIdentity(plan, record));
          passed.push(row);
          rows++;
        }
      }
      return passed;
    },
    /**
     * Keys of rows that another version replaced, now or in an earlier round. A version replaces only one row, because several calls may
     * have the same identity. Rows without a new version were removed.
     */
    async listSuperseded(): Promise<readonly string[]> {
      if (existing.size === 0) return [];
      const left = new Map(existing);
      const before = countKeys(await readLastSuperseded(others));
      const keys: string[] = [];
      const missing: { readonly key: string; readonly identity: string | undefined }[] = [];
      for await (const { row, key } of readOthers(plan, others)) {
        const [isMissing, wasSuperseded] = [takeKey(left, key), takeKey(before, key)];
        if (isMissing && wasSuperseded) keys.push(key);
        else if (isMissing) missing.push({ key, identity: toIdentity(plan, toRecord(row)) });
        else if (wasSuperseded) versions.push(toIdentity(plan, toRecord(row))); // It was edited back to an earlier version.
      }
      const replacing = countKeys(versions.filter((identity) => identity !== undefined));
      for (const { key, identity } of missing)
        if (identity !== undefined && takeKey(replacing, identity)) keys.push(key);
      return keys;
    },
    listMatched: () => ({
      asked: [...asked].filter((index) => index !== undefined),
      hidden: masks.listHidden(),
    }),
    count(superseded: number) {
      const unmatched = [...existing.values()].reduce((total, count) => total + count, 0);
      const gone = unmatched - superseded;
      return { known, gone, superseded, excluded, rows, ...masks.countLeft() };
    },
  };
}

async function countExisting(plan: Plan, others: Window["others"]): Promise<Map<string, number>> {
  const keys: string[] = [];
  for await (const { key } of readOthers(plan, others)) keys.push(key);
  return countKeys(keys);
}

const readLastSuperseded = async (others: Window["others"]) => {
  const last = others.at(-1);
  return last === undefined ? [] : (await readMatched(last.path)).superseded;
};

async function* readOthers(plan: Plan, others: Window["others"]) {
  for (const { path } of others)
    for await (const rows of readRows(path))
      for (const row of rows) yield { row, key: toRowKey(plan, row) };
}
