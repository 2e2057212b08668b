// Ranges of days: whether the ends are included, and in which time zone a day begins.
import { addDays } from "../archive/days.ts";
import { type Dated, listRanges, toDated } from "../archive/telling-days.ts";
import { findMissing, toCounted, toName } from "../archive/records.ts";
import { PAGE_SIZE, searchOf, type Window } from "../archive/window.ts";
import { listFixedZones, listNamedZones, toNamedZone, type Zone } from "../archive/zones.ts";
import { isObject, type JsonObject } from "@call-media/contract-diff";
import type { Answer } from "../../ask.ts";
import { findRefusal, recordsOf } from "../answer.ts";
import type { Run } from "../run.ts";
import { unless } from "../run.ts";
import type { Check } from "./check.ts";
import { findCommonFilter, selectEqual } from "./filter-values.ts";

const MAX_DAYS = 4;
// For the search by named fields: more of the same days would show nothing new.
const MAX_NAMED_DAYS = 1;

/** The complete result of a search over some days. */
interface Ranged {
  readonly answer: Answer;
  readonly start: string;
  readonly end: string;
  readonly found: readonly JsonObject[];
  /** The records of the window that the search could have found. */
  readonly among: readonly Dated[];
}

export const ranges: Check = {
  about: "ranges of days",
  proves: ["range.within", "range.days", "range.zone", "range.taken", "count.total"],
  cost: 14,
  run: async ({ run, sample: { window } }) => {
    if (window === undefined) return;
    const dated = toDated(window.records);
    const answered = await Promise.all([
      ...listRanges(dated, MAX_DAYS).map((range) =>
        readRange(run, window, { ...range, among: dated }),
      ),
      ...readNamed(run, window),
    ]);
    const read = answered.filter(({ found }) => found.length < PAGE_SIZE);
    for (const range of answered) run.prove("range.within", range.answer, findOutsider(range));
    await proveTaken(run, window);
    if (!window.isWhole || read.length === 0) return;
    for (const range of read) proveCount(run, range);
    const { included, excluded } = findZones(read);
    for (const range of read) {
      run.prove("range.days", range.answer, unless(included.length > 0, findFault(range)));
      proveZone(run, range);
    }
    observe(run, { included, excluded });
  },
};

// A leap day, and a range longer than any archive.
const LAWFUL_RANGES = [
  ["2024-02-29", "2024-02-29"],
  ["1970-01-01", "2099-12-31"],
] as const;

async function proveTaken(run: Run, { search, base }: Window): Promise<void> {
  for (const [startDate, endDate] of LAWFUL_RANGES) {
    const answer = await run.recall(searchOf({ ...search, startDate, endDate }, base));
    const refusal = findRefusal(answer);
    run.prove("range.taken", answer, refusal && `${startDate} to ${endDate}: ${refusal}`);
  }
}

/** Counts the records of the requested days only. */
function proveCount(run: Run, { answer, start, end, found }: Ranged): void {
  if (answer.ask.operation !== "searchMetadataByCustomFields" || !answer.isSuccess) return;
  const count = isObject(answer.json) ? answer.json["recordCount"] : undefined;
  const fault = `recordCount of ${start} to ${end} is ${String(count)}; the range gives ${toCounted(found)}`;
  run.prove("count.total", answer, unless(count === found.length, fault));
}

// `answer.headers` already reports a missing header.
function proveZone(run: Run, range: Ranged): void {
  const name = range.answer.headers.get("Archive-Time-Zone");
  if (name === null || !range.answer.isSuccess) return;
  run.prove("range.zone", range.answer, findZoneFault(range, name));
}

function findZoneFault(range: Ranged, name: string): string | undefined {
  const { start, end, found } = range;
  try {
    if (isExact(range, toNamedZone(name), true)) return undefined;
  } catch {
    return `Archive-Time-Zone is ${name}, which is not an IANA time zone`;
  }
  return `Archive-Time-Zone is ${name}, but ${start} to ${end} gives ${toCounted(found)}, not those of these days there`;
}

