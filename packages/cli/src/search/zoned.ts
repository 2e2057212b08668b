// The days of records in a time zone of the user's choice, and searches for such days.
import { createShowDatetime, type ClockZone } from "@call-media/conditions";
import type { CallMediaClient, CallRecord } from "@call-media/client";
import { openSearch, type Wanted } from "./wanted.ts";

/** The day of a record; null without a datetime. */
export type DayOf = (record: Pick<CallRecord, "datetime">) => string | null;

/** The day as written in the record if no zone is requested, or the instant is unknown. */
export function createDayOf({ timeZone, archiveZone }: ClockZone): DayOf {
  const show = createShowDatetime(timeZone, archiveZone);
  return ({ datetime }) => /^\d{4}-\d\d-\d\d/.exec(datetime ? show(datetime) : "")?.[0] ?? null;
}

/** Both days are included; undefined means no limit. */
interface Days {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export function createDayTest({ from, to }: Days, dayOf: DayOf): (record: CallRecord) => boolean {
  if (from === undefined && to === undefined) return () => true;
  return (record) => {
    const day = dayOf(record);
    return day !== null && day >= (from ?? day) && day <= (to ?? day);
  };
}

interface Context {
  readonly client: CallMediaClient;
  readonly zone: ClockZone;
  readonly signal: AbortSignal;
}

/**
 * The search for the days of the zone. The service uses the days of the archive, so the records are also tested here, unless both zones are
 * the same. If the archive's zone is unknown, reads one page to find it.
 */
export async function toZoned(wanted: Wanted, { client, zone, signal }: Context): Promise<Wanted> {
  const { timeZone, archiveZone } = zone;
  if (timeZone === undefined) return wanted;
  if (archiveZone?.() === undefined)
    for await (const _ of openSearch(client, wanted, signal).pages()) break;
  return archiveZone?.() === timeZone ? wanted : { ...wanted, zone };
}

/** True for records of the days, if these are in another zone than the archive's. */
export const createZoneTest = ({ zone, startDate: from, endDate: to }: Wanted) =>
  zone === undefined ? () => true : createDayTest({ from, to }, createDayOf(zone));
