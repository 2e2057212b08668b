// Counts the calls of a search, in total or by a value: with the counts of the service if it has them, or else by reading.
import {
  addDays,
  type CallMediaClient,
  type CallRecord,
  type ChatReport,
} from "@call-media/client";
import { toGroupKey } from "@call-media/conditions";
import { createCallTally, type Field } from "@call-media/handover";
import { CommandFailure } from "../failures/command-failure.ts";
import { toCounted } from "@call-media/terminal";
import type { Found } from "./found.ts";
import { openSearch, type Wanted } from "./wanted.ts";
import { createDayOf } from "./zoned.ts";

export interface Counting {
  readonly client: CallMediaClient;
  readonly wanted: Wanted;
  readonly signal: AbortSignal;
  /** Selects the records to count; undefined: all that the service finds. */
  readonly filter?:
    | ((records: readonly CallRecord[]) => Promise<readonly CallRecord[]>)
    | undefined;
  /** Called after each page that is read. */
  readonly onRead?: (rows: number) => void;
}

export interface Counted {
  readonly records: number;
  /** The number of calls that the records belong to; undefined if the service counted. */
  readonly calls?: number | undefined;
  /** Number of records read; 0 if the service counted. */
  readonly read: number;
  /** Number of chats read for words, if the service does not search by them. */
  readonly chats?: ChatReport | undefined;
  /** True if the archive changed meanwhile. */
  readonly isDrifted: boolean;
}

export interface CountedGroup {
  /** Null: records without a value. */
  readonly value: string | null;
  readonly records: number;
}

export interface CountedGroups extends Counted {
  readonly groups: readonly CountedGroup[];
}

export async function countRecords(counting: Counting): Promise<Counted> {
  const { client, wanted, signal, filter } = counting;
  if (filter === undefined) {
    const records = await openSearch(client, wanted, signal).count();
    if (records !== undefined) return { records, read: 0, isDrifted: false };
  }
  return countByReading(counting, { toValue: () => null });
}

/** Groups of a field are sorted by frequency, groups by day in ascending order. */
export async function countGroups(counting: Counting, by: Field | "day"): Promise<CountedGroups> {
  const { zone } = counting.wanted;
  if (by !== "day")
    return countByReading(counting, { by, toValue: (record) => toGroup(record, by) });
  return zone === undefined
    ? countByDay(counting)
    : countByReading(counting, { by, toValue: createDayOf(zone) });
}

/** Null for a record without a value. */
export function toGroup(record: CallRecord, by: Field): string | null {
  const text = String(record[by] ?? "").trim();
  return text === "" ? null : text;
}

interface Grouping {
  /** The field of the values. Without it, values are compared as text. */
  readonly by?: Field | "day" | undefined;
  /** Null for a record without a value. */
  readonly toValue: (record: CallRecord) => string | null;
}

const countByReading = (counting: Counting, grouping: Grouping) =>
  countFound(openSearch(counting.client, counting.wanted, counting.signal), counting, grouping);

/**
 * Reads all pages. Groups are sorted by frequency, but days by date. `by`: groups values that a filter treats as equal, under the first
 * one.
 */
export async function countFound(
  search: Found,
  { filter, onRead }: Pick<Counting, "filter" | "onRead">,
  { by = "day", toValue }: Grouping,
): Promise<CountedGroups> {
  const toKey = (value: string) => toGroupKey(by, value);
  const tally = createCallTally();
  const groups = new Map<string | null, { value: string | null; records: number }>();
  for await (const { records } of search.pages()) {
    for (const record of filter === undefined ? records : await filter(records)) {
      tally.add(record);
      const value = toValue(record);
      const key = value === null ? null : toKey(value);
      const group = groups.get(key) ?? { value, records: 0 };
      group.records++;
      groups.set(key, group);
    }
    onRead?.(search.report.rows);
  }
  const counted = [...groups.values()];
  return {
    groups: counted.toSorted(
      (one, other) =>
        (by === "day" ? 0 : other.records - one.records) || compare(one.value, other.value),
    ),
    records: tally.legs(),
    calls: tally.calls(),
    read: search.report.rows,
    chats: search.report.chats,
    isDrifted: search.report.verdict === "drifted",
  };
}

/** A missing value comes last. */
const compare = (one: string | null, other: string | null) =>
  Number(one === null) - Number(other === null) || (one ?? "").localeCompare(other ?? "", "en");

/** Days of a search are those of the archive (D06), so each day is a separate search, and no time zone is needed. */
async function countByDay(counting: Counting): Promise<CountedGroups> {
  const { startDate, endDate } = counting.wanted;
  const days: string[] = [];
  // No day follows the last day of the year 9999.
  for (let day = startDate; days.at(-1) !== endDate; day = addDays(day, 1)) days.push(day);
  const counted: Counted[] = [];
  for (const day of days) {
    const wanted = { ...counting.wanted, startDate: day, endDate: day };
    counted.push(await countRecords({ ...counting, wanted }));
  }
  const sum = (toNumber: (one: Counted) => number) =>
    counted.reduce((total, one) => total + toNumber(one), 0);
  const records = sum((one) => one.records);
  await checkSum(counting, records);
  return {
    groups: days.flatMap((value, index) => {
      const own = counted[index]?.records ?? 0;
      return own === 0 ? [] : [{ value, records: own }];
    }),
    records,
    read: sum(({ read }) => read),
    chats: counted.reduce<ChatReport | undefined>(
      (total, { chats }) => (chats === undefined ? total : addChats(total, chats)),
      undefined,
    ),
    isDrifted: counted.some(({ isDrifted }) => isDrifted),
  };
}

const addChats = (
  { read, skipped, refused }: ChatReport = { read: 0, skipped: 0, refused: 0 },
  other: ChatReport,
): ChatReport => ({
  read: read + other.read,
  skipped: skipped + other.skipped,
  refused: refused + other.refused,
});

/** Detects a service that excludes the last day (D06), and so finds nothing on a single day. One count of all days shows it. */
async function checkSum({ client, wanted, signal, filter }: Counting, records: number) {
  if (filter !== undefined) return;
  const total = (await openSearch(client, wanted, signal).count()) ?? records;
  if (total === records) return;
  throw new CommandFailure(
    `the days have ${records} records one by one, and ${total} together: the archive changed meanwhile, or the service leaves out the last day of a range, which call-media login --service finds out`,
  );
}

/** "372 calls, 376 legs"; only the legs if the service counted. */
export function toCallsAndLegs({ records, calls }: Pick<Counted, "records" | "calls">): string {
  const legs = toCounted(records, "leg");
  return calls === undefined ? legs : `${toCounted(calls, "call")}, ${legs}`;
}