interface Fitting {
  /** The zones in which every range matches its days exactly, endDate included. */
  readonly included: readonly Zone[];
  /** The same with endDate excluded. */
  readonly excluded: readonly Zone[];
}

/** Zones with daylight saving time are tried only if no fixed zone fits: they are many and slow to try. */
function findZones(read: readonly Ranged[]): Fitting {
  const fit = (zones: readonly Zone[], isEndIncluded: boolean) =>
    zones.filter((zone) => read.every((range) => isExact(range, zone, isEndIncluded)));
  for (const list of [listFixedZones, listNamedZones]) {
    const zones = list();
    const [included, excluded] = [fit(zones, true), fit(zones, false)];
    if (included.length + excluded.length > 0) return { included, excluded };
  }
  return { included: [], excluded: [] };
}

function observe(run: Run, { included, excluded }: Fitting): void {
  const isIncluded = included.length > 0;
  const isExcluded = !isIncluded && excluded.length > 0;
  run.observe({
    decision: "D06",
    question: "Does the day endDate belong to the range?",
    observed: isIncluded ? "yes" : isExcluded ? "no" : "it cannot be told",
    value: isIncluded ? "included" : isExcluded ? "excluded" : null,
    agrees: isIncluded,
  });
  const fitting = isIncluded ? included : excluded;
  const [nearest] = fitting;
  run.observe({
    decision: "D03",
    question: "Where does a day begin?",
    observed: nearest === undefined ? "it cannot be told" : `as at ${nearest.name}`,
    value: nearest?.name ?? null,
    agrees: nearest !== undefined,
  });
  // If both fit, no record is close enough to an end to decide.
  if (nearest === undefined || (isIncluded && excluded.length > 0)) return;
  run.learn({ endDate: isIncluded ? "included" : "excluded" });
  const offsets = fitting.flatMap(({ offsetMinutes = [] }) => offsetMinutes);
  if (offsets.length > 0)
    run.learn({ utcOffsetMinutes: { from: Math.min(...offsets), to: Math.max(...offsets) } });
}

/** The same for the search by named fields, with a filter that matches many records. */
function readNamed(run: Run, window: Window): Promise<Ranged>[] {
  const filter = findCommonFilter(window.records);
  if (filter === undefined) return [];
  const among = toDated(selectEqual(window.records, filter));
  return listRanges(among, MAX_NAMED_DAYS).map((range) =>
    readRange(
      run,
      { ...window, search: { ...window.search, operation: "searchMetadata", body: filter } },
      { ...range, among },
    ),
  );
}

async function readRange(
  run: Run,
  { search, base }: Window,
  { start, end: wanted, among }: Pick<Ranged, "start" | "end" | "among">,
): Promise<Ranged> {
  // Nothing is known about days after the window.
  const end = wanted < search.endDate ? wanted : search.endDate;
  const answer = await run.ask(searchOf({ ...search, startDate: start, endDate: end }, base));
  return { answer, start, end, found: recordsOf(answer), among };
}

function findOutsider({ start, end, found }: Ranged): string | undefined {
  const outsider = toDated(found).find(
    ({ moment: { day } }) => day < addDays(start, -1) || day > addDays(end, 1),
  );
  return outsider && `${toName(outsider.record)} is not of ${start} to ${end}`;
}

function isExact(
  { answer, start, end, found, among }: Ranged,
  { dayOf }: Zone,
  isEndIncluded: boolean,
) {
  const expected = among.filter(({ moment }) => {
    const day = dayOf(moment);
    return day >= start && (isEndIncluded ? day <= end : day < end);
  });
  const records = expected.map(({ record }) => record);
  // If endDate is excluded, a range of one day is empty and may be refused.
  if (!answer.isSuccess) return records.length === 0;
  return records.length === found.length && findMissing(found, records).length === 0;
}

function findFault({ start, end, found, among }: Ranged): string {
  const written = among.filter(({ moment: { day } }) => day >= start && day <= end);
  const given = `${start} to ${end} gives ${toCounted(found)}`;
  return `${given}, in no time zone all of these days; as datetimes are written, it would be ${toCounted(written)}`;
}
